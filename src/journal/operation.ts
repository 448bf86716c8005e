/**
 * One operation: a single act at the airline that must happen at most once, from intent to a settled outcome.
 *
 *   intent ─▶ dispatched ─▶ succeeded | refused | in_doubt ─▶ succeeded | not_executed | needs_person
 *      └────▶ not_executed (nothing was sent)
 *
 * Settled without the airline's word, `not_executed` may still be contradicted: ─▶ needs_person. A person who has checked
 * with the airline closes it: needs_person ─▶ resolved.
 */

import type { ExpectedChange } from '../domain/booking/expected-change.ts';
import type { Money } from '../domain/pricing/money.ts';
import type { AirlineFault, Effect, ErrorCode, Retry } from '../errors.ts';

export const OPERATION_STATES = [
  'intent',
  'dispatched',
  'in_doubt',
  'succeeded',
  'refused',
  'not_executed',
  'needs_person',
  'resolved',
] as const;

export type OperationState = (typeof OPERATION_STATES)[number];

/** States in which the operation may still act or may have acted unseen; the booking takes no other meanwhile. */
export const ACTIVE_STATES = ['intent', 'dispatched', 'in_doubt'] as const satisfies readonly OperationState[];

export type ActiveState = (typeof ACTIVE_STATES)[number];

export function isActive(state: OperationState): state is ActiveState {
  return (ACTIVE_STATES as readonly OperationState[]).includes(state);
}

/** No lease is given for so long: one that ends later is of a clock that was put back since, milliseconds. */
export const FAR_MS = 60 * 60_000;

/**
 * How the yes was given. `person` in the host's dialog, `page` on our own page or terminal, `caller_confirmed` is the
 * model's word (echo), `none` where the terms need no asking.
 */
export type Assurance = 'none' | 'caller_confirmed' | 'person' | 'page';

export type { ExpectedChange };

/** What is told of a failed operation, in our own words only (ClerkError without cause, terms and the airline's title). */
export interface OperationError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly next: string;
  readonly effect: Effect;
  readonly retry: Retry;
  readonly airline?: Omit<AirlineFault, 'title'>;
}

/** What was learned, without personal data. Money as in the receipt; ticket numbers are no secret. */
export interface Outcome {
  /** `reply`: the airline's own answer; `read`: the booking read back showed it (it may be another's doing). */
  readonly basis?: 'reply' | 'read';
  readonly error?: OperationError;
  /** The locator a create made. */
  readonly locator?: string;
  readonly tickets?: readonly {
    readonly number: string;
    readonly total?: string;
    readonly net?: string;
    readonly paymentType?: string;
    readonly conjunctive?: readonly string[];
  }[];
  /** A payment's receipt that did not settle it, and what it says was taken. */
  readonly receipt?: { readonly stated?: Money };
  /** The airline's own reference for the error that left it in doubt. */
  readonly reference?: string;
  /** What a person must check, for `needs_person`. */
  readonly check?: string;
  /** Who closed an operation that needed a person, when (milliseconds since 1970), and what they found. */
  readonly resolved?: { readonly by: string; readonly at: number; readonly note: string };
  /** How often the booking was looked at again since the operation was settled as not carried out. */
  readonly looks?: number;
  /** Refund that the airline stated, where it did. */
  readonly refund?: {
    readonly amount: Money;
    readonly penalty?: Money;
    readonly vat?: Money;
    readonly orderStatus?: string;
  };
  /** What the airline stated that it charged, where it did. */
  readonly charge?: { readonly amount: Money; readonly orderStatus?: string };
  /** Of a split: the booking that the passengers moved to. */
  readonly newLocator?: string;
  /** Refund that the terms estimated, or its bounds, and the rule in words. */
  readonly estimate?: {
    readonly amount?: Money;
    readonly bounds?: { readonly atLeast: Money; readonly atMost: Money };
    readonly penalty?: Money;
    readonly rule: string;
  };
}

export interface Operation {
  /** UUID; chosen when the approval is made, so that one approval can only ever be one operation. */
  readonly id: string;
  readonly tenant: string;
  readonly caller: string;
  readonly tool: string;
  /** The booking; absent while a create has none. */
  readonly locator?: string;
  /** Of a create: digest of tenant, flights and travellers. */
  readonly fingerprint?: string;
  readonly state: OperationState;
  readonly assurance: Assurance;
  /** Who signed in and said yes on the page, as callers are named; absent where only the way is known. */
  readonly approvedBy?: string;
  readonly argsDigest: string;
  readonly termsDigest: string;
  /** Money that this moves, as counted by limits: the payment, or the refund (the amount paid where unknown). */
  readonly amount?: Money;
  readonly direction?: 'payment' | 'refund';
  readonly subject: ExpectedChange;
  /** Milliseconds since 1970 by the store's clock. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly dispatchedAt?: number;
  /** The process that runs it, and until when it is believed alive. */
  readonly owner: string;
  readonly leaseUntil: number;
  /** Reads in a row that showed it not done, after the settle time. */
  readonly negatives: number;
  /** When the booking was last read for it, well or not. */
  readonly lastReadAt?: number;
  /** Since when those readings fail; absent after one that did not. */
  readonly failingSince?: number;
  readonly outcome?: Outcome;
  /** Creates only: the operation that this one was approved to come after. */
  readonly supersedes?: string;
}

/** The booking that an operation is about, or that a create made. */
export function locatorOf({ outcome, locator }: Operation): string | undefined {
  return outcome?.locator ?? locator;
}

export type NewOperation = Pick<
  Operation,
  'id' | 'tenant' | 'caller' | 'tool' | 'assurance' | 'argsDigest' | 'termsDigest' | 'subject'
> &
  Partial<
    Pick<Operation, 'locator' | 'fingerprint' | 'amount' | 'direction' | 'supersedes' | 'outcome' | 'approvedBy'>
  >;
