/**
 * The question, for a person who must decide in ten seconds: what happens and how much, who and when, what comes back. Nothing
 * has the focus; "no" comes first.
 */
import type { Environment } from '../../approvals/answer.ts';
import type { Approval } from '../../approvals/ports.ts';
import type { Nature, SectionKind, TermsSection } from '../../approvals/terms.ts';
import { answerBy, timeLeft } from '../../approvals/time-left.ts';
import { personOf, programOf } from '../../approvals/who-asks.ts';
import { framed } from './frame.ts';
import { type Html, html } from './html.ts';
import { iconOf, withArrows } from './icons.ts';
import type { Viewer } from './page-access.ts';

export interface QuestionPage {
  readonly environment: Environment;
  readonly approval: Approval;
  /** Path of the page. */
  readonly path: string;
  readonly viewer: Viewer | undefined;
  readonly token: string;
  readonly now: number;
  /** Path of the list of all that waits for this person. */
  readonly inbox?: string | undefined;
  /** Of a line of a plan: what was done before this act. */
  readonly before?: readonly string[];
}

/** Giving something up must not look like paying. */
export const NATURES: Readonly<Record<Nature, string>> = {
  payment: 'Payment',
  cancellation: 'Cannot be undone',
  change: 'Change',
};

const NO: Readonly<Record<Nature, string>> = {
  payment: 'No, do not pay',
  cancellation: 'No, keep it as it is',
  change: 'No, change nothing',
};

export function questionPage({
  approval,
  environment,
  path,
  token,
  now,
  viewer,
  inbox,
  before = [],
}: QuestionPage): string {
  const { act, nature, sections } = approval;
  const alone = viewer?.role === 'asker_alone';
  const main = html`<p class="kind">${iconOf(nature)}${NATURES[nature]}</p>
<h1>${act}</h1>
${[...linesIn(sections, 'act'), ...before].map((line) => html`<p class="lead">${line}</p>\n`)}${cautions(sections)}${refund(approval)}
${tripAndPeople(sections)}${listOf(sections, 'note', 'Also')}${computed(sections)}
<p class="asks">${askedBy(approval, viewer)} ${alone ? ALONE : 'Nothing happens unless you say yes.'}</p>
<p class="limit">${limit(approval, now)}</p>
<form method="post" action="${path}" autocomplete="off" aria-label="Your answer">
<input type="hidden" name="token" value="${token}">
<button type="submit" name="decision" value="no">${NO[nature]}</button>
${alone ? undefined : html`<button type="submit" name="decision" value="yes" class="yes">${yesWords(act, nature)}</button>`}
</form>`;
  const foot = html`<p>Before anything is sent, the booking is read again. If anything shown here has changed by then, nothing is sent. This can take half a minute.</p>
${footer(approval, viewer, inbox)}`;
  return framed({ title: act, environment, main, foot, look: nature });
}

export const ALONE =
  'Above this amount another person must say yes. Give them the address of this page; you can only say no.';

/** “Cancel” alone could mean to close the question. */
function yesWords(act: string, nature: Nature): string {
  return nature === 'cancellation' ? `Yes, ${act.charAt(0).toLowerCase()}${act.slice(1)}` : act;
}

export function askedBy(approval: Approval, viewer: Viewer | undefined): Html {
  const role = viewer?.role ?? 'asker';
  const whom = html`<strong>${personOf(approval)}</strong>`;
  const forWhom = role === 'approver' ? html`${whom}, another person` : whom;
  return html`Asked by <strong>${programOf(approval)}</strong> for ${forWhom}.`;
}

export function limit(approval: Approval, now: number): Html {
  const iso = new Date(approval.expiresAt).toISOString();
  return html`<strong>${timeLeft(approval.expiresAt - now)}</strong>: answer by <time datetime="${iso}">${answerBy(approval)}</time>. Without an answer, nothing happens.`;
}

export function footer({ operationId }: Approval, viewer: Viewer | undefined, inbox: string | undefined): Html {
  const who = viewer && html`<p>Signed in as ${viewer.name}</p>`;
  const all = inbox === undefined ? undefined : html`<p><a href="${inbox}">All questions that wait for you</a></p>`;
  return html`${all}${who}<p>Reference <code>${operationId.slice(0, 8)}</code></p>`;
}

export function linesIn(sections: readonly TermsSection[], kind: SectionKind): readonly string[] {
  return sections.filter((section) => section.kind === kind).flatMap(({ lines }) => lines);
}

function cautions(sections: readonly TermsSection[]): Html | undefined {
  const lines = linesIn(sections, 'caution');
  if (lines.length === 0) return undefined;
  return html`<div class="caution" role="note" aria-label="Read this first">${iconOf('caution')}<div>
${lines.map((line) => html`<p>${line}</p>\n`)}</div></div>
`;
}

/** What comes back, where the eye looks next. */
function refund({ sections }: Approval): Html | undefined {
  const [first, ...more] = linesIn(sections, 'refund');
  if (first === undefined) return undefined;
  return html`<section class="refund" aria-label="What comes back">
<p><strong>${first}</strong>${more.map((line) => html` ${line}`)}</p></section>
`;
}

/** What changes comes first, as in the terms. */
export function tripAndPeople(sections: readonly TermsSection[], trip = 'Trip'): readonly Html[] {
  const titles = { trip, people: 'Passengers' } as const;
  const kinds = new Set(sections.flatMap(({ kind }) => (kind === 'trip' || kind === 'people' ? [kind] : [])));
  return [...kinds].flatMap((kind) => listOf(sections, kind, titles[kind]) ?? []);
}

function listOf(sections: readonly TermsSection[], kind: SectionKind, title: string): Html | undefined {
  const lines = linesIn(sections, kind);
  if (lines.length === 0) return undefined;
  return html`<section class="${kind}" aria-labelledby="${kind}"><h2 id="${kind}">${title}</h2>
<ul role="list" aria-labelledby="${kind}">
${lines.map((line) => html`<li>${withArrows(line)}</li>\n`)}</ul></section>
`;
}

function computed(sections: readonly TermsSection[]): Html | undefined {
  const lines = linesIn(sections, 'computed');
  if (lines.length === 0) return undefined;
  return html`<details><summary>How this was computed</summary>
${lines.map((line) => html`<p>${line}</p>\n`)}</details>
`;
}
