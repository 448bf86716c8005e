/**
 * Decides access on the public address, for people who signed in with the provider whose tokens callers bring. A sign-in is for looking
 * and for a no, on all pages; a yes needs a sign-in for its question, unless the amount is small. What they may answer there:
 * approvals/who-may-answer.ts.
 */
import type { IncomingMessage } from 'node:http';
import type { Approval } from '../../approvals/approval.ts';
import { isAbove } from '../../approvals/money-limits.ts';
import { moneyAtStake } from '../../approvals/request.ts';
import { type AnsweringRules, answeringRole } from '../../approvals/who-may-answer.ts';
import type { Money } from '../../core/money.ts';
import type { BrowserLogin, LoginSession } from '../../domain/people/caller.ts';
import { noteCaller } from '../../http/access-line.ts';
import type { PageCookies } from './cookies.ts';
import { type AccessResult, hasQuery, type PageAccess } from './page-access.ts';

export interface SignedInAccessOptions extends AnsweringRules {
  readonly login: BrowserLogin;
  readonly cookies: PageCookies;
  /** Up to this amount a yes needs no sign-in of its own. Absent: each yes does. */
  readonly pageAbove?: Money | undefined;
  /** Path of an approval's page. */
  path(operationId: string): string;
}

/** In the page's address: the person wants to sign in as somebody else, or to say yes. */
const ANOTHER = 'as=another';
const TO_APPROVE = 'to=approve';

/** The address at which a person signs in as somebody else. */
export function asAnother(path: string): string {
  return `${path}?${ANOTHER}`;
}

export function createSignedInAccess(options: SignedInAccessOptions): PageAccess {
  return {
    async authorize(request, operationId, approval): Promise<AccessResult> {
      const visit = await findVisit(request, options);
      if (visit === undefined) return toSignIn(request, operationId, options);

      const { id: session, person, places } = visit;
      const path = options.path(operationId);
      const role = approval && answeringRole(person, approval, options);
      if (approval !== undefined && role !== undefined) {
        const isSignedIn = places.includes(operationId) || isSmall(approval, options);
        if (!isSignedIn && hasQuery(request.url, TO_APPROVE)) return toSignIn(request, operationId, options);
        const signIn = isSignedIn ? undefined : `${path}?${TO_APPROVE}`;
        const above = role === 'asker_alone' ? options.fourEyesAbove : undefined;
        return { kind: 'ok', session, viewer: { name: person.name, id: person.id, role, above, signIn } };
      }

      return { kind: 'refused', other: { address: asAnother(path), name: person.name } };
    },
  };
}

/** Whether the yes needs no sign-in of its own. An act without a known sum does, and one that may do again what was done here. */
function isSmall(approval: Approval, { pageAbove }: SignedInAccessOptions): boolean {
  const money = moneyAtStake(approval);
  if (approval.pageOnly || pageAbove === undefined || money === undefined) return false;
  return !isAbove(money, pageAbove);
}

/** Finds who signed in with this browser. Undefined if they want to sign in as somebody else. */
export async function findVisit(
  request: IncomingMessage,
  { login, cookies }: Pick<SignedInAccessOptions, 'login' | 'cookies'>,
): Promise<LoginSession | undefined> {
  if (hasQuery(request.url, ANOTHER)) return undefined;
  const visit = await login.session(cookies.readSessions(request));
  if (visit !== undefined) noteCaller(request, visit.person);
  return visit;
}

/** Sends a browser to the provider, which sends it back to this place. */
export async function toSignIn(
  request: IncomingMessage,
  place: string,
  { login, cookies }: Pick<SignedInAccessOptions, 'login' | 'cookies'>,
): Promise<Exclude<AccessResult, { kind: 'ok' | 'refused' }>> {
  // A redirect after a form must stay on this site (form-action of the content security policy).
  if (request.method !== 'GET') return { kind: 'signed_out' };
  const start = await login.begin(place, hasQuery(request.url, ANOTHER) ? 'anew' : 'if_needed');
  if (start === undefined) return { kind: 'unavailable' };
  return { kind: 'redirect', location: start.address, cookie: cookies.setTicket(request, start.ticket) };
}
