/** An approval: a question to a person and its answer, as stored, and what it is about. */

import type { PartsLeftOut } from '../domain/facts/left-out.ts';
import type { Assurance } from '../journal/operation.ts';
import type { AskedAct, Nature } from './asked-act.ts';
import type { BookingGist } from './booking-gist.ts';
import type { TermsSection } from './terms.ts';

/**
 * Where a question is asked, which stays as it is. `elicit`: in the host's dialog; the page and the terminal take an
 * answer too, and the first one counts. `page`: there, and in the dialog of a client that has one, where the settings allow
 * it. `echo`: of no person; the model's word is enough.
 */
export type AskedBy = 'elicit' | 'page' | 'echo';

/**
 * `replaced`: the same caller asked anew about the same booking or plan. `void`: see {@link VoidWhy}. A yes that is carried
 * out, or whose ten minutes are over, stays `granted`; a no before the send makes it `declined`.
 */
type Decision = 'pending' | 'granted' | 'declined' | 'void' | 'replaced';

/**
 * Why nothing can come of a question or a yes any more. Of a yes, which is spent: `terms_changed`, or `not_done`, because
 * something else prevented it. Of a question without an answer: `stopped`, with its plan; `done_elsewhere`, the same was
 * done under another question; `booking_changed`, by another act of the same kind. Of both: `upgraded`, an upgrade of the
 * server ended it.
 */
type VoidWhy = 'terms_changed' | 'not_done' | 'stopped' | 'done_elsewhere' | 'booking_changed' | 'upgraded';

/** Which part of a plan an approval is about (plans/). */
export interface PlanPart {
  readonly plan: string;
  /** Operation id of the question that asks for it: a plan may be asked again for what was not begun. */
  readonly question: string;
  /** From 1; 0: the question itself. */
  readonly line: number;
  /** From 0. */
  readonly step: number;
  /** It is the question, which people are shown and which decides the steps. */
  readonly alone?: true;
}

/** A program that calls, in its own words: data, cleaned and cut. */
export interface Client {
  readonly name: string;
  readonly version: string;
}

/** What a question says of another one, a sentence around its id: `Also open: Change seats`, `booking ABC123`, `. It stays …` */
export interface OtherQuestion {
  readonly before: string;
  readonly about: string;
  readonly operationId: string;
  readonly after: string;
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
  /** It may do again what was done here: no dialog asks it, and no model's word counts. */
  readonly pageOnly?: true | undefined;
  /** The terms as shown, and what the yes is to. Blanked an hour after it expired: they contain names. */
  readonly sections: readonly TermsSection[];
  readonly act: AskedAct;
  readonly nature: Nature;
  /** Who travels, where and when. Blanked too. */
  readonly about?: BookingGist;
  /** A departure of the trip, whose offset gives local times. Blanked too. */
  readonly near?: string;
  /** The `traceparent` of the call that asked. */
  readonly trace?: string;
  /** Those that it replaced, and those that were open beside it. Blanked too. */
  readonly others?: readonly OtherQuestion[];
  /** What became of it, with names. Blanked too. */
  readonly after?: OutcomeFacts;
  /** Of one whose terms changed: what it said and the airline's reading before the send left out. Blanked too. */
  readonly leftOut?: PartsLeftOut;
  /** `Carried` of request.ts as JSON, so that any process can carry it out. Absent once spent. */
  readonly carried?: unknown;
  readonly askedBy: AskedBy;
  /** The program that asks, in its own words. */
  readonly client?: Client;
  readonly decision: Decision;
  readonly voidWhy?: VoidWhy;
  /** What differed from the question, or why a plan's step was not carried out, a sentence each. Blanked too. */
  readonly voidLines?: readonly string[];
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
  readonly part?: PlanPart;
}

/** The tool that asks about a plan and carries it out. */
export const RUN_PLAN = 'run_plan';

/** The approval of a step of a plan, or of its question. */
export type PlanApproval = Approval & { readonly part: PlanPart };

/** Whether the approval is the one question about a whole plan. */
export function isPlanQuestion(approval: Approval): approval is PlanApproval {
  return approval.part?.line === 0;
}

/** Whether people see and decide this question by itself. The question of a plan decides its steps. */
export function isQuestion({ part }: Pick<Approval, 'part'>): boolean {
  return part === undefined || part.alone === true;
}

export interface GivenAnswer {
  readonly yes: boolean;
  readonly assurance: Assurance;
  /** The signed-in approver, by caller id. */
  readonly approver?: string | undefined;
}

export interface TicketFact {
  readonly number: string;
  readonly passenger?: string;
  /** One for each train or flight: `HHR101 MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3), coach 3 seat 12A`. */
  readonly rides: readonly string[];
}

/**
 * Tickets, seats and names of an outcome. The journal has no names, so the approval stores them until it is blanked.
 */
export interface OutcomeFacts {
  readonly tickets: readonly TicketFact[];
  /** New names, seats and trains, one line each. */
  readonly changes: readonly string[];
}
