/** How approvals use an act: what it can do once it has its arguments and its caller, and how its success is shown. */
import type { Confirmed } from '../domain/airline.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { Pointed } from '../domain/facts/bound.ts';
import type { Readers } from '../domain/facts/words.ts';
import type { Evidence } from '../journal/evidence.ts';
import type { Operation } from '../journal/operation.ts';
import type { ResultHead } from './answer.ts';
import type { ChangeLines, Terms } from './terms.ts';

/** An act, bound to its arguments and its caller. */
export interface BoundAct {
  readonly tool: string;
  readonly effect: 'hold' | 'commit';
  /** The arguments without `approval_id`. Approvals are bound to them. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The act sends back what is read of people beside what changes. */
  readonly sendsBack?: true | undefined;
  /** Who reads the words for changes of its booking. */
  readonly readers: Readers;
  /** Whether the result shows the whole booking, so that an answer with only a part of it is not enough. */
  readonly showsFullBooking?: boolean;
  /**
   * Reads the terms; stops when the caller leaves. Throws ClerkError if a rule forbids the act.
   * @param pointed the reading from which the pointers in the arguments were taken, if that is an earlier one
   */
  preview(pointed?: Pointed): Promise<Terms>;
  /** Reads the terms like `preview`, but goes on if the caller leaves, because a yes was given. */
  previewAgain(pointed: Pointed | undefined): Promise<Terms>;
  /** Milliseconds until the airline takes its messages again. @param sender as the airline has it */
  pausedMs(sender?: string): Promise<number>;
  /** What `commit` works with: the airline of the caller, and no signal, because what is being sent goes on if the caller leaves. */
  readonly sendContext: unknown;
  /** Sends once. */
  commit(confirmed: Confirmed<unknown>, sendContext: unknown): Promise<Evidence>;
  /** Reads a booking as the caller may see it. */
  read(locator: string): Promise<Booking>;
  /** Says what would come back of a booking. Undefined if there is nothing to cancel. */
  refundWords?(booking: Booking): string | undefined;
  /** Shows a success in the tool's words. */
  show(done: SucceededOperation): Promise<SuccessView>;
  /**
   * Tells what the airline changed on these bookings and nobody has dealt with. Undefined if that is nothing.
   * @param known ids of changes that the question named
   */
  changes?(
    bookings: readonly Pick<Booking, 'locator' | 'createdAt'>[],
    known: readonly string[] | undefined,
  ): Promise<ChangeLines | undefined>;
  /** Notes the booking in the caller's ledger. Never rejects. */
  remember(booking: Booking): Promise<void>;
}

/** What is known of an operation that succeeded. */
export interface SucceededOperation {
  readonly operation: Operation;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The airline's answer, if this process received it. */
  readonly evidence?: Evidence;
  /** The terms as read before sending, with the booking of that time, if this process sent. */
  readonly terms?: Terms;
  /** The booking afterwards. Absent if it could not be read. */
  readonly booking?: Booking;
  /** Whether the booking is an answer that lists only a part of it, because it could not be read. */
  readonly isPartial?: boolean;
}

/** A success in the tool's words and fields. */
interface SuccessView extends ResultHead {
  /** The body of the text. */
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly booking?: object;
}
