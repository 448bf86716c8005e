/** An approval (a question to a person and its answer), its store, and the errors of one that no longer counts. */

import { ClerkError } from '../core/errors.ts';
import type { BookingNames } from '../domain/booking/booking-names.ts';
import type { Caller } from '../domain/people/caller.ts';
import { SET_MS } from '../journal/clock.ts';
import type { Assurance } from '../journal/operation.ts';
import type { BookingGist } from './booking-gist.ts';
import { type Nature, type TermsSection, whatChanged } from './terms.ts';

/**
 * Where a question is asked. `elicit`: in the host's dialog. `either`: in the dialog, and after its silence on the page
 * too. `page`: on the page, or in a terminal. `echo`: of no person; the model's word is enough.
 */
export type AskedBy = 'elicit' | 'either' | 'page' | 'echo';

/**
 * `void`: granted, but could not be carried out. The yes is spent. `replaced`: the same caller asked anew about the
 * same booking. `withdrawn`: the caller stopped the plan before an answer. `overtaken`: the same was done under another question. `outdated`: another act of the same
 * kind changed the booking.
 */
type Decision = 'pending' | 'granted' | 'declined' | 'void' | 'replaced' | 'withdrawn' | 'overtaken' | 'outdated';

/** Which part of a plan an approval is about (plans/). */
export interface PlanPart {
  readonly plan: string;
  /** Operation id of the question that asks for it: a plan may be asked again for what was not begun. */
  readonly question: string;
  /** From 1; 0: the question itself. */
  readonly line: number;
  /** From 0. */
  readonly step: number;
  /** A question of its own, which people are shown; without it the plan's question decides. */
  readonly alone?: true;
}

/** A program that calls, in its own words: data, cleaned and cut. */
export interface Client {
  readonly name: string;
  readonly version: string;
}

export interface Approval {
  /** SHA-256 of the handle, which is stored nowhere. */
  readonly handleHash: string;
  /** The operation that this approval becomes. */
  readonly operationId: string;
  readonly tenant: string;
  readonly caller: string;
  readonly tool: string;
  readonly locator?: string;
  /**
   * The booking, or the fingerprint of the one that a create makes. A caller has at most one open question for each
   * topic and tool, and one for all acts that decide a booking. Absent, as for plans: their steps name the bookings.
   */
  readonly topic?: string;
  /** Operation id of the question that replaced this one, or of the same caller's act that ended it. */
  readonly replacedBy?: string;
  readonly argsDigest: string;
  readonly termsDigest: string;
  /** The act is the same whatever its other arguments say: it pays the whole booking. */
  readonly ofWholeBooking?: true;
  /** The terms as shown, and the words of the yes. Blanked an hour after it expired: they contain names. */
  readonly sections: readonly TermsSection[];
  readonly act: string;
  readonly nature: Nature;
  /** Who travels, where and when. Blanked too. */
  readonly about?: BookingGist;
  /** What the booking's passengers and trains were called when the question was asked. Blanked too. */
  readonly names?: BookingNames;
  /** A departure of the trip, whose offset gives local times. Blanked too. */
  readonly near?: string;
  /** The `traceparent` of the call that asked. */
  readonly trace?: string;
  /** What became of it, with names. Blanked too. */
  readonly after?: OutcomeFacts;
  /** `Carried` of request.ts as JSON, so that any process can carry it out. Absent once spent. */
  readonly carried?: unknown;
  readonly askedBy: AskedBy;
  /** When the client last got the question. Absent once its dialog has ended: no dialog may answer then. */
  readonly askedAt?: number;
  /** When the dialog was first shown, if it was shown again later and the first one may still be open. */
  readonly shownAt?: number;
  /** The program that asks, in its own words. */
  readonly client?: Client;
  readonly decision: Decision;
  readonly assurance?: Assurance;
  /** The signed-in approver, by caller id. */
  readonly approver?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When it was answered, or ended by another question. */
  readonly decidedAt?: number;
  /** When the caller first learned its outcome. Later calls are repeats. */
  readonly toldAt?: number;
  /** The new terms, if they changed before the yes. */
  readonly staleLines?: readonly string[];
  readonly part?: PlanPart;
  /** Why the step of a plan was not carried out, if the journal has no operation of it. Blanked too. */
  readonly why?: string;
}

/** The approval of a step of a plan, or of its question. */
export type PlanApproval = Approval & { readonly part: PlanPart };

/** Whether the approval is the one question about a whole plan. */
export function isPlanQuestion(approval: Approval): approval is PlanApproval {
  return approval.part?.line === 0;
}

/** Whether people see and decide this question by itself. The question of a plan decides most of its steps. */
export function isQuestion({ part }: Pick<Approval, 'part'>): boolean {
  return part === undefined || part.alone === true;
}

/** An open question, and the bookings that it is about. */
export interface OpenQuestion {
  readonly question: Approval;
  /** Of a plan: those of all its lines. */
  readonly locators: readonly string[];
}

/** A question was entered. `replaced`: earlier questions, as they were while they were open. */
type Entered = { readonly kind: 'asked'; readonly replaced?: readonly OpenQuestion[] };

/** Nothing was entered. `freeAt`: when the next replacement is allowed, milliseconds since 1970. */
type ReplacedTooOften = { readonly kind: 'replaced_too_often'; readonly open: Approval; readonly freeAt: number };

/** The result of asking a question with a topic. */
export type Asking =
  | Entered
  | ReplacedTooOften
  /** A question with the same arguments and terms is open already. Nothing was entered. */
  | { readonly kind: 'found'; readonly open: Approval }
  | { readonly kind: 'too_many_open' };

/** The result of asking a plan's question. `meanwhile`: another question or answer of the plan came in between. */
export type AskingPlan = Entered | ReplacedTooOften | { readonly kind: 'meanwhile' };

export interface AskingLimits {
  /** How many open questions one person may have, from all applications. */
  readonly open: number;
  /** How many questions of one caller and topic may have been replaced since `since`. */
  readonly replaced: number;
  /** Milliseconds since 1970. */
  readonly since: number;
  /**
   * Tools whose open questions about the same booking replace one another: those of the acts that decide a booking. A
   * plan is replaced whole if one of its steps does so. Absent: only questions of the same tool.
   */
  readonly deciding?: readonly string[];
}

export interface ApprovalStore {
  put(approval: Approval): Promise<void>;
  /**
   * Enters a pending question with a topic. An open question of the same caller, topic and tool is found if it asks the
   * same, else replaced, together with those that `limits.deciding` names. This is one transaction: if two calls ask at once, the second finds or replaces the question
   * of the first.
   */
  ask(question: Approval, limits: AskingLimits): Promise<Asking>;
  /** Finds approvals of all callers. Compare the caller, and treat another caller's approval as unknown. */
  get(handleHash: string): Promise<Approval | undefined>;
  /** Finds an approval by its operation, by which the page, the terminal and lists name it. */
  byOperation(operationId: string): Promise<Approval | undefined>;
  /** Compare-and-set from `pending`, before `expiresAt`. */
  decide(
    handleHash: string,
    decision: 'granted' | 'declined',
    assurance: Assurance,
    now: number,
    approver?: string,
  ): Promise<boolean>;
  /** Changes the channel of a pending question. Without `times` no dialog may answer any more. */
  changeChannel(handleHash: string, by: AskedBy, times?: Pick<Approval, 'askedAt' | 'shownAt'>): Promise<boolean>;
  markStale(handleHash: string, lines: readonly string[]): Promise<void>;
  /** Stores the outcome's facts, until names are blanked. */
  keepFacts(approval: Approval, after: OutcomeFacts): Promise<void>;
  /** Spends a yes that could not be carried out, and erases what it carried. */
  revoke(handleHash: string): Promise<void>;
  /** Notes that the caller knows the outcome, and erases what was carried. False: the caller knew it before. */
  markTold(handleHash: string, now: number): Promise<boolean>;
  /** Erases what the approval carried. */
  erase(handleHash: string): Promise<void>;
  /** Spends the yes to a step of a plan that will not be carried out, and stores why. */
  skip(handleHash: string, why: string): Promise<void>;
  /** How many questions of this person, from all applications, wait for an answer. */
  openOf(caller: Caller, now: number): Promise<number>;
  /** The caller's open questions about any of these bookings, oldest first. @param tools only about these acts */
  openAbout(
    caller: Caller,
    locators: readonly string[],
    now: number,
    tools?: readonly string[],
  ): Promise<readonly OpenQuestion[]>;
  /** Questions that are pending and not expired, oldest first. */
  waiting(now: number): Promise<readonly Approval[]>;
}

export interface Unseen {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** How soon the dialog was answered, milliseconds. Absent: not at all. */
  readonly tookMs?: number;
}

export interface UnseenDialogs {
  /** Counts one more unseen dialog in a row. Forgets those before `since`. */
  add(caller: Caller, client: Client, unseen: Unseen, since: number): Promise<void>;
  clear(caller: Caller, client: Client): Promise<void>;
  /** The last unseen dialog, if `times` in a row were not seen and it was not before `since`. */
  last(caller: Caller, client: Client, since: number, times: number): Promise<Unseen | undefined>;
  /** The last unseen dialog of each client that had at least two in a row. */
  list(since: number): Promise<readonly (Client & Unseen)[]>;
}

export interface GivenAnswer {
  readonly yes: boolean;
  readonly assurance: Assurance;
  /** The signed-in approver, by caller id. */
  readonly approver?: string | undefined;
}

/** How long a question waits for its answer, milliseconds. */
export const APPROVAL_MS = 10 * 60_000;
/** If an approval expires later than this from now, the clock was set back after it was asked. Milliseconds. */
export const LONGEST_MS = APPROVAL_MS + SET_MS;

/** How long names and documents stay after a question or plan has expired, milliseconds. */
export const KEEP_NAMES_MS = 60 * 60_000;

export function isInTime({ expiresAt }: Pick<Approval, 'expiresAt'>, now: number): boolean {
  return now < expiresAt && expiresAt <= now + LONGEST_MS;
}

/** Throws why this approval can no longer be answered or carried out. */
export function assertAnswerable(approval: Approval, now: number): void {
  if (approval.decision === 'declined') throw approvalDeclined(approval.tool);
  if (approval.staleLines !== undefined) throw approvalStale(approval.tool, approval.staleLines, approval.sections);
  if (approval.decision === 'void') throw approvalSpent(approval.tool);
  if (approval.decision === 'replaced') throw approvalReplaced(approval);
  if (approval.decision === 'withdrawn') throw approvalWithdrawn();
  if (approval.decision === 'overtaken') throw approvalOvertaken(approval);
  if (approval.decision === 'outdated') throw approvalOutdated(approval);
  // A yes that was not carried out in time expires too.
  if (isInTime(approval, now)) return;
  if (now < approval.expiresAt) throw expired(approval.tool, 'The clock was set back after the question was asked.');
  const given = approval.decision === 'granted' ? 'carried out' : 'given';
  throw expired(approval.tool, `The approval was not ${given} within ten minutes.`);
}

/**
 * When the question's dialog was first shown. Its silence is measured from then, because a call that is repeated must
 * not keep the page from opening.
 */
export function firstShown({ shownAt, askedAt }: Approval): number | undefined {
  return shownAt ?? askedAt;
}

export function approvalInvalid(tool: string): ClerkError {
  return new ClerkError(
    'E_APPROVAL_INVALID',
    'This approval_id does not fit this call, or is more than a week old. Nothing was sent now.',
    {
      next: `Call ${tool} without approval_id to ask for a new approval.`,
    },
  );
}

/** The error of a yes that the person withdrew, or that another operation or a limit prevented. */
export function approvalSpent(tool: string): ClerkError {
  return expired(tool, 'The yes could not be carried out, and is spent.');
}

/** @param replacedBy operation id of the question that is asked instead */
function approvalReplaced({ replacedBy = '' }: Approval): ClerkError {
  const what = `A later call asked anew about this booking, and its question (operation ${replacedBy}) replaced this one. Nothing was sent by it, and a yes to it does nothing.`;
  return new ClerkError('E_APPROVAL_EXPIRED', what, {
    next: 'Go on with the approval_id of the later call; its tool with its arguments and without approval_id gives it again.',
  });
}

/** The error of a plan's question that `stop` ended. */
function approvalWithdrawn(): ClerkError {
  const what =
    'The plan was stopped before anybody answered, so its question was withdrawn. Nothing was sent by it, and a yes to it does nothing.';
  return new ClerkError('E_APPROVAL_EXPIRED', what, {
    next: 'If the person still wants it, call run_plan with the plan_id and again: true: it asks anew.',
  });
}

/** Names the operation that ended the question. `replacedBy` is never another caller's. */
function endingOperation({ replacedBy }: Approval): string {
  return replacedBy === undefined ? '' : ` (operation ${replacedBy})`;
}

function approvalOvertaken(approval: Approval): ClerkError {
  const { tool } = approval;
  const what = `The same was done meanwhile under another question${endingOperation(approval)}, so that this one ended. Nothing was sent now.`;
  return new ClerkError('E_ALREADY_DONE', what, {
    next: `Call read_booking to see the booking; then call ${tool} again only if something is still to be done.`,
  });
}

function approvalOutdated(approval: Approval): ClerkError {
  const what = `Another operation${endingOperation(approval)} changed the booking, so these terms no longer hold. What this call asked for was not done; nothing was sent for it.`;
  return new ClerkError('E_APPROVAL_STALE', what, {
    next: `If the person still wants it, call ${approval.tool} again without approval_id: it asks anew.`,
  });
}

function expired(tool: string, what: string): ClerkError {
  return new ClerkError('E_APPROVAL_EXPIRED', `${what} Nothing was sent.`, {
    next: `Call ${tool} again without approval_id to ask anew.`,
  });
}

export function approvalDeclined(tool: string): ClerkError {
  const argument = tool === 'run_plan' ? 'with again: true' : 'without approval_id';
  const howToAskAnew = `Do not ask again unless the person wants it; then call ${tool} ${argument}.`;
  const quote = ' To learn what cancelling would refund, call quote_cancellation: it asks nobody.';
  return new ClerkError('E_APPROVAL_DECLINED', 'The person said no. Nothing was sent. The booking is unchanged.', {
    next: tool.startsWith('cancel_') ? howToAskAnew + quote : howToAskAnew,
  });
}

/** @param replacedBy operation id of the question that is asked instead */
export function earlierDeclined(replacedBy: string): ClerkError {
  const what = `The person said no to this question. A later call had asked anew (operation ${replacedBy}): that question stays as it is. Nothing was sent by this one.`;
  return new ClerkError('E_APPROVAL_DECLINED', what, {
    next: 'Do not go on with the later call unless the person wants it: ask them first.',
  });
}

/** @param lines of the new terms @param asked the sections of the approval */
export function approvalStale(
  tool: string,
  lines: readonly string[],
  asked: readonly TermsSection[] | undefined,
): ClerkError {
  return new ClerkError(
    'E_APPROVAL_STALE',
    'The booking or its terms changed after the question. The old yes does not count; nothing was sent.',
    {
      next: `Tell the person what changed. Only if they still want it, call ${tool} again without approval_id: it asks anew.`,
      terms: lines,
      changed: whatChanged(asked, lines),
    },
  );
}

export interface TicketFact {
  readonly number: string;
  readonly passenger?: string;
  /** One for each train or flight: `HHR101 MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3), coach 3 seat 12A`. */
  readonly rides: readonly string[];
  /** Coupons that have a document, named as in `TicketName`, each with its train or flight. */
  readonly coupons?: readonly { readonly name: string; readonly flight?: string }[];
}

/**
 * Tickets, seats and names of an outcome. The journal has no names, so the approval stores them until it is blanked.
 */
export interface OutcomeFacts {
  readonly tickets: readonly TicketFact[];
  /** New names, seats and trains, one line each. */
  readonly changes: readonly string[];
}
