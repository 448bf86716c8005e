/**
 * The inbox of the person who signed in: their own questions and, with a role for it, those that they may decide or
 * see. In order: the request, which questions are visible, the page, the lists of questions.
 */

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Environment } from '../../approvals/answer.ts';
import type { Approval } from '../../approvals/approval.ts';
import { actAndBooking, sumColumn } from '../../approvals/asked-act.ts';
import { programName } from '../../approvals/asker-names.ts';
import { NATURES, shownNature } from '../../approvals/document.ts';
import { APPROVAL_TIME } from '../../approvals/expiry.ts';
import { INBOX, personKey, sharedPage } from '../../approvals/shares-of-one-person.ts';
import { type AnsweringRole, answeringRole, maySee } from '../../approvals/who-may-answer.ts';
import type { ShownName } from '../../core/clean-text.ts';
import { counted } from '../../core/words.ts';
import type { SignedInPerson } from '../../domain/people/caller.ts';
import { callerName } from '../../domain/people/caller-names.ts';
import { framed, type Html, html, icon } from './html.ts';
import { decidedPath, INBOX_PLACE, isOurHost, queryOf } from './page-access.ts';
import { NO_REFERRER, notice, pageReply, RETRY_SOON } from './page-reply.ts';
import { deadline, whoAndWhere } from './question-view.ts';
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
      ...listSelection(url),
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

/** What the query of the address selects from the list. */
interface ListSelection {
  /** False if the person stopped it (WCAG 2.2, 2.2.1 Timing Adjustable). */
  readonly refreshes: boolean;
  /** The only person whose questions are shown, as {@link idOfPerson} names them. Undefined: all persons. */
  readonly personId: string | undefined;
  /** From 1. */
  readonly page: number;
}

function listSelection(url: string | undefined): ListSelection {
  const query = queryOf(url);
  return {
    refreshes: query.get('refresh') !== 'off',
    personId: query.get('of') ?? undefined,
    page: Math.max(1, Math.trunc(Number(query.get('page'))) || 1),
  };
}

interface VisibleQuestions {
  readonly answerable: readonly InboxRow[];
  /** Questions that need another person's yes: this person can only say no. */
  readonly refusable: readonly InboxRow[];
  /** Questions that others must answer; for supervisors. */
  readonly others?: readonly InboxRow[];
}

/** A question as a row of the list. */
interface InboxRow {
  readonly approval: Approval;
  /** The person it is asked for: `you`, or the name of another person. */
  readonly whom: ShownName | 'you';
  /** Path of its page; absent for a person who may only see that it waits. */
  readonly path?: string;
}

/** Sorts the questions by who may answer them, the soonest to expire first. Only a supervisor sees those of others. */
function visibleQuestions(
  person: SignedInPerson,
  waiting: readonly Approval[],
  options: InboxOptions,
): VisibleQuestions {
  const soonestFirst = waiting.toSorted((a, b) => a.expiresAt - b.expiresAt);
  const withRoles = soonestFirst.map((approval) => ({ approval, role: answeringRole(person, approval, options) }));
  const rowsFor = (...roles: readonly AnsweringRole[]) =>
    withRoles.flatMap(({ approval, role }): InboxRow[] => {
      if (role === undefined || !roles.includes(role)) return [];
      const whom = role === 'approver' ? callerName(approval.caller) : 'you';
      return [{ approval, whom, path: options.path(approval.operationId) }];
    });
  const others = withRoles
    .filter(
      ({ approval: { tenant, caller }, role }) => role === undefined && maySee(person, { tenant, id: caller }, options),
    )
    .map(({ approval }): InboxRow => ({ approval, whom: callerName(approval.caller) }));
  return {
    answerable: rowsFor('asker', 'approver'),
    refusable: rowsFor('asker_alone'),
    others: person.supervisor ? others : undefined,
  };
}

interface InboxPageInput extends VisibleQuestions, ListSelection {
  readonly environment: Environment;
  readonly name: string;
  readonly now: number;
  /** Path of the list. */
  readonly path: string;
}

function inboxPage(inbox: InboxPageInput): string {
  const { environment, answerable, refusable, others, name, path, refreshes } = inbox;
  const title = inboxTitle(answerable.length);
  const emptyList = html`<p>New questions appear here by themselves. You have ${APPROVAL_TIME} to answer each one.</p>`;
  const refusableSection = html`<h2>Another person must approve these, and you can only decline them: ${refusable.length}</h2>
${questionList(refusable, 'Questions that you can only decline', inbox)}`;
  const main = html`<h1>${title}</h1>
${answerable.length === 0 ? emptyList : questionList(answerable, 'Questions', inbox)}
${refusable.length === 0 ? undefined : refusableSection}
${others === undefined ? undefined : othersSection(others, inbox)}
<p><a href="${decidedPath(path)}">What was decided in the last 30 days</a></p>
<p class="soft">${refreshNote(inbox)}</p>`;
  const foot = html`<p>Signed in as ${name}. You may have to sign in again to approve.</p>
<p><a href="${asAnother(path)}">Sign in with another account</a></p>`;
  const refresh = refreshes ? { seconds: REFRESH_SECONDS, path: pathWith(inbox, {}) } : undefined;
  return framed({ title, environment, main, foot, look: 'list', refresh });
}

function inboxTitle(count: number): string {
  if (count === 0) return 'No open questions for you';
  return count === 1 ? '1 open question for you' : `${count} open questions for you`;
}

/** Says whether the list renews itself, with a link that changes it. */
function refreshNote(inbox: InboxPageInput): Html {
  if (!inbox.refreshes) {
    return html`This list does not refresh by itself. <a href="${pathWith(inbox, {})}">Refresh automatically</a>`;
  }
  return html`This list refreshes every ${REFRESH_SECONDS} seconds. <a href="${pathWith(inbox, { refresh: 'off' })}">Stop refreshing</a>`;
}

/** Path of the list with the same selection, apart from these changes. */
function pathWith({ path, personId, page }: InboxPageInput, changes: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  if (personId !== undefined) query.set('of', personId);
  if (page > 1) query.set('page', String(page));
  for (const [name, value] of Object.entries(changes)) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Names a person in an address, where logs may keep it. */
function idOfPerson(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 16);
}

/** Lists some questions of each person who asks, so that many of one person do not hide the few of another. */
function questionList(rows: readonly InboxRow[], label: string, inbox: InboxPageInput): Html {
  const { personId, page, path } = inbox;
  const questions = rows.map((row): ListedQuestion => ({ row, ...row.approval }));
  if (personId !== undefined) {
    const questionsOfPerson = questions.filter((question) => idOfPerson(personKey(question)) === personId);
    return html`${listOfOnePerson(questionsOfPerson, label, inbox)}${allQuestionsLink(path)}`;
  }
  const { people, later } = sharedPage(questions, page);
  const isNamed = people.length > 1 || page > 1;
  const lists = people.map(({ key, shown, total }) => {
    const more = { count: total - shown.length, path: pathWith(inbox, { of: idOfPerson(key), page: '1' }) };
    return personList(shown, { label, total, isNamed, more, now: inbox.now });
  });
  const nextPage = html`<p><a href="${pathWith(inbox, { page: String(page + 1) })}">Questions of ${later === 1 ? '1 more person' : `${later} more people`}</a></p>`;
  return html`${lists}${later > 0 ? nextPage : undefined}${page === 1 ? undefined : allQuestionsLink(path)}`;
}

type ListedQuestion = Approval & { readonly row: InboxRow };

/** Lists one page of the questions of the only person who is shown. Undefined if the page has none. */
function listOfOnePerson(questions: readonly ListedQuestion[], label: string, inbox: InboxPageInput): Html | undefined {
  const { page, now } = inbox;
  const end = page * INBOX.rows;
  const shown = questions.slice(end - INBOX.rows, end);
  if (shown.length === 0) return undefined;
  const more = { count: questions.length - end, path: pathWith(inbox, { page: String(page + 1) }) };
  return personList(shown, { label, total: questions.length, isNamed: true, more, now });
}

interface PersonListInput {
  readonly label: string;
  /** How many questions the person has, on all pages. */
  readonly total: number;
  /** Whether the person's name stands above the list. */
  readonly isNamed: boolean;
  /** The questions of the person that are not in this list, and where they are. */
  readonly more: { readonly count: number; readonly path: string };
  readonly now: number;
}

function personList(questions: readonly ListedQuestion[], { label, total, isNamed, more, now }: PersonListInput): Html {
  const asker = questions[0] === undefined ? '' : callerName(questions[0].caller);
  const heading = isNamed ? html`<h3>${asker}: ${counted(total, 'question')}</h3>\n` : undefined;
  const moreLink = html`<p><a href="${more.path}">${counted(more.count, 'more question')} of ${asker}</a></p>`;
  return html`${heading}<ul class="inbox" role="list" aria-label="${isNamed ? `${label} of ${asker}` : label}">
${questions.map(({ row }) => questionItem(row, now))}</ul>
${more.count > 0 ? moreLink : undefined}`;
}

function allQuestionsLink(path: string): Html {
  return html`<p><a href="${path}">All questions</a></p>`;
}

/** Lists the questions of others without links: a supervisor may see them, and decides none of them here. */
function othersSection(others: readonly InboxRow[], inbox: InboxPageInput): Html {
  if (others.length === 0) return html`<h2>No open questions for others</h2>`;
  return html`<h2>Waiting for others: ${others.length}</h2>
${questionList(others, 'Questions for others', inbox)}`;
}

function questionItem({ approval, whom, path }: InboxRow, now: number): Html {
  const nature = shownNature(approval);
  const about = aboutQuestion(approval);
  const sum = sumColumn(approval.act);
  const sumLine = sum === '' ? undefined : html`<strong class="sum">${sum}</strong>\n`;
  return html`<li class="${nature}">${sumLine}${path === undefined ? html`<span class="about">${about}</span>` : html`<a href="${path}">${about}</a>`}
<span class="kind">${icon(nature)}${NATURES[nature]}</span>
<span>Asked by ${programName(approval)} for ${whom}.</span>
<span class="limit">${deadline(approval.expiresAt, now)}</span></li>
`;
}

/** Names the people, the trip and its time, then the act: so the link reads the same as its row. */
function aboutQuestion(approval: Approval): Html {
  const { about } = approval;
  const what = html`<span class="what">${actAndBooking(approval)}</span>`;
  if (about === undefined) return what;
  return html`<strong>${whoAndWhere(about)}</strong> ${what}`;
}
