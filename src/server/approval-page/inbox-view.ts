/** The list of one person's open questions. It decides nothing: each question has its own page and sign-in. */

import { whereText, whoText } from '../../approvals/about.ts';
import type { Environment } from '../../approvals/answer.ts';
import type { Approval } from '../../approvals/ports.ts';
import { personOf, programOf } from '../../approvals/who-asks.ts';
import { framed } from './frame.ts';
import { type Html, html } from './html.ts';
import { iconOf, withArrows } from './icons.ts';
import type { Viewer } from './page-access.ts';
import { deadline, lookOf, NATURES } from './question-view.ts';

export interface WaitingApproval {
  readonly approval: Approval;
  readonly role: Viewer['role'];
}

interface Inbox {
  readonly environment: Environment;
  readonly waiting: readonly WaitingApproval[];
  /** Questions that others must answer; for supervisors. */
  readonly others?: readonly Approval[];
  readonly name: string;
  readonly now: number;
  /** Path of the list. */
  readonly path: string;
  /** False if the person stopped it (WCAG 2.2, 2.2.1 Timing Adjustable). */
  readonly refreshes: boolean;
  pathOf(approval: Approval): string;
}

const REFRESH_SECONDS = 15;

export function inboxPage(inbox: Inbox): string {
  const { environment, waiting, others, name, path, refreshes } = inbox;
  const [refusable, open] = [true, false].map((isAlone) =>
    waiting.filter(({ role }) => (role === 'asker_alone') === isAlone),
  ) as [WaitingApproval[], WaitingApproval[]];
  const title = titleOf(open.length);
  const none = html`<p>New questions appear here by themselves. Each can be answered for ten minutes.</p>`;
  const list = (
    name: string,
    some: readonly WaitingApproval[],
  ) => html`<ul class="inbox" role="list" aria-label="${name}">
${some.map((one) => item(one, inbox))}</ul>`;
  const alone = html`<h2>Another person must say yes, and you can only say no: ${refusable.length}</h2>
${list('Questions that you can only refuse', refusable)}`;
  const main = html`<h1>${title}</h1>
${open.length === 0 ? none : list('Questions', open)}
${refusable.length === 0 ? undefined : alone}
${others === undefined ? undefined : othersPart(others, inbox)}
<p class="soft">${refreshes ? html`This list renews itself every ${REFRESH_SECONDS} seconds. <a href="${path}?refresh=off">Do not renew it</a>` : html`This list does not renew itself. <a href="${path}">Renew it again</a>`}</p>`;
  const foot = html`<p>Signed in as ${name}. This list decides nothing; each question asks who you are.</p>
<p><a href="${path}?as=another">Sign in as somebody else</a></p>`;
  const refresh = refreshes ? { refresh: { seconds: REFRESH_SECONDS, path } } : {};
  return framed({ title, environment, main, foot, look: 'list', ...refresh });
}

function titleOf(count: number): string {
  if (count === 0) return 'No open questions for you';
  return count === 1 ? '1 question waits for you' : `${count} questions wait for you`;
}

/** Without links: looking decides nothing. */
function othersPart(others: readonly Approval[], { now }: Inbox): Html {
  if (others.length === 0) return html`<h2>No question waits for others</h2>`;
  return html`<h2>Waiting for others: ${others.length}</h2>
<ul class="inbox" role="list" aria-label="Questions for others">
${others.map((approval) => otherItem(approval, now))}</ul>`;
}

function otherItem(approval: Approval, now: number): Html {
  return row(approval, html`<span class="about">${aboutOf(approval)}</span>`, personOf(approval), now);
}

function item({ approval, role }: WaitingApproval, { now, pathOf }: Inbox): Html {
  const link = html`<a href="${pathOf(approval)}">${aboutOf(approval)}</a>`;
  return row(approval, link, role === 'approver' ? personOf(approval) : 'you', now);
}

/** Who, where and when, then what: a link says the same as its row. */
function aboutOf({ about, act, locator }: Approval): Html {
  const booking = locator === undefined || act.includes(locator) ? '' : `, booking ${locator}`;
  const what = html`<span class="what">${act}${booking}</span>`;
  if (about === undefined) return what;
  return html`<strong>${whoText(about)}</strong> <span class="where">${withArrows(whereText(about))}</span> ${what}`;
}

function row(approval: Approval, about: Html, whom: string, now: number): Html {
  const look = lookOf(approval);
  return html`<li class="${look}">${about}
<span class="kind">${iconOf(look)}${NATURES[look]}</span>
<span>Asked by ${programOf(approval)} for ${whom}.</span>
<span class="limit">${deadline(approval.expiresAt, now)}</span></li>
`;
}
