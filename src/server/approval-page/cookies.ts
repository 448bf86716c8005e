/** Cookies of the page (RFC 6265bis). On the public address their values are sealed. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { BrowserLogin } from '../../domain/people/browser-login.ts';

export type PageCookies = ReturnType<typeof createPageCookies>;

interface PageCookieOptions {
  readonly login: Pick<BrowserLogin, 'ticketSeconds' | 'sessionSeconds'>;
  /** Whether the public address is https. */
  readonly secure: boolean;
  path(operationId: string): string;
  /** Path that the provider sends browsers back to. */
  readonly callback: string;
}

/** Sign-ins that one browser can have open at once: their cookies must fit the headers. */
const SLOTS = 8;
/** Cookies of one kind that are opened: anybody can send more. */
const MOST = 16;

export function createPageCookies({ login, secure, path, callback }: PageCookieOptions) {
  // The prefix stops http pages and other hosts of the domain from setting it (section 4.1.3).
  const prefix = secure ? '__Secure-fareclerk' : 'fareclerk';
  // Lax: sent with the provider's redirect and links from a chat, not with forms of other sites.
  const flags = `HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const [ticketName, sessionName] = [`${prefix}_login`, `${prefix}_session`];
  const nameFor = (operationId: string) => `${ticketName}${slotOf(operationId)}`;
  return {
    /** Set-Cookie values. */
    ticket: (id: string, value: string) =>
      `${nameFor(id)}=${value}; Path=${callback}; Max-Age=${login.ticketSeconds}; ${flags}`,
    noTicket: (id: string) => `${nameFor(id)}=; Path=${callback}; Max-Age=0; ${flags}`,
    session: (id: string, value: string) =>
      `${sessionName}=${value}; Path=${path(id)}; Max-Age=${login.sessionSeconds}; ${flags}`,
    /** Values in a request, whoever set them. */
    tickets: (request: IncomingMessage) => cookieValues(request, (name) => name.startsWith(ticketName)).slice(0, MOST),
    sessions: (request: IncomingMessage) => cookieValues(request, (name) => name === sessionName).slice(0, MOST),
  };
}

function slotOf(operationId: string): number {
  return (createHash('sha256').update(operationId).digest()[0] ?? 0) % SLOTS;
}

/** All values, because another server of this host may have set a cookie of the same name (cookies know no ports). */
export function cookieValues(request: IncomingMessage, isOurs: (name: string) => boolean): readonly string[] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const ours = pairs.filter((pair) => isOurs(pair.slice(0, Math.max(0, pair.indexOf('=')))));
  return ours.map((pair) => pair.slice(pair.indexOf('=') + 1));
}
