/** What the details page asks of whom, and where the answers wait, sealed, for the call that uses them. */

import { MINUTE_MS } from '../core/times.ts';
import type { Segment } from '../domain/booking/booking.ts';

/** How long a details form is open, milliseconds: from its opening, its last card or the last call with all of them. */
export const DETAILS_MS = 30 * MINUTE_MS;

/** What the page asks, for one call of a tool. Kept in plain text: it names no traveller. */
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
   * `new`: everything is asked, and required but the middle name. `unnamed`: a passenger of a group, whose names are
   * required and the rest is not. `named`: at least one field; what is blank stays as it is. `details`: as `named`, and a
   * name changes nothing, so that it is not enough.
   */
  readonly asks: 'new' | 'unnamed' | 'named' | 'details';
}

export interface NewDetails {
  /** Of the details id, which is kept nowhere (seal.ts). */
  readonly idHash: string;
  readonly tenant: string;
  readonly caller: string;
  readonly tool: string;
  /** Keyed, of the arguments without `details`. */
  readonly argsDigest: string;
  readonly locator?: string;
  readonly form: DetailsForm;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface KeptDetails extends NewDetails {
  /** Sealed, by their place in the form from 0. None once they were used. */
  readonly cards: ReadonlyMap<number, string>;
  /** The operation that used them. */
  readonly operationId?: string;
  /** Keyed, of what was entered. */
  readonly usedDigest?: string;
}

/** Whether every traveller has entered their details. */
export function isComplete({ form, cards }: Pick<KeptDetails, 'form' | 'cards'>): boolean {
  return form.cards.every((_, place) => cards.has(place));
}

export interface DetailsStore {
  /** @throws ClerkError E_LIMIT if this person has a hundred */
  open(details: NewDetails): Promise<void>;
  /** Undefined: unknown, forgotten, or over at `now`. */
  find(idHash: string, now: number): Promise<KeptDetails | undefined>;
  /**
   * Keeps a sealed card: on the disk when this resolves. False: it was kept before, the form has no such card, or is
   * over, used or unknown. One of two at once wins. The last card that is missing moves the form's end to half an hour later.
   */
  submit(idHash: string, card: number, sealed: string, now: number): Promise<boolean>;
  /** Moves the end of a form that is open to half an hour from now: its call came. Never back. */
  extend(idHash: string, now: number): Promise<void>;
  /** Erases the cards. The form stays until it is over, so that a repeat of the call finds its operation. */
  use(idHash: string, operationId: string, usedDigest: string): Promise<void>;
}
