/** The page of a question that was answered, or expired: it says in words how the question ended. */

import type { Approval, TicketFact } from '../../approvals/approval.ts';
import { actAndBooking } from '../../approvals/asked-act.ts';
import type { DecisionOutcome } from '../../approvals/outcome-words.ts';
import { framed, type Html, html, icon, listSection, withArrows } from '../browser/html.ts';
import type { Viewer } from './page-access.ts';
import { decidedLink, footer, type QuestionPage, tripAndPeople } from './question-view.ts';

const ASK_ANEW = html`<p>The earlier terms were approved, so we didn't go ahead. If it is wanted as it is now, the assistant can ask again.</p>
`;

/** Where a person goes from an answered question: back to their own assistant, or with the questions of others to the next one. */
export function whereNext(viewer: Viewer | undefined, inbox: string | undefined): Html {
  const isOwn = viewer === undefined || viewer.role === 'asker' || viewer.role === 'asker_alone';
  if (isOwn || inbox === undefined)
    return html`<p class="close">You can close this page and go back to the assistant.</p>`;
  return html`<p class="close"><a class="again" href="${inbox}">Next question</a></p>`;
}

interface OutcomePage extends Omit<QuestionPage, 'token' | 'now'> {
  readonly outcome: DecisionOutcome;
  /** Address of the newer question that replaced this one. */
  readonly newer?: string | undefined;
}

const TONE = {
  done: 'good',
  declined: 'no',
  pending: 'wait',
  stale: 'bad',
  failed: 'bad',
  unknown: 'no',
} as const satisfies Record<DecisionOutcome['kind'], string>;

export function outcomePage(page: OutcomePage): string {
  const { outcome, environment, path, approval, viewer, inbox, newer } = page;
  const { kind, title, lines } = outcome;
  const newerLink = html`<a class="again" href="${newer}">Open the newer question</a>
`;
  const main = html`<h1 class="${TONE[kind]}">${icon(TONE[kind])}<span>${title}</span></h1>
${kind === 'done' ? undefined : askedAct(approval)}${kind === 'stale' ? changes(lines) : said(lines)}${newer === undefined ? undefined : newerLink}${tickets(outcome.tickets)}${kind === 'done' ? tripWithoutTickets(page) : undefined}${kind === 'stale' ? ASK_ANEW : undefined}${kind === 'pending' ? lookAgain(path) : whereNext(viewer, inbox)}`;
  return framed({ title, environment, main, foot: outcomeFooter(approval, viewer, inbox), look: `outcome ${kind}` });
}

/** The foot of a page after the answer. */
export function outcomeFooter(approval: Approval, viewer: Viewer | undefined, inbox: string | undefined): Html {
  return html`${inbox === undefined ? undefined : decidedLink(inbox)}${footer(approval, viewer, inbox)}`;
}

function said(lines: readonly string[]): Html {
  return html`<div class="said">
${lines.map((line) => html`<p>${withArrows(line)}</p>\n`)}</div>
`;
}

function changes(lines: readonly string[]): Html {
  return html`<ul class="changes" role="list" aria-label="What changed">
${lines.map((line) => html`<li>${withArrows(line)}</li>\n`)}</ul>
`;
}

/** Says what the question was about. The state blanks the act an hour after the question expired. */
function askedAct(approval: Approval): Html | undefined {
  if (approval.act.verb === '') return undefined;
  return html`<p class="about">You were asked: ${actAndBooking(approval)}</p>
`;
}

function tickets(issued: readonly TicketFact[] = []): Html | undefined {
  return listSection('tickets', issued.length === 1 ? 'Ticket' : `${issued.length} tickets`, issued.map(ticketItem));
}

function ticketItem({ number, passenger, rides }: TicketFact): Html {
  const name = passenger ?? `Ticket ${number}`;
  const numberBelow = passenger === undefined ? undefined : html`<span class="soft">Ticket ${number}</span>`;
  return html`<li><strong>${name}</strong>${numberBelow}${rides.map((ride) => html`<span>${withArrows(ride)}</span>`)}</li>
`;
}

/** The trip and the people that the question was about, unless the tickets or the changes show them. */
function tripWithoutTickets({ approval, outcome }: OutcomePage): readonly Html[] | undefined {
  if (outcome.tickets?.some(({ rides }) => rides.length > 0)) return undefined;
  const { nature, after } = approval;
  const showsChanges = after !== undefined && after.changes.length > 0;
  const sections = showsChanges ? approval.sections.filter(({ kind }) => kind !== 'people') : approval.sections;
  return tripAndPeople(sections, nature === 'cancellation' ? 'Cancelled' : 'Trip');
}

function lookAgain(path: string): Html {
  return html`<a class="again" href="${path}">Look again</a>`;
}
