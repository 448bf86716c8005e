/**
 * The gate on the public address: a person who signed in with the provider whose tokens callers bring. Their own
 * questions they answer themselves; those of others only with the role for it; and above an amount only another
 * person's yes counts.
 */
import type { IncomingMessage } from 'node:http';
import { moneyOf } from '../../approvals/draft.ts';
import { isAbove } from '../../approvals/limits.ts';
import type { Approval } from '../../approvals/ports.ts';
import type { BrowserLogin, Person } from '../../domain/people/browser-login.ts';
import type { Money } from '../../domain/pricing/money.ts';
import type { PageCookies } from './cookies.ts';
import type { Entry, Gate, Visitor } from './gate.ts';

export interface SignInGateOptions {
  readonly login: BrowserLogin;
  readonly cookies: PageCookies;
  /** Above it the yes must be another person's. */
  readonly fourEyesAbove?: Money;
  /** Path of an approval's page. */
  path(operationId: string): string;
}

/** Of the page's address: asks for a name even where the provider knows the browser. */
const ANEW = /[?&]as=another(?:&|$)/;

export function createSignInGate({ login, cookies, fourEyesAbove, path }: SignInGateOptions): Gate {
  async function visitOf(request: IncomingMessage, operationId: string) {
    for (const session of cookies.sessions(request)) {
      const person = await login.person(session, operationId);
      if (person !== undefined) return { session, person };
    }
    return undefined;
  }

  async function toSignIn({ method, url = '' }: IncomingMessage, operationId: string): Promise<Entry> {
    // A redirect after a form must stay on this site (form-action of the content security policy).
    if (method !== 'GET') return { kind: 'signed_out' };
    const start = await login.begin(operationId, ANEW.test(url));
    if (start === undefined) return { kind: 'unavailable' };
    return { kind: 'redirect', location: start.address, cookie: cookies.ticket(operationId, start.ticket) };
  }

  return {
    async authorize(request, operationId, approval): Promise<Entry> {
      const visit = ANEW.test(request.url ?? '') ? undefined : await visitOf(request, operationId);
      if (visit === undefined) return toSignIn(request, operationId);
      const { person, session } = visit;
      const part = approval && partOf(person, approval);
      if (part === undefined) {
        return { kind: 'refused', other: { address: `${path(operationId)}?as=another`, name: person.name } };
      }
      return { kind: 'ok', session, visitor: { name: person.name, id: person.id, part } };
    },
  };

  function partOf(person: Person, approval: Approval): Visitor['part'] | undefined {
    const asker = { tenant: approval.tenant, id: approval.caller };
    if (login.isSame(asker, person)) return needsAnother(approval) ? 'asker_alone' : 'asker';
    return person.approver && asker.tenant === person.tenant ? 'approver' : undefined;
  }

  /** Once spent, nothing is left to decide. */
  function needsAnother(approval: Approval): boolean {
    return isAbove(moneyOf(approval), fourEyesAbove);
  }
}
