/**
 * The inbox of the person who signed in: their own questions and, with a role for it, those that they may decide or
 * see. Its sign-in is good for the list alone: a question's page asks again.
 */
import type { IncomingMessage } from 'node:http';
import type { Environment } from '../../approvals/answer.ts';
import type { Approval } from '../../approvals/ports.ts';
import type { SignedInPerson } from '../../domain/people/caller.ts';
import type { PageCookies } from './cookies.ts';
import { isOurHost } from './handler.ts';
import { inboxPage, type WaitingApproval } from './inbox-view.ts';
import { notice, RETRY_SOON } from './notices.ts';
import { INBOX } from './page-access.ts';
import { NO_REFERRER, pageReply } from './page-reply.ts';
import { roleOf, type SignedInAccessOptions, toSignIn, visitOf } from './signed-in-access.ts';

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
    const visit = await visitOf(request, INBOX, options);
    if (visit === undefined) return signIn(request, options);
    const { person } = visit;
    const asks = new URLSearchParams((request.url ?? '').split('?').slice(1).join('?'));
    const page = inboxPage({
      environment,
      ...visibleTo(person, await options.waiting(), options),
      name: person.name,
      now: options.now(),
      path: path(INBOX),
      refreshes: asks.get('refresh') !== 'off',
      of: asks.get('of') ?? undefined,
      page: Math.max(1, Math.trunc(Number(asks.get('page'))) || 1),
      pathOf: ({ operationId }) => path(operationId),
    });
    return pageReply(200, page);
  };
}

async function signIn(request: IncomingMessage, options: InboxOptions): Promise<Response> {
  const access = await toSignIn(request, INBOX, options);
  if (access.kind !== 'redirect') return notice('no_sign_in', options.environment, RETRY_SOON);
  const { location, cookie = '' } = access;
  return pageReply(303, null, { ...NO_REFERRER, 'set-cookie': cookie, location });
}

/** What lapses soonest comes first. A supervisor also sees the questions of others of the tenant, without links to them. */
function visibleTo(person: SignedInPerson, all: readonly Approval[], options: InboxOptions) {
  const soonest = all.toSorted((a, b) => a.expiresAt - b.expiresAt);
  const waiting = soonest.flatMap((approval): WaitingApproval[] => {
    const role = roleOf(person, approval, options);
    return role === undefined ? [] : [{ approval, role }];
  });
  const mine = new Set(waiting.map(({ approval }) => approval));
  const others = soonest.filter((one) => person.supervisor && one.tenant === person.tenant && !mine.has(one));
  return { waiting, ...(person.supervisor && { others }) };
}
