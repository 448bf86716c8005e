/** How approvals use an act: what it can do once it has its arguments and its caller, and how its success is shown. */
import type { Confirmed } from '../domain/airline.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { Evidence } from '../journal/evidence.ts';
import type { Operation } from '../journal/operation.ts';
import type { Meta, ResultHead } from './answer.ts';
import type { Terms } from './terms.ts';

/** An act, bound to its arguments and its caller. */
export interface BoundAct {
  readonly tool: string;
  readonly effect: 'hold' | 'commit';
  /** Without `approval_id`: approvals are bound to them. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The result shows the whole booking, so an answer that lists a part of it is not enough. */
  readonly showsFullBooking?: boolean;
  /** Reads only, and stops when the caller leaves. Throws ClerkError where a rule forbids the act. */
  preview(): Promise<Terms>;
  /** Reads and throws likewise; does not stop when the caller leaves, because a yes was given. */
  previewAgain(): Promise<Terms>;
  /** Sends once. */
  send(confirmed: Confirmed<unknown>): Promise<Evidence>;
  /** Blanks in a text of the airline what travellers entered on the details page, as previews have read it. */
  readonly blank?: (text: string) => string;
  show(done: SucceededOperation): Promise<SuccessView>;
  /** Notes the booking in the caller's ledger. Never rejects. */
  remember(booking: Booking): Promise<void>;
}

/** What is known of an operation that succeeded. */
export interface SucceededOperation {
  readonly operation: Operation;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The airline's answer, where this process got it. */
  readonly evidence?: Evidence;
  /** The terms as read before sending, with the booking before, where this process sent. */
  readonly terms?: Terms;
  /** The booking afterwards; absent where it could not be read. */
  readonly booking?: Booking;
}

/** A success in the tool's words and fields. */
export interface SuccessView extends ResultHead {
  /** The body of the text. */
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly booking?: object;
  readonly meta?: Meta;
}
