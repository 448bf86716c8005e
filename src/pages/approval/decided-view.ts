/** The page "Decided": a row for each question, with what became of it and what moved. */
import type { Environment } from '../../approvals/answer.ts';
import { whereText, whoText } from '../../approvals/booking-gist.ts';
import { showMoney } from '../../core/money.ts';
import { own } from '../../core/own.ts';
import { showLocal } from '../../core/times.ts';
import { capitalized } from '../../core/words.ts';
import { callerName } from '../../domain/people/caller-names.ts';
import type { Operation } from '../../journal/operation.ts';
import { movedMoney } from '../../journal/outcome.ts';
import { ASSURANCE_WORDS, questionOutcome } from '../../ledger/history.ts';
import type { DecidedQuestion } from '../../ledger/ports.ts';
import { PLAN_YES_MS } from '../../plans/plan.ts';
import { sumsMoved } from '../../plans/plan-money.ts';
import { RUN_PLAN } from '../../plans/propose.ts';
import { ACTS } from '../../tools/index.ts';
import { framed, type Html, html, icon, withArrows } from './html.ts';

/** A question as a row of the page. */
export interface DecidedRow {
  readonly question: DecidedQuestion;
  readonly operation: Operation | undefined;
  /** Of a plan, while its acts are kept. */
  readonly acts?: readonly PlanAct[] | undefined;
  /** The person who looks asked it, or answered it. */
  readonly isOwn: boolean;
  readonly isOwnAnswer: boolean;
  /** Path of its page, for who may open it. */
  readonly path: string | undefined;
}

interface PlanAct {
  readonly decision: string;
  readonly operation: Operation | undefined;
}

interface DecidedPageInput {
  readonly environment: Environment;
  readonly rows: readonly DecidedRow[];
  /** Who signed in. */
  readonly name: string;
  readonly now: number;
  /** Path of the inbox. */
  readonly inbox: string;
}

/** What became of a question. */
interface WhatBecame {
  readonly tone: 'good' | 'bad' | 'wait' | 'no';
  readonly words: string;
  /** Since when, or when: the end of the words. */
  readonly at?: number | undefined;
  /** What moved, or how many acts of a plan. */
  readonly more?: string | undefined;
}

export function decidedPage({ rows, now, ...page }: DecidedPageInput): string {
  const title = 'Decided in the last 30 days';
  const list = html`<ul class="inbox decided" role="list" aria-label="Decided questions">
${rows.map((row) => decidedItem(row, now))}</ul>`;
  const main = html`<h1>${title}</h1>
${rows.length === 0 ? html`<p>Nothing was decided that you asked or answered.</p>` : list}
<p><a href="${page.inbox}">Open questions for you</a></p>`;
  const foot = html`<p>Signed in as ${page.name}. Read-only.</p>
<p><a href="${page.inbox}?as=another">Sign in with another account</a></p>`;
  return framed({ title, environment: page.environment, main, foot, look: 'list' });
}

function decidedItem(row: DecidedRow, now: number): Html {
  const { question, operation, isOwn, isOwnAnswer, path } = row;
  const { tone, words, at, more } = endingOf(row, now);
  const what = whatWasAsked(question, operation);
  // The same may be asked twice: each link has a name of its own.
  const reference = html`<span class="hidden">, reference ${question.operationId.slice(0, 8)}</span>`;
  const since = at === undefined ? undefined : html` ${moment(at)}`;
  return html`<li>${path === undefined ? html`<span class="about">${what}</span>` : html`<a href="${path}">${what}${reference}</a>`}
<span class="kind ${tone}">${icon(tone)}<span>${words}${since}</span></span>
${more === undefined ? undefined : html`<span>${more}</span>\n`}<span>Asked for ${person(question.caller, isOwn, 'you')}, ${moment(question.askedAt)}.${answered(question, isOwnAnswer, now)}</span></li>
`;
}

/** `Payment, booking ABC123`, with the route above it. */
function whatWasAsked(
  { tool, locator, route, departs, people }: DecidedQuestion,
  operation: Operation | undefined,
): Html {
  const { facts, outcome } = operation ?? {};
  const booking = outcome?.locator ?? locator;
  const word = tool === RUN_PLAN ? 'plan' : (ACTS.named(tool)?.word ?? 'change');
  const where = whereText({
    people: [],
    count: 0,
    route: route ?? facts?.route?.replaceAll('-', ' → '),
    departs: departs ?? facts?.departs,
  } as const);
  const who = people.length === 0 ? '' : `, ${whoText({ people, count: people.length })}`;
  const act = `${capitalized(word)}${booking === undefined ? '' : `, booking ${booking}`}${who}`;
  return html`${where === '' ? undefined : html`<strong>${withArrows(where)}</strong> `}<span class="what">${act}</span>`;
}

function person(id: string, isViewer: boolean, you: 'you' | 'You'): Html {
  return isViewer ? html`${you}` : html`<bdi>${callerName(id)}</bdi>`;
}

/** Who answered, how and when: the end of a row. */
function answered(question: DecidedQuestion, isOwnAnswer: boolean, now: number): Html | undefined {
  const { caller, approver = caller, assurance = 'none', decidedAt } = question;
  const outcome = questionOutcome(question, now);
  if (outcome !== 'yes' && outcome !== 'no') return undefined;
  const when = decidedAt === undefined ? undefined : html`, ${moment(decidedAt)}`;
  return html` ${person(approver, isOwnAnswer, 'You')} ${outcome === 'yes' ? 'approved' : 'declined'} it${ASSURANCE_WORDS[assurance]}${when}.`;
}

/** `Tue 17 Nov 15:42 (UTC)` */
function moment(ms: number): Html {
  const iso = new Date(ms).toISOString();
  return html`<time datetime="${iso}">${showLocal(iso)}</time>`;
}

/** Why a question was withdrawn. */
const WITHDRAWN: Readonly<Record<string, string>> = {
  replaced: 'Withdrawn: a newer question replaced it',
  overtaken: 'Withdrawn: it was done under another question',
  outdated: 'Withdrawn: the booking was changed meanwhile',
};

/** The journal knows more than the question. */
function endingOf({ question, operation, acts }: DecidedRow, now: number): WhatBecame {
  if (operation !== undefined) return operationEnding(operation);
  const { decision, expiresAt, isStale, tool } = question;
  const outcome = questionOutcome(question, now);
  if (outcome === 'no') return { tone: 'no', words: 'Declined: nothing was sent' };
  if (outcome === 'withdrawn') return { tone: 'no', words: own(WITHDRAWN, decision) ?? 'Withdrawn before an answer' };
  if (outcome !== 'yes') return { tone: 'no', words: 'Expired without an answer', at: expiresAt };
  if (tool === RUN_PLAN && decision === 'granted') return planEnding(question, acts, now);
  if (isStale) return { tone: 'bad', words: 'Not done: the terms had changed' };
  if (decision === 'granted' && expiresAt > now) return { tone: 'wait', words: 'Not done yet' };
  return { tone: 'bad', words: 'Not done, although it was approved' };
}

const REFUSED_UNCHANGED = 'Refused by the airline: its booking shows no change';

function operationEnding(operation: Operation): WhatBecame {
  const { state, outcome, dispatchedAt, updatedAt } = operation;
  switch (state) {
    case 'intent':
      return { tone: 'wait', words: 'Being sent' };
    case 'dispatched':
      return { tone: 'wait', words: 'Sent, not known yet, since', at: dispatchedAt };
    case 'in_doubt':
      return { tone: 'bad', words: 'Not known since', at: dispatchedAt };
    case 'succeeded':
      return { tone: 'good', words: 'Done', more: movedText([operation]) };
    case 'refused':
      return {
        tone: 'bad',
        words: outcome?.basis === 'read' ? REFUSED_UNCHANGED : 'Refused by the airline: nothing was done',
      };
    case 'not_executed':
      return { tone: 'bad', words: 'Not done' };
    case 'needs_person':
      return { tone: 'bad', words: 'A person must check, since', at: updatedAt };
    case 'resolved':
      return { tone: 'no', words: 'Checked by a person and closed', at: outcome?.resolved?.at };
  }
}

/** `SAR 172.50 paid`, `SAR 86.25 came back`. Undefined if no money moved. */
function movedText(operations: readonly Operation[]): string | undefined {
  const moves = operations.map((operation) => ({ moved: movedMoney(operation) }));
  const sums = sumsMoved(moves).flatMap(({ paid, refunded }) => [
    paid && `${showMoney(paid)} paid`,
    refunded && `${showMoney(refunded)} came back`,
  ]);
  const isUnstated = moves.some(({ moved }) => moved.unstated !== undefined);
  const texts = [...sums, isUnstated && 'the airline has not stated every amount'].filter(Boolean);
  return texts.length === 0 ? undefined : capitalized(texts.join(', '));
}

/** The states of a plan's acts, those that need a person first. */
const ACT_WORDS = {
  needs_person: ['bad', 'a person must check'],
  in_doubt: ['bad', 'not known yet'],
  refused: ['bad', 'refused by the airline'],
  not_done: ['bad', 'not done'],
  running: ['wait', 'being sent'],
  waiting: ['wait', 'not done yet'],
  succeeded: ['good', 'done'],
  resolved: ['no', 'checked by a person and closed'],
  declined: ['no', 'not approved'],
} as const;

type ActState = keyof typeof ACT_WORDS;

const ACT_STATES = Object.keys(ACT_WORDS) as readonly ActState[];

function planEnding({ decidedAt = 0 }: DecidedQuestion, acts: DecidedRow['acts'], now: number): WhatBecame {
  // A plan's acts are kept as long as its questions; their operations stay in the journal.
  if (acts === undefined) return { tone: 'no', words: 'Carried out: see each booking' };
  const isOver = now >= decidedAt + PLAN_YES_MS;
  const states = Map.groupBy(acts, (act) => actState(act, isOver));
  const found = ACT_STATES.filter((state) => states.has(state));
  const tones = new Set<WhatBecame['tone']>(found.map((state) => ACT_WORDS[state][0]));
  const tone = (['wait', 'bad', 'good'] as const).find((each) => tones.has(each)) ?? 'no';
  const counts = found.map((state) => `${states.get(state)?.length} ${ACT_WORDS[state][1]}`);
  const moved = movedText(acts.flatMap(({ operation }) => operation ?? []));
  const more = [counts.join(', '), ...(moved === undefined ? [] : [moved])].join('. ');
  return { tone, words: tone === 'wait' ? 'Being carried out' : 'Carried out', more };
}

/** @param isOver whether nothing more of the plan begins */
function actState({ decision, operation }: PlanAct, isOver: boolean): ActState {
  const state = operation?.state;
  if (state === 'not_executed') return 'not_done';
  if (state === 'intent' || state === 'dispatched') return 'running';
  if (state !== undefined) return state;
  if (decision === 'declined') return 'declined';
  return decision === 'granted' && !isOver ? 'waiting' : 'not_done';
}
