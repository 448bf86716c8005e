/**
 * One operation: an act at the airline that must happen at most once.
 *
 *   intent ─▶ dispatched ─▶ succeeded | refused | in_doubt ─▶ succeeded | not_executed | needs_person
 *      └────▶ not_executed (nothing was sent)
 *
 * A refusal that proves nothing is in doubt until the booking is read, at once: it then is succeeded or refused.
 *
 * After `not_executed`, and after a refusal that one reading settled, a late effect or reply leads to needs_person. A
 * person who checked with the airline closes the operation: needs_person ─▶ resolved.
 */

import type { AirlineFault, Effect, ErrorCode, Retry } from '../core/errors.ts';
import type { Money } from '../core/money.ts';
import type { SoldFacts } from '../domain/booking/sold-facts.ts';
import type { AskedPeople } from '../domain/facts/asked-people.ts';
import type { FirstSaid } from '../domain/facts/booking-rows.ts';
import type { ExpectedChange } from '../domain/facts/expected-change.ts';
import type { OperationRefund } from '../domain/refund/airline-stated-refund.ts';
import type { StatedCondition } from '../domain/refund/describe-refund.ts';
import type { RefundAmount } from '../domain/refund/refund-amount.ts';

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

/** States in which the operation may still act, or may have acted: the booking accepts no other operation. */
export const ACTIVE_STATES = ['intent', 'dispatched', 'in_doubt'] as const satisfies readonly OperationState[];

export type ActiveState = (typeof ACTIVE_STATES)[number];

export function isActive(state: OperationState): state is ActiveState {
  return (ACTIVE_STATES as readonly OperationState[]).includes(state);
}

/** States in which the operation may still act, may have acted, or waits for a person. */
export const OPEN_STATES = [...ACTIVE_STATES, 'needs_person'] as const satisfies readonly OperationState[];

/** Whether nobody has settled the operation yet. */
export function isOpen(state: OperationState): boolean {
  return (OPEN_STATES as readonly OperationState[]).includes(state);
}

/** How the yes was given. */
export type Assurance =
  /** Nobody was asked: none was needed. */
  | 'none'
  /** The model said that the person agrees (echo). */
  | 'caller_confirmed'
  /** In the dialog of the host. */
  | 'person'
  /** On our page, or in the terminal. */
  | 'page';

/** A ClerkError without its cause, terms and the airline's title. */
export interface OperationError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly next: string;
  readonly effect: Effect;
  readonly retry: Retry;
  readonly airline?: Omit<AirlineFault, 'title'>;
}

/** How a person closed an operation that they checked with the airline. */
export interface Resolution {
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Absent once it was erased: it may name a traveller. The hash chain has only its digest. */
  readonly note?: string;
  /** Random text that is erased with the note, so that nobody can find the note by trying texts for the digest. */
  readonly noteSalt?: string;
  readonly noteDigest?: string;
}

/** What is known of how an operation ended. Has no personal data except a note; ticket numbers are no secret. */
export interface Outcome {
  /** `reply`: the airline's answer. `read`: a reading showed it, whoever did it. */
  readonly basis?: 'reply' | 'read';
  readonly error?: OperationError;
  /** The booking that a create made. */
  readonly locator?: string;
  /** What the airline said first of limits and rules, to compare readings before the payment with it. */
  readonly first?: FirstSaid;
  readonly tickets?: readonly {
    readonly number: string;
    readonly total?: string;
    readonly net?: string;
    readonly paymentType?: string;
    readonly conjunctive?: readonly string[];
  }[];
  /** A payment's receipt that did not settle the operation, and the amount that it states. */
  readonly receipt?: { readonly stated?: Money };
  /** The payment types that a receipt which did not settle the operation states, by the airline's codes. */
  readonly charged?: readonly string[];
  /** What the last reading showed of an operation that is done in part, in a sentence. */
  readonly shows?: string;
  /** The airline's reference for the error that left the operation in doubt. */
  readonly reference?: string;
  /** The airline refused, which proves nothing by itself: kept until a reading shows that it was not done. */
  readonly refusal?: OperationError;
  /** The new booking that the airline's answer to a create or a split names, until a reading shows that it is this one. */
  readonly named?: string;
  /** Of `refused`: one reading showed no change. Limits count the operation until one after the settle time does too. */
  readonly provisional?: true;
  /** What a person must check, for `needs_person`. */
  readonly check?: string;
  /** Who closed an operation that needed a person, when (milliseconds since 1970), and what they found. */
  readonly resolved?: Resolution;
  /** How many times the booking was checked for a late effect so far. */
  readonly looks?: number;
  /** The refund, as the airline stated it. */
  readonly refund?: OperationRefund;
  /** The charge, as the airline stated it. */
  readonly charge?: { readonly amount: Money; readonly orderStatus?: string };
  /** For a split: the passengers' new booking. */
  readonly newLocator?: string;
  /** The refund that the terms estimated, or its bounds, the rule in words, and the airline's words that it depends on. */
  readonly estimate?: Omit<RefundAmount, 'overPrice'> & {
    readonly rule: string;
    readonly conditions?: readonly StatedCondition[];
  };
}

/** The length of a digest in base64url. */
export const DIGEST_LENGTH = 43;

/** The part of a fingerprint that all creates of the same flights have. */
export function tripOf(fingerprint: string): string {
  return fingerprint.slice(0, DIGEST_LENGTH);
}

export interface Operation {
  /** UUID, chosen with the approval: one approval is one operation. */
  readonly id: string;
  readonly tenant: string;
  readonly caller: string;
  readonly tool: string;
  /** Absent while a create has no booking. */
  readonly locator?: string;
  /** For a create: a digest of tenant and flights, a full stop, and a digest of the travellers. Only the first has creates of 0.4.0. */
  readonly fingerprint?: string;
  readonly state: OperationState;
  readonly assurance: Assurance;
  /** The signed-in approver, by caller id. */
  readonly approvedBy?: string;
  /** Keyed digests of what was asked for, and of the terms that were approved. */
  readonly argsDigest: string;
  readonly termsDigest: string;
  /** As limits count it: the payment, or the refund (the amount paid, if the refund is unknown). */
  readonly amount?: Money;
  readonly direction?: 'payment' | 'refund';
  /** What the booking must show once it is done. */
  readonly subject: ExpectedChange;
  /** Milliseconds since 1970 by the store's clock. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly dispatchedAt?: number;
  /** The process that runs it, believed alive until `leaseUntil`. */
  readonly owner: string;
  readonly leaseUntil: number;
  /**
   * How many readings in a row, after the settle time, had the same verdict: 2 after two that showed it not done, -2
   * after two that showed nothing of the booking, 0 after one with another verdict.
   */
  readonly negatives: number;
  /** The last reading, successful or not. */
  readonly lastReadAt?: number;
  /** Since when readings fail. */
  readonly failingSince?: number;
  readonly outcome?: Outcome;
  /** Creates only: the operation that this one was approved to come after. */
  readonly supersedes?: string;
  /** The `traceparent` of the call that asked for it. */
  readonly trace?: string;
  /** Digest of the plan of which it is a step (plans/propose.ts). */
  readonly plan?: string;
  /** What the booking was when the operation was entered. Absent in operations of 0.2.0. */
  readonly facts?: SoldFacts;
}

/** Locator of the operation's booking; for a create, of the booking that it made. */
export function locatorOf({ outcome, locator }: Pick<Operation, 'outcome' | 'locator'>): string | undefined {
  return outcome?.locator ?? locator;
}

type SetByStore = 'state' | 'createdAt' | 'updatedAt' | 'dispatchedAt' | 'owner' | 'leaseUntil';

/** What is kept of the people of a request, to compare its booking with them: digests, and their salt, without which nobody makes them. */
export interface KeptPeople {
  readonly salt: string;
  readonly people: AskedPeople;
}

/**
 * `people`, `reason` and `customer` are no part of the operation that the journal binds and its second records repeat:
 * they are erased.
 */
export type NewOperation = Omit<Operation, SetByStore | 'negatives' | 'lastReadAt' | 'failingSince'> & {
  readonly people?: KeptPeople | undefined;
  /** Why the customer cancels, in their words. */
  readonly reason?: string | undefined;
  /** The desk's own key of the customer for the booking that a hold makes. */
  readonly customer?: string | undefined;
};

/** No lease is this long, milliseconds. One that ends later was taken before the clock was set back. */
export const FAR_MS = 60 * 60_000;
