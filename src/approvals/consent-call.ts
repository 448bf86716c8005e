/** A call that needs a yes: who asks, how people are asked, and what this process works with. */

import { ClerkError, isOwnFailure } from '../core/errors.ts';
import type { Money } from '../core/money.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { Watches } from '../domain/booking/reading-schedule.ts';
import type { Pointed } from '../domain/facts/bound.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Acts } from '../journal/act.ts';
import type { AsCompared } from '../journal/as-known.ts';
import type { Journal } from '../journal/journal.ts';
import type { Operation } from '../journal/operation.ts';
import { rewordAsUnsent } from '../journal/outcome.ts';
import type { Chain, Clock, OperationStore, Random, Tracing } from '../journal/ports.ts';
import type { Environment } from './answer.ts';
import type { Approval, Client, GivenAnswer } from './approval.ts';
import type { BoundAct } from './bound-act.ts';
import type { ApprovalStore } from './ports.ts';

/** After this long without an answer to its dialog a question is on the page too, milliseconds. */
export const SILENCE_MS = 40_000;

/** How long a call with an approval_id waits by default for the person or for an open operation, milliseconds. */
const DEFAULT_WAIT_MS = 25_000;

/** A person's answer to a question, for measures. */
export interface MeasuredAnswer {
  readonly yes: boolean;
  readonly channel: 'dialog' | 'page' | 'echo';
  /** Time from the question to the answer, milliseconds. */
  readonly ms: number;
}

/** The dialogs of a client that no person can have seen. */
interface Unseen {
  /** When the last one came back, milliseconds since 1970. */
  readonly at: number;
  /** How many in a row. */
  readonly times: number;
}

/** The dialogs of one open question. */
export interface ShownDialog {
  /** How often it was shown. */
  count: number;
  /**
   * When the first of those was shown that may still be open, milliseconds since 1970. Undefined once they have ended:
   * closed, or shown to no person. No answer of them counts any more.
   */
  openSince: number | undefined;
  /** When the question expires, milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What a process knows of the dialogs that its clients showed, as long as it lives. */
interface DialogMemory {
  /** By caller and client. */
  readonly unseen: Map<string, Unseen>;
  /** By hash of the question's handle. */
  readonly shown: Map<string, ShownDialog>;
}

/** What a process knows when it starts. */
export const noDialogs = (): DialogMemory => ({ unseen: new Map(), shown: new Map() });

export interface ApprovalRuntime {
  readonly acts: Acts;
  /**
   * Compares a reading with the one before. Without `begunAt` the booking is from an operation's reply: nothing is
   * compared, and the booking is read soon.
   * @param begunAt when the reading began, milliseconds since 1970
   * @param operations those on the booking, listed after it was read. Absent: they are listed
   */
  compareReading?(
    caller: Caller,
    booking: Booking,
    begunAt?: number,
    operations?: Promise<readonly Operation[] | undefined>,
  ): Promise<AsCompared>;
  readonly state: {
    readonly operations: OperationStore;
    readonly approvals: ApprovalStore;
    /** Key of digests of arguments and terms. */
    readonly digestKey: Uint8Array;
    /** Absent: nothing stops sending. */
    readonly chain?: Chain;
    /** When bookings were read. Absent: nobody knows whether the airline ever showed one. */
    readonly watches?: Pick<Watches, 'get'>;
    /** What callers know of the bookings that they claimed. Absent: nobody claims any. */
    readonly claims?: { times(caller: Caller, names: readonly string[]): Promise<ReadonlyMap<string, number>> };
  };
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  /** Absent: nothing is traced. */
  readonly tracing?: Tracing;
  /** Operations that this process is sending. It awaits them before it ends. */
  readonly inFlight: Set<Promise<unknown>>;
  readonly dialogs: DialogMemory;
  decided?(answer: MeasuredAnswer): void;
}

/**
 * What the client does with the address of a page: it opens the page itself, it opens none, or it has failed to show the
 * question, so that the page is opened on this machine at once.
 */
export type ClientAndPage = 'opens_itself' | 'opens_none' | 'failed_to_show';

export interface PageOpener {
  /** Whether a browser can be opened on this machine. */
  canOpen(): boolean;
  /** Serves the page and opens it. For a client that opens it itself, returns the address instead. */
  open(
    approval: Approval,
    client: ClientAndPage,
  ): Promise<{
    readonly opened: boolean;
    /** Name of this computer, on which the page is open. */
    readonly computer?: string;
    /** For the client to open (URL elicitation). May carry a secret: never put it in a result. */
    readonly url?: string;
    /** An address that asks for sign-in, so anybody may see it. */
    readonly publicUrl?: string;
  }>;
}

/** How people are asked (FARECLERK_APPROVAL). */
type ApprovalMode = 'auto' | 'elicit' | 'page' | 'echo';

export interface ApprovalSettings {
  readonly environment: Environment;
  readonly approval: ApprovalMode;
  readonly pageAbove?: Money;
  /** Above this amount the yes must be another person's; only the page asks then. */
  readonly fourEyesAbove?: Money | undefined;
  /** A dialog answered sooner was not shown to a person, milliseconds; 0: no such limit. */
  readonly dialogFloorMs: number;
  /** After this long without an answer to its dialog a question is on the page too: {@link SILENCE_MS}. */
  readonly silenceMs?: number;
  readonly limits: Limits;
  /** How long a call waits for the airline before it says pending, milliseconds. */
  readonly answerMs: number;
  /** How long a call with an approval_id waits: {@link DEFAULT_WAIT_MS}. Milliseconds. */
  readonly waitMs?: number;
  /** `fareclerk approve` in a terminal can decide here (stdio). */
  readonly canUseTerminal: boolean;
  readonly page?: PageOpener;
  /** Adds the flags to the commands that our own words name, such as `fareclerk approve`, that make them read these settings. */
  readonly typed?: (text: string) => string;
}

export interface Limits {
  /** For one act. Checked again before each send. */
  readonly perAction?: Money;
  /**
   * For one caller in 24 hours. Checked in the transaction that enters the operation (store/journal/operations.ts), so
   * that two calls at once cannot both pass it.
   */
  readonly perDay?: Money;
}

/** Who calls, what their client can do, and where progress goes. */
export interface Asker {
  readonly caller: Caller;
  /** The client shows forms to its user. */
  readonly canElicit?: boolean;
  readonly canOpenUrls?: boolean;
  readonly signal?: AbortSignal;
  /** The answer of the host's dialog: the question's handle, and whatever the host sent. */
  readonly dialog?: DialogReply;
  /** The host's return from the details page: the details id, and whatever the host sent, if it has answered. */
  readonly details?: { readonly id: string; readonly raw?: unknown };
  /** The host's dialog of the approval that this call brings is still open. */
  readonly isDialogOpen?: boolean;
  readonly client?: Client;
  readonly progress?: (done: number, total: number, message: string) => void;
}

export interface DialogReply {
  readonly handle: string;
  readonly raw: unknown;
  /** Time of the showing that it answers, as the client got it. Absent: the first showing. */
  readonly askedAt?: number;
  /** How long the dialog was open, by the clock of this process, milliseconds. Absent: measured from `askedAt`. */
  readonly tookMs?: number;
}

/** How far a call got. Decides whether a failure proves that nothing was sent. */
interface Trail {
  /** The call came without an approval. */
  readonly isNew?: boolean;
  /** The operation of the call's approval. */
  operationId?: string;
  /** The operation was started: something may have been sent. */
  ran?: true;
}

/** A call about a question to a person: of one act, or of the lines of a plan. */
export interface Question {
  readonly act: Pick<BoundAct, 'tool' | 'args'>;
  readonly asker: Asker;
  readonly runtime: ApprovalRuntime;
  readonly settings: ApprovalSettings;
  readonly trail: Trail;
  /** The details id of the call: only a call with this id can use what travellers entered. */
  readonly detailsId?: string;
  /** No caller gets this result: a person decided on the page or in a terminal, or it is a step of a plan. */
  readonly isDecidedOutside?: true;
  /** Replaces recordAnswer (request.ts): a plan records the answer for its lines too. */
  readonly record?: (runtime: ApprovalRuntime, asked: Approval, answer: GivenAnswer) => Promise<Approval | undefined>;
}

/** A call of one act. */
export interface ActCall extends Question {
  readonly act: BoundAct;
  /** The reading from which the pointers of a step were taken, which is older than its question. */
  readonly pointed?: Pointed | undefined;
}

/** How long a dialog may be silent before its question is on the page too, milliseconds. */
export function longestSilence({ settings: { silenceMs = SILENCE_MS } }: Pick<Question, 'settings'>): number {
  return silenceMs;
}

/** How long a call with an approval_id waits, milliseconds. */
export function longestWait({ settings: { waitMs = DEFAULT_WAIT_MS } }: Pick<Question, 'settings'>): number {
  return waitMs;
}

/** A mistake in this program, before anything was sent. */
export class UnsentMistake extends Error {}

/** The error that a call threw, such as for a full disk, with `effect: none` if nothing can have been sent. */
export async function unsentError(call: Pick<Question, 'runtime' | 'trail'>, error: unknown): Promise<unknown> {
  const isOurs = !(error instanceof ClerkError) || (isOwnFailure(error) && error.effect === 'unknown');
  if (!isOurs || !(await isUnsent(call))) return error;
  return error instanceof ClerkError ? rewordAsUnsent(error) : new UnsentMistake('unsent', { cause: error });
}

/** Whether nothing was sent: not by this call, nor by another call with the same approval, as the journal shows. */
async function isUnsent({ runtime, trail }: Pick<Question, 'runtime' | 'trail'>): Promise<boolean> {
  const { ran, operationId, isNew } = trail;
  if (ran === true) return false;
  if (operationId === undefined) return isNew === true;
  return runtime.state.operations.get(operationId).then(
    (operation) => operation === undefined,
    () => isNew === true,
  );
}
