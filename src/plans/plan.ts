/** A plan: several acts at the airline that one person approves with one yes, line by line. */

import type { ChargedAccount } from '../approvals/account-lines.ts';
import type { AskedAct, Nature } from '../approvals/asked-act.ts';
import type { BookingGist } from '../approvals/booking-gist.ts';
import type { MoneyAtStake, TermsSection } from '../approvals/terms.ts';
import type { Money } from '../core/money.ts';
import type { Pointed } from '../domain/facts/bound.ts';
import type { StatedCondition } from '../domain/refund/describe-refund.ts';
import type { RefundAmount } from '../domain/refund/refund-amount.ts';
import type { MovedMoney } from '../journal/outcome.ts';

/** How long one yes is good for the lines that were not begun yet, milliseconds. */
export const PLAN_YES_MS = 30 * 60_000;
/** How many lines a plan may have. */
export const MOST_LINES = 50;
/** A longer plan is asked on the page only, where each line has its own tick. */
export const MOST_LINES_IN_DIALOG = 5;

/** One operation of a line. */
export interface PlanStep {
  /** A tool whose effect is `commit`, or `create_booking` in a recipe. */
  readonly tool: string;
  /** Without `approval_id`, and without a locator that `locatorOf` gives. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The reading from which its pointers were taken. Absent if it has none. */
  readonly pointed?: Pointed | undefined;
  /** Takes its locator from the booking that this step of the line makes, from 0. */
  readonly locatorOf?: number;
  /** Steps of the line that must be done before this one is sent, from 0. */
  readonly after?: readonly number[];
  /** The steps before it change its booking: its terms are compared by what a yes to it binds (`Terms.binds`). */
  readonly changedBefore?: true;
  /** What the person approves of a step whose booking does not exist yet. */
  readonly bound?: BoundTerms;
}

/** Terms that are compared with those read once the booking exists. If they differ, nothing is sent. */
export interface BoundTerms {
  readonly act: AskedAct;
  readonly nature: Nature;
  readonly sections: readonly TermsSection[];
  readonly money?: MoneyAtStake;
  readonly account?: ChargedAccount | undefined;
}

/** What a person ticks. A tool call is a line of one step; a recipe is a line of several. */
export interface PlanLine {
  /** `Cancel booking ABC123`. */
  readonly title: string;
  /** The booking that the line is about. */
  readonly locator?: string;
  /** Default: what its first step is about. */
  readonly about?: BookingGist;
  /** Why the line is proposed: what the airline changed on the booking. */
  readonly reason?: string;
  readonly steps: readonly PlanStep[];
}

/** The state of a line, and of a step. A step is never `partly_done`. */
export type LineState =
  /** Nobody was asked yet. */
  | 'proposed'
  /** The question is open. */
  | 'asked'
  /** The person left it out. */
  | 'not_ticked'
  /** The person ticked it, and it is not begun. */
  | 'waiting'
  /** It is being carried out. */
  | 'doing'
  | 'done'
  /** It was not done and will not be; `why` says it. */
  | 'skipped'
  /** It was sent, and the outcome is not known yet. */
  | 'in_doubt'
  /** One of its steps was done, and a later one was not. */
  | 'partly_done'
  /** The yes is too old, or the plan was stopped. */
  | 'not_begun'
  /** The booking needs checking with the airline. */
  | 'needs_person';

export interface StepView {
  readonly tool: string;
  /** Names the operation in the journal. Absent before the question. */
  readonly operationId?: string;
  readonly act: AskedAct;
  readonly nature: Nature;
  readonly sections: readonly TermsSection[];
  readonly about?: BookingGist;
  /** First departure of its booking, as sent. */
  readonly departs?: string;
  readonly money?: MoneyAtStake;
  readonly account?: ChargedAccount | undefined;
  readonly estimate?: Omit<RefundAmount, 'overPrice'> & {
    readonly rule?: string;
    readonly conditions?: readonly StatedCondition[];
  };
  /** In what its booking is not as it was offered. */
  readonly differs?: string | undefined;
  readonly state: LineState;
  /** Why it was not done, or the outcome in words. */
  readonly why?: string;
  /** What the step moved, as the journal proves it. Absent until it is done. */
  readonly moved?: MovedMoney;
}

export interface LineView extends Omit<PlanLine, 'steps'> {
  /** From 1. */
  readonly n: number;
  /** Locator of the booking that the line made. */
  readonly newLocator?: string;
  readonly steps: readonly StepView[];
  readonly state: LineState;
  readonly why?: string;
}

/** What the lines would move in one currency. If no amount is known, the only sum is of zeros, in the currency ''. */
export interface PlanSum {
  readonly paid: Money;
  /** Some of the payments are the most that can be paid. */
  readonly paidAtMost?: true;
  /** An unknown amount is paid in addition. */
  readonly paidUnknown?: true;
  /** Estimated; the least where `comesBackAtMost` is given. */
  readonly comesBack: Money;
  readonly comesBackAtMost?: Money;
  /** So much of what comes back at most depends on a condition that the airline states in words. */
  readonly comesBackOnCondition?: Money;
  /** The same of `comesBack`. */
  readonly leastOnCondition?: Money;
  /** An unknown amount comes back in addition. */
  readonly comesBackUnknown?: true;
  /** What is given up. Absent: nothing. */
  readonly givenUp?: Money;
  /** Some of it is the most that can be given up. */
  readonly givenUpAtMost?: true;
}

export type PlanState =
  /** Nobody was asked yet. */
  | 'proposed'
  /** The question is open. */
  | 'asked'
  /** The person said no. */
  | 'declined'
  /** Nobody asked, or nobody answered, in time. */
  | 'lapsed'
  /** A newer question about one of its bookings replaced its question before an answer. */
  | 'replaced'
  /** It was stopped, or the server was upgraded, before an answer. */
  | 'withdrawn'
  /** The ticked lines are being carried out. */
  | 'running'
  /** It was stopped: what was begun is finished, and nothing more begins. */
  | 'stopped'
  /** No line goes on. */
  | 'over';

/** A plan as people and models see it, put together from its approvals and the journal. */
export interface PlanView {
  readonly id: string;
  readonly state: PlanState;
  /** HMAC-SHA256 over arguments and terms of all steps of the last question, base64url; each of its operations holds it. */
  readonly digest?: string;
  readonly lines: readonly LineView[];
  /** What is not in the plan, and why. */
  readonly leftOut: readonly { readonly title: string; readonly why: string }[];
  readonly sums: readonly PlanSum[];
  readonly decidedAt?: number;
  readonly expiresAt: number;
  /** An upgrade of the server withdrew its question, and erased its terms. */
  readonly isUpgraded?: true | undefined;
}

/** What the airline changed on these bookings, by locator. */
export type ReasonsOf = (locators: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** What propose_plan uses; the server gives it. */
export interface Plans {
  /** Previews each step as if it were alone, then asks for the reasons, and keeps the plan. Sends nothing. */
  propose(lines: readonly PlanLine[], leftOut: PlanView['leftOut'], reasonsOf: ReasonsOf): Promise<PlanView>;
}

/** The terms of a step, as read when it was proposed or last asked about. */
export type StepTerms = Omit<StepView, 'state' | 'why' | 'operationId' | 'moved'>;

/** The content of a plan: what it does, and what it leaves out. */
export interface PlanBody {
  readonly lines: readonly PlanLine[];
  /** By line and step. */
  readonly terms: readonly (readonly StepTerms[])[];
  readonly leftOut: PlanView['leftOut'];
  /** Lines, from 1, that the last question left out, and why. */
  readonly notAsked: Readonly<Record<number, string>>;
}

/** A plan as it is stored. The outcome of its steps is in their approvals and in the journal. */
export interface StoredPlan {
  readonly id: string;
  readonly tenant: string;
  readonly caller: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly stoppedAt?: number;
  /** Operation id of the latest question. */
  readonly question?: string;
  /** Arguments and terms, with names. Blanked an hour after the plan expired. */
  readonly body?: PlanBody;
}
