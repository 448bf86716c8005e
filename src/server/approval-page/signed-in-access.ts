/**
 * Access on the public address, for people who signed in with the provider whose tokens callers bring. They answer their
 * own questions; those of others only with the role for it; above an amount only another person's yes counts.
 */
import type { IncomingMessage } from 'node:http';
import { moneyOf } from '../../approvals/draft.ts';
import { isAbove } from '../../approvals/limits.ts';
import type { Approval } from '../../approvals/ports.ts';
import type { BrowserLogin, Person } from '../../domain/people/browser-login.ts';
import type { Money } from '../../domain/pricing/money.ts';
import type { PageCookies } from './cookies.ts';
import type { Access, PageAccess, Viewer } from './page-access.ts';

export interface SignedInAccessOptions {
  readonly login: BrowserLogin;
  readonly cookies: PageCookies;
  /** Above this amount the yes must be another person's. */
  readonly fourEyesAbove?: Money;
  /** Path of an approval's page. */
  path(operationId: string): string;
}

/** In the page's address: the provider must ask for a name again. */
const SIGN_IN_AGAIN = /[?&]as=another(?:&|$)/;

export function createSignedInAccess({ login, cookies, fourEyesAbove, path }: SignedInAccessOptions): PageAccess {
  async function visitOf(request: IncomingMessage, operationId: string) {
    for (const session of cookies.sessions(request)) {
      const person = await login.person(session, operationId);
      if (person !== undefined) return { session, person };
    }
    return undefined;
  }

  async function toSignIn({ method, url = '' }: IncomingMessage, operationId: string): Promise<Access> {
    // A redirect after a form must stay on this site (form-action of the content security policy).
    if (method !== 'GET') return { kind: 'signed_out' };
    const start = await login.begin(operationId, SIGN_IN_AGAIN.test(url));
    if (start === undefined) return { kind: 'unavailable' };
    return { kind: 'redirect', location: start.address, cookie: cookies.ticket(operationId, start.ticket) };
  }

  return {
    async authorize(request, operationId, approval): Promise<Access> {
      const visit = SIGN_IN_AGAIN.test(request.url ?? '') ? undefined : await visitOf(request, operationId);
      if (visit === undefined) return toSignIn(request, operationId);
      const { person, session } = visit;
      const role = approval && roleOf(person, approval);
      if (role === undefined) {
        return { kind: 'refused', other: { address: `${path(operationId)}?as=another`, name: person.name } };
      }
      return { kind: 'ok', session, viewer: { name: person.name, id: person.id, role } };
    },
  };

  function roleOf(person: Person, approval: Approval): Viewer['role'] | undefined {
    const asker = { tenant: approval.tenant, id: approval.caller };
    if (login.isSame(asker, person)) return needsAnother(approval) ? 'asker_alone' : 'asker';
    return person.approver && asker.tenant === person.tenant ? 'approver' : undefined;
  }

  /** An approval without a draft was spent: nothing is left to decide. */
  function needsAnother(approval: Approval): boolean {
    return isAbove(moneyOf(approval), fourEyesAbove);
  }
}
