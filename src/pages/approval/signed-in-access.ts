/**
 * Decides access on the public address, for people who signed in with the provider whose tokens callers bring. What they may answer
 * there: approvals/who-may-answer.ts.
 */
import type { IncomingMessage } from 'node:http';
import { type AnsweringRules, answeringRole, maySee } from '../../approvals/who-may-answer.ts';
import type { BrowserLogin, LoginEnd, SignedInPerson } from '../../domain/people/caller.ts';
import { callerName } from '../../domain/people/caller-names.ts';
import { noteCaller } from '../../http/access-line.ts';
import type { PageCookies } from './cookies.ts';
import { type AccessResult, LIST_PLACES, type PageAccess } from './page-access.ts';

export interface SignedInAccessOptions extends AnsweringRules {
  readonly login: BrowserLogin;
  readonly cookies: PageCookies;
  /** Path of an approval's page. */
  path(operationId: string): string;
}

/** In the page's address: the provider must ask for a name again. */
const SIGN_IN_AGAIN = /[?&]as=another(?:&|$)/;

/** In the page's address: how often this sign-in began before. */
const TRIES = /[?&]tries=(\d{1,2})(?:&|$)/;

/** The query of a page at which a sign-in begins again. */
export function againQuery({ prompt, tries }: Extract<LoginEnd, { kind: 'again' }>): string {
  return `?${prompt === 'anew' ? 'as=another&' : ''}tries=${tries}`;
}

export function createSignedInAccess(options: SignedInAccessOptions): PageAccess {
  const { path } = options;
  return {
    async authorize(request, operationId, approval): Promise<AccessResult> {
      const visit = await findVisit(request, operationId, options);
      if (visit === undefined) return toSignIn(request, operationId, options);
      const { person, session } = visit;
      const role = approval && answeringRole(person, approval, options);
      if (role === undefined) {
        const [other, { name }] = [`${path(operationId)}?as=another`, person];
        if (approval !== undefined && maySee(person, { tenant: approval.tenant, id: approval.caller }, options)) {
          return { kind: 'of_another', name, whose: callerName(approval.caller), other };
        }
        return { kind: 'refused', other: { address: other, name } };
      }
      return { kind: 'ok', session, viewer: { name: person.name, id: person.id, role } };
    },
  };
}

/** Finds who signed in for this place. Undefined if they want to sign in as somebody else. */
export async function findVisit(
  request: IncomingMessage,
  place: string,
  { login, cookies }: Pick<SignedInAccessOptions, 'login' | 'cookies'>,
): Promise<{ readonly session: string; readonly person: SignedInPerson } | undefined> {
  if (SIGN_IN_AGAIN.test(request.url ?? '')) return undefined;
  for (const session of cookies.readSessions(request, place)) {
    const person = await login.person(session, place);
    if (person === undefined) continue;
    noteCaller(request, person);
    return { session, person };
  }
  return undefined;
}

/** Finds who signed in for one of the pages that list questions. */
export async function findListVisit(
  request: IncomingMessage,
  options: Pick<SignedInAccessOptions, 'login' | 'cookies'>,
): ReturnType<typeof findVisit> {
  for (const place of LIST_PLACES) {
    const visit = await findVisit(request, place, options);
    if (visit !== undefined) return visit;
  }
  return undefined;
}

/** Whether the person wants to sign in as somebody else. */
export function wantsAnotherSignIn({ url = '' }: IncomingMessage): boolean {
  return SIGN_IN_AGAIN.test(url);
}

/** Sends a browser to the provider, which sends it back to this place. */
export async function toSignIn(
  { method, url = '' }: IncomingMessage,
  place: string,
  { login, cookies }: Pick<SignedInAccessOptions, 'login' | 'cookies'>,
): Promise<Exclude<AccessResult, { kind: 'ok' | 'refused' | 'used' }>> {
  // A redirect after a form must stay on this site (form-action of the content security policy).
  if (method !== 'GET') return { kind: 'signed_out' };
  const tries = Number(TRIES.exec(url)?.[1] ?? 0);
  const start = await login.begin(place, SIGN_IN_AGAIN.test(url) ? 'anew' : 'if_needed', tries);
  if (start === undefined) return { kind: 'unavailable' };
  return { kind: 'redirect', location: start.address, cookie: cookies.setTicket(place, start.ticket) };
}
