/** The page "Decided": a row for each question, with what became of it. Names nobody but those who asked and answered. */
import type { Environment } from '../../approvals/answer.ts';
import { whereText } from '../../approvals/booking-gist.ts';
import { type Money, showMoney } from '../../core/money.ts';
import { own } from '../../core/own.ts';
import { showLocal } from '../../core/times.ts';
import { capitalized } from '../../core/words.ts';
import { callerName } from '../../domain/people/caller-names.ts';
import type { Operation } from '../../journal/operation.ts';
import { movedMoney } from '../../journal/outcome.ts';
import { ASSURANCE_WORDS, questionOutcome } from '../../ledger/history.ts';
import type { DecidedQuestion, DecidedSteps } from '../../ledger/ports.ts';
import { PLAN_YES_MS } from '../../plans/plan.ts';
import { RUN_PLAN } from '../../plans/propose.ts';
import { ACTS } from '../../tools/index.ts';
import { framed, type Html, html, icon, withArrows } from './html.ts';

/** A question as a row of the page. */
export interface DecidedRow {
  readonly question: DecidedQuestion;
  readonly operation: Operation | undefined;
  /** The person who looks asked it, or answered it. */
  readonly isOwn: boolean;
  readonly isOwnAnswer: boolean;
  /** Path of its page, for who may open it. */
  readonly path: string | undefined;
}

interface DecidedPageInput {
  readonly environment: Environment;
  readonly rows: readonly DecidedRow[];
  readonly isNewest: boolean;
  /** Who signed in. */
  readonly name: string;
  readonly now: number;
  readonly path: string;
  /** Path of the inbox. */
  readonly inbox: string;
  /** Address of the next page. */
  readonly earlier: string | undefined;
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

export function decidedPage({ rows, earlier, now, ...page }: DecidedPageInput): string {
  const title = 'Decided in the last 30 days';
  const list = html`<ul class="inbox decided" role="list" aria-label="Decided questions">
${rows.map((row) => decidedItem(row, now))}</ul>`;
  const links = html`${earlier === undefined ? undefined : html`<p><a href="${earlier}">Earlier</a></p>\n`}${page.isNewest ? undefined : html`<p><a href="${page.path}">The newest</a></p>\n`}<p><a href="${page.inbox}">Open questions for you</a></p>`;
  const main = html`<h1>${title}</h1>
${rows.length === 0 ? html`<p>${nothingListed(earlier)}</p>` : list}
${links}`;
  const foot = html`<p>Signed in as ${page.name}. This page only shows; it decides nothing.</p>
<p><a href="${page.inbox}?as=another">Sign in with another account</a></p>`;
  return framed({ title, environment: page.environment, main, foot, look: 'list' });
}

function nothingListed(earlier: string | undefined): string {
  return earlier === undefined
    ? 'Nothing was decided that you may see.'
    : 'You may see none of the newest questions here. Look at earlier ones.';
}

function decidedItem({ question, operation, isOwn, isOwnAnswer, path }: DecidedRow, now: number): Html {
  const { tone, words, at, more } = endingOf(question, operation, now);
  const sum = askedSum(question, operation);
  const what = whatWasAsked(question, operation);
  // The same may be asked twice: each link has a name of its own.
  const reference = html`<span class="hidden">, reference ${question.operationId.slice(0, 8)}</span>`;
  const since = at === undefined ? undefined : html` ${moment(at)}`;
  return html`<li>${sum === '' ? undefined : html`<strong class="sum">${sum}</strong>\n`}${path === undefined ? html`<span class="about">${what}</span>` : html`<a href="${path}">${what}${reference}</a>`}
<span class="kind ${tone}">${icon(tone)}<span>${words}${since}</span></span>
${more === undefined ? undefined : html`<span>${more}</span>\n`}<span>Asked for ${person(question.caller, isOwn, 'you')}, ${moment(question.askedAt)}.${answered(question, isOwnAnswer, now)}</span></li>
`;
}

/** `Payment, booking ABC123`, with the route above it. */
function whatWasAsked({ tool, locator, route, departs }: DecidedQuestion, operation: Operation | undefined): Html {
  const { facts, outcome } = operation ?? {};
  const booking = outcome?.locator ?? locator;
  const word = tool === RUN_PLAN ? 'plan' : (ACTS.named(tool)?.word ?? 'change');
  const where = whereText({
    people: [],
    count: 0,
    route: route ?? facts?.route?.replaceAll('-', ' → '),
    departs: departs ?? facts?.departs,
  } as const);
  const act = `${capitalized(word)}${booking === undefined ? '' : `, booking ${booking}`}`;
  return html`${where === '' ? undefined : html`<strong>${withArrows(where)}</strong> `}<span class="what">${act}</span>`;
}

/** What the yes was asked for: `SAR 172.50`, `at most SAR 40.00`, `SAR 86.25 back`. Empty if no money moves or the sum is not known. */
function askedSum({ tool, amountMinor, currency, direction }: DecidedQuestion, operation?: Operation): string {
  const amount: Money | undefined =
    amountMinor === undefined || currency === undefined ? undefined : { minor: amountMinor, currency };
  if (direction === 'refund') {
    const estimate = operation?.outcome?.estimate?.amount;
    if (estimate !== undefined) return `${showMoney(estimate)} back`;
    return amount === undefined ? '' : `up to ${showMoney(amount)} back`;
  }
  if (amount === undefined || direction === undefined) return '';
  const isBound = tool === RUN_PLAN || ACTS.named(tool)?.countedAs === 'exchange';
  return `${isBound ? 'at most ' : ''}${showMoney(amount)}`;
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
function endingOf(question: DecidedQuestion, operation: Operation | undefined, now: number): WhatBecame {
  if (operation !== undefined) return operationEnding(operation);
  const { decision, expiresAt, isStale, tool } = question;
  const outcome = questionOutcome(question, now);
  if (outcome === 'no') return { tone: 'no', words: 'Declined: nothing was sent' };
  if (outcome === 'withdrawn') return { tone: 'no', words: own(WITHDRAWN, decision) ?? 'Withdrawn before an answer' };
  if (outcome !== 'yes') return { tone: 'no', words: 'Expired without an answer', at: expiresAt };
  if (tool === RUN_PLAN && decision === 'granted') return planEnding(question, now);
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
      return { tone: 'good', words: 'Done', more: movedText(operation) };
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

/** `SAR 172.50 paid`, `SAR 86.25 comes back`. Undefined if no money moved. */
function movedText(operation: Operation): string | undefined {
  const { paid, refunded, unstated } = movedMoney(operation);
  const texts = [
    paid && `${showMoney(paid)} paid`,
    refunded && `${showMoney(refunded)} comes back`,
    unstated && `the airline has not stated the ${unstated}`,
  ].filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : capitalized(texts.join(', '));
}

/** The states of a plan's acts, those that need a person first. */
const STEP_WORDS = {
  needs_person: ['bad', 'a person must check'],
  in_doubt: ['bad', 'not known yet'],
  refused: ['bad', 'refused by the airline'],
  not_done: ['bad', 'not done'],
  running: ['wait', 'being sent'],
  waiting: ['wait', 'not done yet'],
  succeeded: ['good', 'done'],
  resolved: ['no', 'checked by a person and closed'],
  declined: ['no', 'left out by the person'],
} as const;

type StepState = keyof typeof STEP_WORDS;

const STEP_STATES = Object.keys(STEP_WORDS) as readonly StepState[];

function planEnding({ steps, decidedAt = 0 }: DecidedQuestion, now: number): WhatBecame {
  // A plan's acts are kept as long as its questions; their operations stay in the journal.
  if (steps === undefined) return { tone: 'no', words: 'Carried out: see each booking' };
  const isOver = now >= decidedAt + PLAN_YES_MS;
  const states = STEP_STATES.flatMap((state) => {
    const ofState = steps.filter((step) => stepState(step, isOver) === state);
    return ofState.length === 0 ? [] : [{ state, count: ofState.reduce((sum, { count }) => sum + count, 0) }];
  });
  const tones = new Set<WhatBecame['tone']>(states.map(({ state }) => STEP_WORDS[state][0]));
  const tone = (['wait', 'bad', 'good'] as const).find((each) => tones.has(each)) ?? 'no';
  const more = capitalized(states.map(({ state, count }) => `${count} ${STEP_WORDS[state][1]}`).join(', '));
  return { tone, words: tone === 'wait' ? 'Being carried out' : 'Carried out', more };
}

/** @param isOver whether nothing more of the plan begins */
function stepState({ decision, state }: DecidedSteps, isOver: boolean): StepState {
  if (state === 'not_executed') return 'not_done';
  if (state === 'intent' || state === 'dispatched') return 'running';
  if (state !== undefined) return state;
  if (decision === 'declined') return 'declined';
  return decision === 'granted' && !isOver ? 'waiting' : 'not_done';
}
