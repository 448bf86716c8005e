/**
 * The inbox of the person who signed in: their own questions and, with a role for it, those that they may decide or
 * see. Its sign-in is good for the list alone: a question's page asks again.
 */

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Environment } from '../../approvals/answer.ts';
import { personName, programName } from '../../approvals/asker-names.ts';
import { whereText, whoText } from '../../approvals/booking-gist.ts';
import { INBOX, personKey, sharedPage } from '../../approvals/limits.ts';
import type { Approval } from '../../approvals/ports.ts';
import { counted } from '../../core/words.ts';
import type { SignedInPerson } from '../../domain/people/caller.ts';
import type { PageCookies } from './cookies.ts';
import { isOurHost } from './handler.ts';
import { framed, type Html, html, icon, withArrows } from './html.ts';
import { INBOX_PLACE, type Viewer } from './page-access.ts';
import { NO_REFERRER, notice, pageReply, RETRY_SOON } from './page-reply.ts';
import { deadline, lookOf, NATURES } from './question-view.ts';
import { findVisit, type SignedInAccessOptions, toSignIn, viewerRole } from './signed-in-access.ts';

interface InboxOptions extends Omit<SignedInAccessOptions, 'cookies'> {
  readonly cookies: PageCookies;
  readonly environment: Environment;
  origins(): readonly string[];
  /** Milliseconds since 1970. */
  now(): number;
  /** Pending and not expired, of all callers. */
  waiting(): Promise<readonly Approval[]>;
}

export function createInbox(options: InboxOptions): (request: IncomingMessage) => Promise<Response> {
  const { environment, path } = options;
  return async (request) => {
    if (request.method !== 'GET') return pageReply(405, null, { allow: 'GET' });
    if (!isOurHost(request, options.origins())) return notice('wrong_address', environment);
    const visit = await findVisit(request, INBOX_PLACE, options);
    if (visit === undefined) return signIn(request, options);
    const { person } = visit;
    const asks = new URLSearchParams((request.url ?? '').split('?').slice(1).join('?'));
    const page = inboxPage({
      environment,
      ...visibleTo(person, await options.waiting(), options),
      name: person.name,
      now: options.now(),
      path: path(INBOX_PLACE),
      refreshes: asks.get('refresh') !== 'off',
      of: asks.get('of') ?? undefined,
      page: Math.max(1, Math.trunc(Number(asks.get('page'))) || 1),
      pathOf: ({ operationId }) => path(operationId),
    });
    return pageReply(200, page);
  };
}

async function signIn(request: IncomingMessage, options: InboxOptions): Promise<Response> {
  const access = await toSignIn(request, INBOX_PLACE, options);
  if (access.kind !== 'redirect') return notice('no_sign_in', options.environment, RETRY_SOON);
  const { location, cookie = '' } = access;
  return pageReply(303, null, { ...NO_REFERRER, 'set-cookie': cookie, location });
}

/** What lapses soonest comes first. A supervisor also sees the questions of others of the tenant, without links to them. */
function visibleTo(person: SignedInPerson, all: readonly Approval[], options: InboxOptions) {
  const soonest = all.toSorted((a, b) => a.expiresAt - b.expiresAt);
  const waiting = soonest.flatMap((approval): WaitingApproval[] => {
    const role = viewerRole(person, approval, options);
    return role === undefined ? [] : [{ approval, role }];
  });
  const mine = new Set(waiting.map(({ approval }) => approval));
  const others = soonest.filter((one) => person.supervisor && one.tenant === person.tenant && !mine.has(one));
  return { waiting, others: person.supervisor ? others : undefined };
}

interface WaitingApproval {
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
  /** Shows one person's questions alone. */
  readonly of: string | undefined;
  /** From 1. */
  readonly page: number;
  pathOf(approval: Approval): string;
}

const REFRESH_SECONDS = 15;

function inboxPage(inbox: Inbox): string {
  const { environment, waiting, others, name, path, refreshes } = inbox;
  const [refusable, open] = [true, false].map((isAlone) =>
    waiting.filter(({ role }) => (role === 'asker_alone') === isAlone),
  ) as [WaitingApproval[], WaitingApproval[]];
  const title = inboxTitle(open.length);
  const none = html`<p>New questions appear here by themselves. Each can be answered for ten minutes.</p>`;
  const list = (label: string, some: readonly WaitingApproval[]) =>
    shared(some, label, inbox, (one) => item(one as WaitingApproval, inbox));
  const alone = html`<h2>Another person must say yes, and you can only say no: ${refusable.length}</h2>
${list('Questions that you can only refuse', refusable)}`;
  const main = html`<h1>${title}</h1>
${open.length === 0 ? none : list('Questions', open)}
${refusable.length === 0 ? undefined : alone}
${others === undefined ? undefined : othersPart(others, inbox)}
<p class="soft">${refreshes ? html`This list renews itself every ${REFRESH_SECONDS} seconds. <a href="${pathWith(inbox, { refresh: 'off' })}">Stop that</a>` : html`This list does not renew itself. <a href="${pathWith(inbox, {})}">Renew it, and go on renewing</a>`}</p>`;
  const foot = html`<p>Signed in as ${name}. This list decides nothing; each question asks who you are.</p>
<p><a href="${path}?as=another">Sign in as somebody else</a></p>`;
  const refresh = refreshes ? { refresh: { seconds: REFRESH_SECONDS, path: pathWith(inbox, {}) } } : {};
  return framed({ title, environment, main, foot, look: 'list', ...refresh });
}

/** The list as it is shown now, or another part of it. */
function pathWith({ path, of, page }: Inbox, more: Readonly<Record<string, string>>): string {
  const now = { ...(of !== undefined && { of }), ...(page > 1 && { page: String(page) }) };
  const query = new URLSearchParams({ ...now, ...more }).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Names a person in an address, where logs may keep it. */
const placeOfPerson = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 16);

/** Some questions of each person who asks, so that nobody's many hide another's few; the rest behind a link. */
function shared(
  some: readonly (WaitingApproval | Approval)[],
  label: string,
  inbox: Inbox,
  row: (one: WaitingApproval | Approval) => Html,
): Html {
  const asked = some.map((one) => ({ one, ...('approval' in one ? one.approval : one) }));
  const mine = inbox.of === undefined ? asked : asked.filter((one) => placeOfPerson(personKey(one)) === inbox.of);
  // One person's questions are cut by rows, those of several by people.
  const isOne = inbox.of !== undefined;
  const start = isOne ? (inbox.page - 1) * INBOX.rows : 0;
  const { people, later } = sharedPage(mine.slice(start), isOne ? 1 : inbox.page);
  const isNamed = isOne || people.length > 1 || inbox.page > 1;
  const parts = people.map(({ key, shown, total }) => {
    const who = shown[0] === undefined ? '' : personName(shown[0]);
    const rest = total - shown.length;
    const next = { of: placeOfPerson(key), page: String(isOne ? inbox.page + 1 : 1) };
    const all = counted(isOne ? mine.length : total, 'question');
    return html`${isNamed ? html`<h3>${who}: ${all}</h3>\n` : undefined}<ul class="inbox" role="list" aria-label="${isNamed ? `${label} of ${who}` : label}">
${shown.map(({ one }) => row(one))}</ul>
${rest > 0 ? html`<p><a href="${pathWith(inbox, next)}">${counted(rest, 'more question')} of ${who}</a></p>` : undefined}`;
  });
  const after = html`<p><a href="${pathWith(inbox, { page: String(inbox.page + 1) })}">Questions of ${later === 1 ? '1 more person' : `${later} more people`}</a></p>`;
  const back =
    inbox.of === undefined && inbox.page === 1 ? undefined : html`<p><a href="${inbox.path}">All questions</a></p>`;
  return html`${parts}${later > 0 ? after : undefined}${back}`;
}

function inboxTitle(count: number): string {
  if (count === 0) return 'No open questions for you';
  return count === 1 ? '1 question waits for you' : `${count} questions wait for you`;
}

/** Without links: looking decides nothing. */
function othersPart(others: readonly Approval[], inbox: Inbox): Html {
  if (others.length === 0) return html`<h2>No question waits for others</h2>`;
  return html`<h2>Waiting for others: ${others.length}</h2>
${shared(others, 'Questions for others', inbox, (one) => otherItem(one as Approval, inbox.now))}`;
}

function otherItem(approval: Approval, now: number): Html {
  return row(approval, html`<span class="about">${aboutQuestion(approval)}</span>`, personName(approval), now);
}

function item({ approval, role }: WaitingApproval, { now, pathOf }: Inbox): Html {
  const link = html`<a href="${pathOf(approval)}">${aboutQuestion(approval)}</a>`;
  return row(approval, link, role === 'approver' ? personName(approval) : 'you', now);
}

/** Who, where and when, then what: a link says the same as its row. */
function aboutQuestion({ about, act, locator }: Approval): Html {
  const booking = locator === undefined || act.includes(locator) ? '' : `, booking ${locator}`;
  const what = html`<span class="what">${act}${booking}</span>`;
  if (about === undefined) return what;
  return html`<strong>${whoText(about)}</strong> <span class="where">${withArrows(whereText(about))}</span> ${what}`;
}

function row(approval: Approval, about: Html, whom: string, now: number): Html {
  const look = lookOf(approval);
  return html`<li class="${look}">${about}
<span class="kind">${icon(look)}${NATURES[look]}</span>
<span>Asked by ${programName(approval)} for ${whom}.</span>
<span class="limit">${deadline(approval.expiresAt, now)}</span></li>
`;
}
