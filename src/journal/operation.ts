/**
 * One operation: an act at the airline that must happen at most once.
 *
 *   intent ─▶ dispatched ─▶ succeeded | refused | in_doubt ─▶ succeeded | not_executed | needs_person
 *      └────▶ not_executed (nothing was sent)
 *
 * If readings settled it as `not_executed`, a late effect leads to needs_person. A person who checked with the airline
 * closes it: needs_person ─▶ resolved.
 */
import type { AirlineFault, Effect, ErrorCode, Retry } from '../core/errors.ts';
import type { Money } from '../core/money.ts';
import type { ExpectedChange } from '../domain/booking/expected-change.ts';
import type { SoldFacts } from '../domain/booking/sold-facts.ts';
import type { RefundAmount } from '../domain/pricing/refund-amount.ts';
import type { OperationRefund } from '../domain/pricing/stated-refund.ts';

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

/** The operation may still act, or may have acted: the booking accepts no other operation. */
export const ACTIVE_STATES = ['intent', 'dispatched', 'in_doubt'] as const satisfies readonly OperationState[];

export type ActiveState = (typeof ACTIVE_STATES)[number];

export function isActive(state: OperationState): state is ActiveState {
  return (ACTIVE_STATES as readonly OperationState[]).includes(state);
}

/** It may still act, may have acted, or waits for a person. */
export const OPEN_STATES = [...ACTIVE_STATES, 'needs_person'] as const satisfies readonly OperationState[];

/** No lease is this long, milliseconds. One that ends later was given before the clock was set back. */
export const FAR_MS = 60 * 60_000;

/** How the yes was given. */
export type Assurance =
  /** It was not asked for. */
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
  /** Random, and erased with the note: without it nobody can try notes until one has the digest. */
  readonly noteSalt?: string;
  readonly noteDigest?: string;
}

/** Without personal data, except a note. Money as in the receipt; ticket numbers are no secret. */
export interface Outcome {
  /** `reply`: the airline's answer. `read`: a reading showed it, whoever did it. */
  readonly basis?: 'reply' | 'read';
  readonly error?: OperationError;
  /** The booking that a create made. */
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
  /** The airline's reference for the error that left it in doubt. */
  readonly reference?: string;
  /** What a person must check, for `needs_person`. */
  readonly check?: string;
  /** Who closed an operation that needed a person, when (milliseconds since 1970), and what they found. */
  readonly resolved?: Resolution;
  /** How many times it was checked for a late effect so far. */
  readonly looks?: number;
  /** As the airline stated it. */
  readonly refund?: OperationRefund;
  /** As the airline stated it. */
  readonly charge?: { readonly amount: Money; readonly orderStatus?: string };
  /** For a split: the passengers' new booking. */
  readonly newLocator?: string;
  /** The refund that the terms estimated, or its bounds, and the rule in words. */
  readonly estimate?: Omit<RefundAmount, 'overPrice'> & { readonly rule: string };
}

export interface Operation {
  /** UUID, chosen with the approval: one approval is one operation. */
  readonly id: string;
  readonly tenant: string;
  readonly caller: string;
  readonly tool: string;
  /** Absent while a create has no booking. */
  readonly locator?: string;
  /** For a create: digest of tenant, flights and travellers. */
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
   * Readings in a row, after the settle time: above zero those that showed it not done, below zero those that showed
   * nothing.
   */
  readonly negatives: number;
  /** The last reading, successful or not. */
  readonly lastReadAt?: number;
  /** Since when readings fail. */
  readonly failingSince?: number;
  readonly outcome?: Outcome;
  /** Creates only: the operation that this one was approved to come after. */
  readonly supersedes?: string;
  /** The `traceparent` under which it was asked for. */
  readonly trace?: string;
  /** Digest of the plan of which it is a step (plans/propose.ts). */
  readonly plan?: string;
  /** What it was about when it was entered. Absent: an earlier version entered it. */
  readonly facts?: SoldFacts;
}

/** Of a create, the locator of the booking that it made. */
export function locatorOf({ outcome, locator }: Operation): string | undefined {
  return outcome?.locator ?? locator;
}

type KeptByStore = 'state' | 'createdAt' | 'updatedAt' | 'dispatchedAt' | 'owner' | 'leaseUntil';

export type NewOperation = Omit<Operation, KeptByStore | 'negatives' | 'lastReadAt' | 'failingSince'>;
