/**
 * The page that asks one question. A person must understand it in ten seconds: what happens, how much it costs, who travels when,
 * and what comes back. Who travels, who asks and the time left stand right below the act, so that nobody can say yes without having
 * them in sight. Nothing has the focus, and "no" comes before "yes", so that no key says yes by accident.
 */

import type { Environment } from '../../approvals/answer.ts';
import type { Approval } from '../../approvals/approval.ts';
import { type Nature, yesWords } from '../../approvals/asked-act.ts';
import { programName } from '../../approvals/asker-names.ts';
import { type BookingGist, whereText, whoText } from '../../approvals/booking-gist.ts';
import { timeLeft } from '../../approvals/expiry.ts';
import {
  AFTER_YES,
  anotherMustApprove,
  otherWords,
  questionDocument,
  SILENCE,
  sellers,
  shownNature,
} from '../../approvals/question-document.ts';
import { linesIn, type Ride, type SectionKind, type TermsSection } from '../../approvals/terms.ts';
import { tripTimes } from '../../core/times.ts';
import { showClock } from '../../domain/booking/deadlines.ts';
import { callerName } from '../../domain/people/caller-names.ts';
import { framed, type Html, html, icon, listSection, withArrows } from '../browser/html.ts';
import { DECIDED_PLACE, type Viewer } from './page-access.ts';

const READ_FIRST = html` aria-label="Read this first"`;

export interface QuestionPage {
  readonly environment: Environment;
  readonly approval: Approval;
  /** Path of the page. */
  readonly path: string;
  readonly viewer: Viewer | undefined;
  /** Binds the form to this question and this visit. */
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Path of the list of all that waits for this person. */
  readonly inbox?: string | undefined;
}

const NO_WORDS: Readonly<Record<Nature, string>> = {
  payment: 'No, do not pay',
  cancellation: 'No, keep it as it is',
  change: 'No, change nothing',
};

export function questionPage({ approval, environment, path, token, now, viewer, inbox }: QuestionPage): string {
  const { nature, sections } = approval;
  const { kind, act, more } = questionDocument(approval, {});
  const look = shownNature(approval);
  const buttons = answerButtons(
    viewer,
    html`<button type="submit" name="decision" value="no">${NO_WORDS[nature]}</button>`,
    html`<button type="submit" name="decision" value="yes" class="yes">${yesWords(approval.act, nature)}</button>`,
  );

  const main = html`<p class="kind">${icon(look)}${kind}</p>
<h1>${act}</h1> ${more.map((line) => html`<p class="lead">${line}</p>\n`)}${gist(approval.about)}${asks({ approval, viewer, now })}
${caution(linesIn(sections, 'caution'), READ_FIRST)}${refund(approval)}
${tripAndPeople(sections)}${section(sections, 'note', 'Also')}${computed(sections)}
${answerForm(path, token, buttons)}`;

  const foot = html`<p>${AFTER_YES} This can take half a minute.</p>
${footer(approval, viewer, inbox)}`;
  return framed({ title: act, environment, main, foot, look });
}

function answerForm(path: string, token: string, buttons: Html | undefined): Html | undefined {
  if (buttons === undefined) return undefined;
  return html`<form method="post" action="${path}" autocomplete="off" aria-label="Your answer" class="bar">
<input type="hidden" name="token" value="${token}">
${buttons}
</form>`;
}

/** Whether this person reads the question as a supervisor, and answers it neither here nor elsewhere. */
export function isReader(viewer: Viewer | undefined): boolean {
  return viewer?.role === 'reader';
}

/** Whether this person can only say no, because the amount needs another person's yes. */
export function canOnlyRefuse(viewer: Viewer | undefined): boolean {
  return viewer?.role === 'asker_alone';
}

/** Whether this person can say yes here and now. */
export function canApprove(viewer: Viewer | undefined): boolean {
  return !canOnlyRefuse(viewer) && !isReader(viewer) && viewer?.signIn === undefined;
}

/** The buttons of a question, no first. A reader has none, and who can only decline no yes; or the way to the sign-in that a yes needs. */
export function answerButtons(viewer: Viewer | undefined, no: Html, yes: Html): Html | undefined {
  if (isReader(viewer)) return undefined;
  if (canOnlyRefuse(viewer)) return no;
  const signIn = viewer?.signIn;
  return html`${no}
${signIn === undefined ? yes : html`<a class="again" href="${signIn}">Sign in to approve</a>`}`;
}

/** Who travels, where and when. */
function gist(about: BookingGist | undefined): Html | undefined {
  if (about === undefined) return undefined;
  return html`<p class="gist">${whoAndWhere(about)}</p>
`;
}

/** `Amal Haddad · Madinah → Jeddah, Tue 1 Dec` */
export function whoAndWhere(about: BookingGist): Html {
  const where = whereText(about);
  const place = html` <span class="where"><span class="dot">\u00b7</span> ${withArrows(where)}</span>`;
  return html`<bdi>${whoText(about)}</bdi>${where === '' ? undefined : place}`;
}

/** Says who asks whom, until when, who sells, and which other questions this one replaced or has beside it. */
export function asks({ approval, viewer, now }: Pick<QuestionPage, 'approval' | 'viewer' | 'now'>): Html {
  const whatToDo = whyNotHere(approval, viewer);
  const others = (approval.others ?? []).map(otherWords);
  const lines = whatToDo === undefined ? others : [whatToDo, ...others];
  return html`<div class="asks"><p>${askedBy(approval, viewer)}${seller(approval.about)}</p>
<p class="limit">${limit(approval, now)}</p>${lines.map((line) => html`\n<p>${line}</p>`)}</div>`;
}

/** Why this person cannot approve here, and who can. Undefined for who can. */
function whyNotHere({ caller }: Approval, viewer: Viewer | undefined): string | undefined {
  if (isReader(viewer)) return `You can read this question. ${callerName(caller)} or an approver answers it.`;
  if (viewer?.above === undefined) return undefined;
  return `${anotherMustApprove(viewer.above)} Give them the address of this page, because you can only decline.`;
}

function askedBy(approval: Approval, viewer: Viewer | undefined): Html {
  const role = viewer?.role ?? 'asker';
  const whom = html`<strong>${callerName(approval.caller)}</strong>`;
  const forWhom = role === 'approver' || role === 'reader' ? html`${whom}, another person` : whom;
  return html`Asked by <strong>${programName(approval)}</strong> for ${forWhom}.`;
}

/** Names the airline and the agency: a person who pays must know whom they pay. */
export function seller(about: Partial<BookingGist> | undefined): Html {
  return html`${sellers(about).map(({ label, name }) => html` ${label}: <strong>${name}</strong>.`)}`;
}

/** Says until when the person can answer, and that silence means no. */
function limit({ expiresAt, near }: Approval, now: number): Html {
  return html`${deadline({ expiresAt, near }, now)}. ${SILENCE}`;
}

/**
 * `9 minutes left: answer by 15:42 (UTC+3)`, in the time of the first station, as the terms have it. The script counts the minutes
 * and hides the time.
 */
export function deadline(
  { expiresAt, near }: Pick<Approval, 'expiresAt' | 'near'>,
  now: number,
  what: 'answer' | 'send' = 'answer',
): Html {
  const iso = new Date(expiresAt).toISOString();
  const leftMs = expiresAt - now;
  return html`<strong data-left="${leftMs}">${timeLeft(leftMs)}</strong><span data-clock>: ${what} by <time datetime="${iso}">${showClock(iso, near)}</time></span>`;
}

export function footer({ operationId }: Approval, viewer: Viewer | undefined, inbox: string | undefined): Html {
  const who = viewer && html`<p>Signed in as ${viewer.name}</p>`;
  const inboxLink = inbox === undefined ? undefined : html`<p><a href="${inbox}">All your open questions</a></p>`;
  return html`${inboxLink}${who}<p>Reference <code>${operationId.slice(0, 8)}</code></p>`;
}

/** Leads from the list of questions, or from an answered one, to those that were decided. */
export function decidedLink(inbox: string): Html {
  return html`<p><a href="${inbox}${DECIDED_PLACE}">What was decided in the last 30 days</a></p>`;
}

export function caution(lines: readonly string[], label?: Html): Html | undefined {
  if (lines.length === 0) return undefined;
  return html`<div class="caution" role="note"${label}>${icon('caution')}<div>
${lines.map((line) => html`<p>${line}</p>\n`)}</div></div>
`;
}

/** Says what comes back. It stands right below the act, where the eye looks next. */
function refund({ sections }: Approval): Html | undefined {
  const [first, ...more] = linesIn(sections, 'refund');
  if (first === undefined) return undefined;
  return html`<section class="refund" aria-label="What comes back">
<p><strong>${first}</strong>${more.map((line) => html` ${line}`)}</p></section>
`;
}

/** Shows the trip and the passengers in the order of the terms, which put first what changes. */
export function tripAndPeople(sections: readonly TermsSection[], trip = 'Trip'): readonly Html[] {
  const titles = { trip, people: 'Passengers' } as const;
  const kinds = new Set(sections.flatMap(({ kind }) => (kind === 'trip' || kind === 'people' ? [kind] : [])));
  return [...kinds].flatMap((kind) => section(sections, kind, titles[kind]) ?? []);
}

function section(sections: readonly TermsSection[], kind: SectionKind, title: string): Html | undefined {
  return listSection(kind, title, itemsIn(sections, kind).map(drawnItem));
}

export interface Item {
  readonly line: string;
  /** The facts that the page draws in place of the line, in the same words. Null: the page shows the line as it is. */
  readonly drawn: Ride | null;
}

export function itemsIn(sections: readonly TermsSection[], kind: SectionKind): readonly Item[] {
  return sections
    .filter((section) => section.kind === kind)
    .flatMap(({ lines, drawn = [] }) => lines.map((line, i) => ({ line, drawn: drawn[i] ?? null })));
}

/** Shows a line, as text or drawn. A drawing has the words of its line in the same order, so that both read alike. */
export function drawnItem({ line, drawn }: Item): Html {
  const times = drawn === null ? undefined : tripTimes(drawn.departs, drawn.arrives);
  if (drawn === null || times === undefined) return html`<li>${withArrows(line)}</li>\n`;
  const { before = '', name, from, to, more } = drawn;
  const { day, departure, arrival, zone } = times;
  return html`<li class="ride"><span class="name">${before}${name}</span>${unseen(': ')}<span class="from">${from}</span>${withArrows(' → ')}<span class="to">${to}</span>${unseen(', ')}<span class="day">${day}</span> <strong class="left">${departure}</strong>${unseen('-')}<strong class="there">${arrival}</strong><span class="zone">${zone}</span>${unseen(more.slice(0, 2))}<span class="more">${more.slice(2)}</span></li>
`;
}

/** Words for screen readers and copies, which the eye does not see. */
function unseen(words: string): Html {
  return html`<span class="hidden">${words}</span>`;
}

function computed(sections: readonly TermsSection[]): Html | undefined {
  const lines = linesIn(sections, 'computed');
  if (lines.length === 0) return undefined;
  return html`<details><summary>How this was computed</summary>
${lines.map((line) => html`<p>${line}</p>\n`)}</details>
`;
}
