/**
 * Cookies of the page on its public address (RFC 6265bis). Their values are sealed; here is who gets them back, and when.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { BrowserLogin } from '../../domain/people/browser-login.ts';

export interface PageCookies {
  /** Set-Cookie values. */
  ticket(operationId: string, value: string): string;
  noTicket(operationId: string): string;
  session(operationId: string, value: string): string;
  /** Values that came with a request, whoever set them. */
  tickets(request: IncomingMessage): readonly string[];
  sessions(request: IncomingMessage): readonly string[];
}

export interface PageCookieOptions {
  readonly login: Pick<BrowserLogin, 'ticketSeconds' | 'sessionSeconds'>;
  /** Whether the public address is https. */
  readonly secure: boolean;
  path(operationId: string): string;
  /** Path that the provider sends browsers back to. */
  readonly callback: string;
}

/** Journeys to the sign-in that one browser can be on at once: the cookies must fit the headers. */
const SLOTS = 8;

export function createPageCookies({ login, secure, path, callback }: PageCookieOptions): PageCookies {
  // The prefix keeps pages that are not https, and other hosts of the domain, from setting it (section 4.1.3).
  const prefix = secure ? '__Secure-fareclerk' : 'fareclerk';
  // Lax: the provider's redirect and links from a chat bring it along; forms of other sites do not.
  const flags = `HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const [ticketName, sessionName] = [`${prefix}_login`, `${prefix}_session`];
  const nameFor = (operationId: string) => `${ticketName}${slotOf(operationId)}`;
  return {
    ticket: (id, value) => `${nameFor(id)}=${value}; Path=${callback}; Max-Age=${login.ticketSeconds}; ${flags}`,
    noTicket: (id) => `${nameFor(id)}=; Path=${callback}; Max-Age=0; ${flags}`,
    session: (id, value) => `${sessionName}=${value}; Path=${path(id)}; Max-Age=${login.sessionSeconds}; ${flags}`,
    tickets: (request) => valuesOf(request, (name) => name.startsWith(ticketName)),
    sessions: (request) => valuesOf(request, (name) => name === sessionName),
  };
}

function slotOf(operationId: string): number {
  return (createHash('sha256').update(operationId).digest()[0] ?? 0) % SLOTS;
}

/** At most so many are looked at: anybody can send more. */
const MOST = 16;

function valuesOf(request: IncomingMessage, isOurs: (name: string) => boolean): readonly string[] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const ours = pairs.filter((pair) => isOurs(pair.slice(0, Math.max(0, pair.indexOf('=')))));
  return ours.slice(0, MOST).map((pair) => pair.slice(pair.indexOf('=') + 1));
}
