/** A call that needs a yes: who asks, how people are asked, and what this process works with. */

import { ClerkError, isOwnFailure } from '../core/errors.ts';
import type { Money } from '../core/money.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Acts } from '../journal/act.ts';
import type { Journal } from '../journal/journal.ts';
import { storeUnsent } from '../journal/outcome.ts';
import type { BookingReader, Chain, Clock, OperationStore, Random, Tracing } from '../journal/ports.ts';
import type { Environment } from './answer.ts';
import type { BoundAct } from './bound-act.ts';
import type { Approval, ApprovalStore, Client, GivenAnswer, UnseenDialogs } from './ports.ts';

/** After this long without an answer to its dialog a question is on the page too, milliseconds. */
export const SILENCE_MS = 40_000;

/** A person's answer to a question, for measures. */
export interface MeasuredAnswer {
  readonly yes: boolean;
  readonly channel: 'dialog' | 'page' | 'echo';
  /** Since the question. */
  readonly ms: number;
}

export interface ApprovalRuntime {
  readonly acts: Acts;
  readonly airline: BookingReader;
  /**
   * Compares a reading that began then, milliseconds since 1970, with the one before. Without a time it is an
   * operation's reply: nothing is compared, and the booking is read soon. True if it was compared and no finding
   * about the booking is open.
   */
  compareReading?(caller: Caller, booking: Booking, begunAt?: number): Promise<boolean>;
  readonly state: {
    readonly operations: OperationStore;
    readonly approvals: ApprovalStore;
    /** Of digests of arguments and terms. */
    readonly digestKey: Uint8Array;
    /** Absent: nothing stops sending. */
    readonly chain?: Chain;
    /** Absent: no unseen dialog is remembered. */
    readonly unseenDialogs?: UnseenDialogs;
  };
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  /** Absent: nothing is traced. */
  readonly tracing?: Tracing;
  /** Operations that this process is sending. It awaits them before it ends. */
  readonly inFlight: Set<Promise<unknown>>;
  decided?(answer: MeasuredAnswer): void;
}

export interface PageOpener {
  /** A browser can be opened here. */
  canOpen(): boolean;
  /**
   * Serves the page and opens it. Where the client opens URLs itself, gives the address instead.
   * @param unseen the client's way of opening it failed: opens it here at once
   */
  open(
    approval: Approval,
    clientOpensUrls: boolean,
    unseen?: boolean,
  ): Promise<{
    readonly opened: boolean;
    /** Where it is open: the name of this computer. */
    readonly computer?: string;
    /** For the client to open (URL elicitation). May carry a secret: never put it in a result. */
    readonly url?: string;
    /** An address that asks for sign-in, and that anybody may see. */
    readonly publicUrl?: string;
  }>;
}

/** How people are asked (FARECLERK_APPROVAL). */
type ApprovalMode = 'auto' | 'elicit' | 'page' | 'echo';

export interface ApprovalSettings {
  readonly environment: Environment;
  readonly approval: ApprovalMode;
  readonly pageAbove?: Money;
  /** A dialog answered sooner was not shown to a person, milliseconds; 0: no such limit. */
  readonly dialogFloorMs: number;
  /** After this long without an answer to its dialog a question is on the page too: {@link SILENCE_MS}. */
  readonly silenceMs?: number;
  readonly limits: Limits;
  /** How long a call waits for the airline before it says pending, milliseconds. */
  readonly answerMs: number;
  /** How long a call with an approval_id waits for the person or for an open operation, milliseconds: 25_000. */
  readonly waitMs?: number;
  /** `fareclerk approve` in a terminal can decide here (stdio). */
  readonly canUseTerminal: boolean;
  readonly page?: PageOpener;
  /** Rewrites the commands that our own words name, such as `fareclerk approve`, so that they run on this machine. */
  readonly typed?: (text: string) => string;
}

/**
 * Per action, which is checked again before each send; and per caller and day, which binds when the operation is entered
 * (store/journal/operations.ts): two calls at once cannot both pass it.
 */
export interface Limits {
  readonly perAction?: Money;
  readonly perDay?: Money;
}

/** Who calls, what their client can do, and where progress goes. */
export interface Asker {
  readonly caller: Caller;
  /** The client shows forms to its user. */
  readonly canElicit?: boolean;
  readonly canOpenUrls?: boolean;
  readonly signal?: AbortSignal;
  /** The host's dialog came back: the question's handle, and whatever the host sent. */
  readonly dialog?: DialogReply;
  /** The host comes back from the details page: the details id, and whatever the host sent, if it has answered. */
  readonly details?: { readonly id: string; readonly raw?: unknown };
  /** The host's dialog of the approval that this call brings is still open. */
  readonly isDialogOpen?: boolean;
  readonly client?: Client;
  readonly progress?: (done: number, total: number, message: string) => void;
}

export interface DialogReply {
  readonly handle: string;
  readonly raw: unknown;
  /** Of the showing that it answers, as the client was given it. Absent: the last one. */
  readonly askedAt?: number;
  /** By this process's own clock, milliseconds. Absent: by the approval's time of asking. */
  readonly tookMs?: number;
}

/** How far a call got. Decides whether a failure proves that nothing was sent. */
interface Trail {
  /** The call came without an approval. */
  readonly isNew?: boolean;
  /** The operation of the call's approval. */
  operationId?: string;
  /** The operation was started. */
  ran?: true;
}

/** A call about a question to a person: of one act, or of the lines of a plan. */
export interface Question {
  readonly act: Pick<BoundAct, 'tool' | 'args'>;
  readonly asker: Asker;
  readonly runtime: ApprovalRuntime;
  readonly settings: ApprovalSettings;
  readonly trail: Trail;
  /** The call brought it: what travellers entered goes on with it alone. */
  readonly detailsId?: string;
  /** No caller gets this result: a person decided on the page or in a terminal, or it is a step of a plan. */
  readonly isDecidedOutside?: true;
  /** Replaces recordAnswer (request.ts): a plan records the answer for its lines too. */
  readonly record?: (runtime: ApprovalRuntime, asked: Approval, answer: GivenAnswer) => Promise<Approval | undefined>;
}

/** A call of one act. */
export interface ActCall extends Question {
  readonly act: BoundAct;
}

export function longestSilence({ settings: { silenceMs = SILENCE_MS } }: Pick<Question, 'settings'>): number {
  return silenceMs;
}

export function longestWait({ settings: { waitMs = 25_000 } }: Pick<Question, 'settings'>): number {
  return waitMs;
}

/** A mistake in this program, before anything was sent. */
export class UnsentMistake extends Error {}

/** What a call threw (a full disk, a locked file), with `effect: none` where nothing can have been sent. */
export async function unsentError(call: Pick<Question, 'runtime' | 'trail'>, error: unknown): Promise<unknown> {
  const isOurs = !(error instanceof ClerkError) || (isOwnFailure(error) && error.effect === 'unknown');
  if (!isOurs || !(await isUnsent(call))) return error;
  return error instanceof ClerkError ? storeUnsent(error) : new UnsentMistake('unsent', { cause: error });
}

/** This call sent nothing, and, where it brought an approval, the journal knows of no other call that did. */
async function isUnsent({ runtime, trail }: Pick<Question, 'runtime' | 'trail'>): Promise<boolean> {
  const { ran, operationId, isNew } = trail;
  if (ran === true) return false;
  if (operationId === undefined) return isNew === true;
  return runtime.state.operations.get(operationId).then(
    (operation) => operation === undefined,
    () => isNew === true,
  );
}
