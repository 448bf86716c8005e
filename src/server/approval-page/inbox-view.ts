/** The list of one person's open questions. It decides nothing: each question has its own page and sign-in. */
import type { Environment } from '../../approvals/answer.ts';
import type { Approval } from '../../approvals/ports.ts';
import { answerBy, timeLeft } from '../../approvals/time-left.ts';
import { personOf, programOf } from '../../approvals/who-asks.ts';
import { framed } from './frame.ts';
import { type Html, html } from './html.ts';
import { iconOf } from './icons.ts';
import type { Viewer } from './page-access.ts';
import { NATURES } from './question-view.ts';

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
  const title = titleOf(waiting.length);
  const none = html`<p>New questions appear here by themselves. Each can be answered for ten minutes.</p>`;
  const list = html`<ul class="inbox" role="list" aria-label="Questions">
${waiting.map((one) => item(one, inbox))}</ul>`;
  const main = html`<h1>${title}</h1>
${waiting.length === 0 ? none : list}
${others === undefined ? undefined : othersPart(others, inbox)}
<p class="soft">${refreshes ? html`This list renews itself every ${REFRESH_SECONDS} seconds. <a href="${path}?refresh=off">Stop that</a>` : html`This list does not renew itself. <a href="${path}">Renew it, and go on renewing</a>`}</p>`;
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
  const { act, nature, locator, expiresAt } = approval;
  const booking = locator === undefined ? '' : `Booking ${locator}. `;
  return html`<li class="${nature}"><span class="kind">${iconOf(nature)}${NATURES[nature]}</span>
<span>${act}</span>
<span>${booking}Asked by ${programOf(approval)} for ${personOf(approval)}.</span>
<span class="limit"><strong>${timeLeft(expiresAt - now)}</strong></span></li>
`;
}

function item({ approval, role }: WaitingApproval, { now, pathOf }: Inbox): Html {
  const { act, nature, locator, expiresAt } = approval;
  const booking = locator === undefined ? '' : `Booking ${locator}. `;
  const iso = new Date(expiresAt).toISOString();
  const alone =
    role === 'asker_alone' ? html`<span>Another person must say yes; you can only say no.</span>` : undefined;
  return html`<li class="${nature}"><span class="kind">${iconOf(nature)}${NATURES[nature]}</span>
<a href="${pathOf(approval)}">${act}</a>
<span>${booking}Asked by ${programOf(approval)} for ${role === 'approver' ? personOf(approval) : 'you'}.</span>${alone}
<span class="limit"><strong>${timeLeft(expiresAt - now)}</strong>: answer by <time datetime="${iso}">${answerBy(approval)}</time></span></li>
`;
}
