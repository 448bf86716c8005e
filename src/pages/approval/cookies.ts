/**
 * Writes and reads the cookies of the page (RFC 6265bis). On the public address their values are sealed: a ticket is for a sign-in that
 * is not finished, the session for a person who signed in.
 */
import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { BrowserLogin } from '../../domain/people/caller.ts';

/** How many sign-ins one browser can have open at once: their cookies must fit the headers. The next one replaces one of them. */
const TICKET_SLOTS = 8;

export type PageCookies = ReturnType<typeof createPageCookies>;

interface PageCookieOptions {
  readonly login: Pick<BrowserLogin, 'ticketSeconds' | 'sessionSeconds'>;
  /** Whether the public address is https. */
  readonly secure: boolean;
  /** Path of all pages that people sign in for. */
  readonly path: string;
}

export function createPageCookies({ login, secure, path }: PageCookieOptions) {
  // With the prefix __Host- no http page and no other host can set it, and a browser keeps one of each name (section 4.1.3.2).
  const prefix = secure ? '__Host-fareclerk' : 'fareclerk';
  const sessionName = `${prefix}_session`;
  const ticketNames = Array.from({ length: TICKET_SLOTS }, (_, slot) => `${prefix}_login${slot}`);

  // The prefix is for the whole host. Lax: sent with the provider's redirect and links from a chat, not with forms of others.
  const [cookiePath, flags] = secure ? ['/', '; Secure'] : [path, ''];
  const setCookie = (name: string, value: string, seconds: number) =>
    `${name}=${value}; Path=${cookiePath}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${flags}`;

  return {
    // These write Set-Cookie values.
    setTicket(request: IncomingMessage, ticket: string): string {
      const used = new Set(pairsIn(request).map(([name]) => name));
      const free = ticketNames.filter((name) => !used.has(name));
      const names = free.length > 0 ? free : ticketNames;
      // Pages that are opened at once do not know of each other's.
      return setCookie(names[randomInt(names.length)] ?? '', ticket, login.ticketSeconds);
    },

    clearTicket(request: IncomingMessage, ticket: string): string {
      const pair = pairsIn(request).find(([, value]) => value === ticket);
      return setCookie(pair?.[0] ?? '', '', 0);
    },

    setSession: (session: string) => setCookie(sessionName, session, login.sessionSeconds),

    // These read the values in a request, whoever set them: only those that we sealed can be opened.
    readTickets: (request: IncomingMessage) => cookieValues(request, (name) => ticketNames.includes(name)),
    readSessions: (request: IncomingMessage) => cookieValues(request, (name) => name === sessionName),
  };
}

function pairsIn({ headers }: IncomingMessage): readonly (readonly [name: string, value: string])[] {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(0, at)), pair.slice(at + 1)];
  });
}

/**
 * Reads all values, because over http another server of this host may have set a cookie of the same name (cookies know no
 * ports). None of them hides ours, and the size of the headers bounds their number.
 */
export function cookieValues(request: IncomingMessage, isOurs: (name: string) => boolean): readonly string[] {
  return pairsIn(request)
    .filter(([name]) => isOurs(name))
    .map(([, value]) => value);
}
