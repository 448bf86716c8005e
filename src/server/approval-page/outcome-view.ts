/** The page of a question that was answered, or expired: what became of it, in words. */
import type { Environment } from '../../approvals/answer.ts';
import type { DecisionOutcome } from '../../approvals/approval-status.ts';
import type { Approval, TicketFact } from '../../approvals/ports.ts';
import { framed, type Html, html, icon, withArrows } from './html.ts';
import type { Viewer } from './page-access.ts';
import type { TicketFileLink } from './page-state.ts';
import { footer, tripAndPeople } from './question-view.ts';

interface OutcomePage {
  readonly environment: Environment;
  readonly approval: Approval;
  readonly outcome: DecisionOutcome;
  readonly path: string;
  readonly viewer: Viewer | undefined;
  readonly inbox?: string | undefined;
  /** Downloads; undefined if they cannot be had now. */
  readonly links?: readonly TicketFileLink[] | undefined;
  /** Where a newer question is, which replaced this one. */
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

export function outcomePage(shown: OutcomePage): string {
  const { outcome, environment, path, approval, viewer, inbox, newer } = shown;
  const { kind, title, lines } = outcome;
  const main = html`<h1 class="${TONE[kind]}">${icon(TONE[kind])}<span>${title}</span></h1>
${kind === 'done' ? undefined : about(approval)}<div class="said">
${lines.map((line) => html`<p>${withArrows(line)}</p>\n`)}</div>
${
  newer === undefined
    ? undefined
    : html`<a class="again" href="${newer}">Open the newer question</a>
`
}${tickets(shown)}${kind === 'done' ? trip(shown) : undefined}${kind === 'stale' ? ASK_ANEW : undefined}${kind === 'pending' ? lookAgain(path) : CLOSE}`;
  return framed({ title, environment, main, foot: footer(approval, viewer, inbox), look: `outcome ${kind}` });
}

/** Blanked an hour after the question expired. */
function about({ act, locator }: Approval): Html | undefined {
  if (act === '') return undefined;
  const where = locator === undefined || act.includes(locator) ? '' : `, booking ${locator}`;
  return html`<p class="about">You were asked: ${act}${where}</p>
`;
}

function tickets({ outcome: { tickets: all = [] }, links, path }: OutcomePage): Html | undefined {
  if (all.length === 0) return undefined;
  const files = (links ?? []).map((link, n) => ({ ...link, href: link.href ?? `${path}/tickets/${n + 1}` }));
  const known = new Set(all.map(({ number }) => number));
  const others = files.filter(({ number }) => number === undefined || !known.has(number));
  return html`<section aria-labelledby="tickets"><h2 id="tickets">${all.length === 1 ? 'Ticket' : `${all.length} tickets`}</h2>
<ul class="tickets" role="list" aria-labelledby="tickets">
${all.map((ticket) => ticketItem(ticket, files))}${others.map((link) => html`<li>${download(link)}</li>\n`)}</ul>
${links === undefined ? html`<p>The tickets cannot be downloaded here now. Ask the assistant for them.</p>` : undefined}</section>
`;
}

type File = TicketFileLink & { readonly href: string };

function ticketItem({ number, passenger, rides }: TicketFact, files: readonly File[]): Html {
  const ofTicket = files.filter((file) => file.number === number);
  const name = passenger ?? `Ticket ${number}`;
  const small = passenger === undefined ? undefined : html`<span class="soft">Ticket ${number}</span>`;
  return html`<li><strong>${name}</strong>${small}${rides.map((ride) => html`<span>${withArrows(ride)}</span>`)}${ofTicket.map(download)}</li>
`;
}

function download({ href, label }: File): Html {
  return html`<a class="file" href="${href}">${label}</a>`;
}

/** What it was about, unless the tickets or the changes say it. */
function trip({ approval, outcome: { tickets: all = [] } }: OutcomePage): readonly Html[] | undefined {
  if (all.some(({ rides }) => rides.length > 0)) return undefined;
  const { nature, after } = approval;
  const showsChanges = after !== undefined && after.changes.length > 0;
  const sections = showsChanges ? approval.sections.filter(({ kind }) => kind !== 'people') : approval.sections;
  return tripAndPeople(sections, nature === 'cancellation' ? 'Cancelled' : 'Trip');
}

const ASK_ANEW = html`<p>Your yes was to what was shown before, and does not count for this. If you want it as it is now, tell the assistant to ask you anew.</p>
`;

export const CLOSE = html`<p class="close">You can close this page and go back to the assistant.</p>`;

function lookAgain(path: string): Html {
  return html`<a class="again" href="${path}">Look again</a>`;
}
