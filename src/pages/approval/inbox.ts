/**
 * The inbox of the person who signed in: their own questions and, with a role for it, those that they may decide or
 * see. In order: the request, which questions are visible, the page, the lists of questions.
 */

import type { IncomingMessage } from 'node:http';
import type { Environment } from '../../approvals/answer.ts';
import type { Approval } from '../../approvals/approval.ts';
import { actAndBooking, sumColumn } from '../../approvals/asked-act.ts';
import { programName } from '../../approvals/asker-names.ts';
import { APPROVAL_TIME } from '../../approvals/expiry.ts';
import { NATURES, shownNature } from '../../approvals/question-document.ts';
import { personKey } from '../../approvals/shares-of-one-person.ts';
import { type AnsweringRole, answeringRole } from '../../approvals/who-may-answer.ts';
import type { ShownName } from '../../core/clean-text.ts';
import type { SignedInPerson } from '../../domain/people/caller.ts';
import { callerName } from '../../domain/people/caller-names.ts';
import { framed, type Html, html, icon, NO_REFRESH, refreshNote } from '../browser/html.ts';
import { NO_REFERRER, notice, pageReply, RETRY_SOON } from '../browser/page-reply.ts';
import { hasQuery, INBOX_PLACE, isOurHost } from './page-access.ts';
import { deadline, decidedLink, whoAndWhere } from './question-view.ts';
import { asAnother, findVisit, type SignedInAccessOptions, toSignIn } from './signed-in-access.ts';

/** How often the list renews itself. */
const REFRESH_SECONDS = 15;

/** What the pages have in common that list questions of the person who signed in. */
export interface SignedInListOptions extends SignedInAccessOptions {
  readonly environment: Environment;
  origins(): readonly string[];
  /** Milliseconds since 1970. */
  now(): number;
}

interface InboxOptions extends SignedInListOptions {
  /** The questions of all callers that are not answered and not expired. */
  waiting(): Promise<readonly Approval[]>;
}

export function createInbox(options: InboxOptions): (request: IncomingMessage) => Promise<Response> {
  const { environment, path } = options;
  return serveList(INBOX_PLACE, options, async (person, url) =>
    inboxPage({
      environment,
      ...visibleQuestions(person, await options.waiting(), options),
      refreshes: !hasQuery(url, NO_REFRESH),
      name: person.name,
      now: options.now(),
      path: path(INBOX_PLACE),
    }),
  );
}

/** Serves a list to the person who signed in, and sends anybody else to the provider. */
export function serveList(
  place: string,
  options: SignedInListOptions,
  draw: (person: SignedInPerson, url: string | undefined) => Promise<string>,
): (request: IncomingMessage) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'GET') return pageReply(405, null, { allow: 'GET' });
    if (!isOurHost(request, options.origins())) return notice('wrong_address', options.environment);

    const visit = await findVisit(request, options);
    if (visit !== undefined) return pageReply(200, await draw(visit.person, request.url));

    const access = await toSignIn(request, place, options);
    if (access.kind !== 'redirect') return notice('no_sign_in', options.environment, RETRY_SOON);

    const { location, cookie = '' } = access;
    return pageReply(303, null, { ...NO_REFERRER, 'set-cookie': cookie, location });
  };
}

/** A question as a row of the list. */
interface InboxRow {
  readonly approval: Approval;
  /** The person it is asked for: `you`, or the name of another person. */
  readonly whom: ShownName | 'you';
  /** Path of its page. */
  readonly path: string;
}

/**
 * Sorts the questions by who may answer them: first those of who asks little, so that the many of one person hide nobody's few; of these the
 * soonest to expire. Only a supervisor sees those of others.
 */
function visibleQuestions(person: SignedInPerson, waiting: readonly Approval[], options: InboxOptions) {
  const byPerson = [...Map.groupBy(waiting, personKey).values()].sort((a, b) => a.length - b.length);
  const inOrder = byPerson.flatMap((asked) => asked.toSorted((a, b) => a.expiresAt - b.expiresAt));
  const withRoles = inOrder.map((approval) => ({ approval, role: answeringRole(person, approval, options) }));

  const rowsFor = (...roles: readonly AnsweringRole[]) =>
    withRoles.flatMap(({ approval, role }): InboxRow[] => {
      if (role === undefined || !roles.includes(role)) return [];
      const whom = role === 'approver' || role === 'reader' ? callerName(approval.caller) : 'you';
      return [{ approval, whom, path: options.path(approval.operationId) }];
    });

  return {
    answerable: rowsFor('asker', 'approver'),
    /** Questions that need another person's yes: this person can only say no. */
    refusable: rowsFor('asker_alone'),
    /** Questions that others must answer; for supervisors. */
    others: person.supervisor ? rowsFor('reader') : undefined,
  };
}

interface InboxPageInput extends ReturnType<typeof visibleQuestions> {
  readonly environment: Environment;
  readonly name: string;
  readonly now: number;
  /** Path of the list. */
  readonly path: string;
  /** Whether the list renews itself. */
  readonly refreshes: boolean;
}

function inboxPage(inbox: InboxPageInput): string {
  const { environment, answerable, refusable, others, name, now, path, refreshes } = inbox;
  const title = inboxTitle(answerable.length);
  const refresh = refreshes ? { seconds: REFRESH_SECONDS, path } : undefined;
  const emptyList = html`<p>New questions appear here by themselves. You have ${APPROVAL_TIME} to answer each one.</p>`;
  const refusableSection = html`<h2>Another person must approve these, and you can only decline them: ${refusable.length}</h2>
${questionList(refusable, 'Questions that you can only decline', now)}`;

  const main = html`<h1>${title}</h1>
${answerable.length === 0 ? emptyList : questionList(answerable, 'Questions', now)}
${refusable.length === 0 ? undefined : refusableSection}
${others === undefined ? undefined : othersSection(others, now)}
${decidedLink(path)}
${refreshNote('list', refresh, path)}`;

  const foot = html`<p>Signed in as ${name}. You may have to sign in again to approve.</p>
<p><a href="${asAnother(path)}">Sign in with another account</a></p>`;
  return framed({ title, environment, main, foot, look: 'list', refresh });
}

function inboxTitle(count: number): string {
  if (count === 0) return 'No open questions for you';
  return count === 1 ? '1 open question for you' : `${count} open questions for you`;
}

function questionList(rows: readonly InboxRow[], label: string, now: number): Html {
  return html`<ul class="inbox" role="list" aria-label="${label}">
${rows.map((row) => questionItem(row, now))}</ul>
`;
}

/** Lists the questions of others: a supervisor may read them, and decides none. */
function othersSection(others: readonly InboxRow[], now: number): Html {
  if (others.length === 0) return html`<h2>No open questions for others</h2>`;
  return html`<h2>Waiting for others: ${others.length}</h2>
${questionList(others, 'Questions for others', now)}`;
}

function questionItem({ approval, whom, path }: InboxRow, now: number): Html {
  const nature = shownNature(approval);
  const about = aboutQuestion(approval);
  const sum = sumColumn(approval.act);
  const sumLine = sum === '' ? undefined : html`<strong class="sum">${sum}</strong> `;

  return html`<li class="${nature}"><a href="${path}">${sumLine}${about}</a>
<span class="kind">${icon(nature)}${NATURES[nature]}</span>
<span>Asked by ${programName(approval)} for ${whom}.</span>
<span class="limit">${deadline(approval, now)}</span></li>
`;
}

/** Names the people, the trip and its time, then the act: so the link reads the same as its row. */
function aboutQuestion(approval: Approval): Html {
  const { about } = approval;
  const what = html`<span class="what">${actAndBooking(approval)}</span>`;
  if (about === undefined) return what;
  return html`<strong>${whoAndWhere(about)}</strong> ${what}`;
}
