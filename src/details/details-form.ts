/** A form of the details page: what it asks of each traveller, how long it stays open, and what was entered so far. */

import { MINUTE_MS } from '../core/times.ts';
import type { Segment } from '../domain/booking/booking.ts';

/** How long a form stays open after it is opened, its last card is entered or its call comes back, milliseconds. */
export const DETAILS_MS = 30 * MINUTE_MS;

/** What the page asks for one call of a tool. Stored as plain text, because it names no traveller. */
export interface DetailsForm {
  /** Lines for people: `Jeddah (JED) → Riyadh (RUH), Mon 7 Dec 2026, 08:00`. */
  readonly trip: readonly string[];
  /** For ages, and for documents that expire before the trip is over. */
  readonly segments: readonly Segment[];
  readonly airline?: string;
  readonly agency?: string;
  readonly cards: readonly DetailsCard[];
}

/** One traveller's part of a form. */
export interface DetailsCard {
  readonly type: 'ADT' | 'CHD' | 'INF';
  /**
   * `new`: every field is required except the middle name. `unnamed`: for a passenger of a group, only names are
   * required. `named`: at least one field is required; blank ones stay as they are. `details`: like `named`, but a name
   * alone is not enough, because it changes nothing.
   */
  readonly asks: 'new' | 'unnamed' | 'named' | 'details';
}

export interface NewDetails {
  /** Hash of the details id, which is stored nowhere (seal.ts). */
  readonly idHash: string;
  readonly tenant: string;
  readonly caller: string;
  readonly tool: string;
  /** Keyed digest of the arguments without `details`. */
  readonly argsDigest: string;
  readonly locator?: string;
  readonly form: DetailsForm;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface KeptDetails extends NewDetails {
  /** Sealed cards, by their place in the form from 0. Empty once they were used. */
  readonly cards: ReadonlyMap<number, string>;
  /** Whether cards that were entered are gone, because the database server crashed or a standby took over. */
  readonly isLost: boolean;
  /** Whether an upgrade of the server closed the form, because the offer that it was opened for is gone. */
  readonly isClosed?: true;
  /** The operation that used them. */
  readonly operationId?: string;
  /** Keyed digest of what was entered. */
  readonly usedDigest?: string;
}

/** Whether every traveller has entered their details. */
export function isComplete({ form, cards }: Pick<KeptDetails, 'form' | 'cards'>): boolean {
  return form.cards.every((_, place) => cards.has(place));
}
