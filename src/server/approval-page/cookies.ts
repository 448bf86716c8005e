/** Writes and reads the cookies of the page (RFC 6265bis). On the public address their values are sealed. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { BrowserLogin } from '../../domain/people/caller.ts';

const TICKET = /^[0-7]$/;

export type PageCookies = ReturnType<typeof createPageCookies>;

interface PageCookieOptions {
  readonly login: Pick<BrowserLogin, 'ticketSeconds' | 'sessionSeconds'>;
  /** Whether the public address is https. */
  readonly secure: boolean;
  path(operationId: string): string;
  /** Path that the provider sends browsers back to. */
  readonly callback: string;
}

/** How many sign-ins one browser can have open at once: their cookies must fit the headers. */
const SLOTS = 8;
/** How many sessions a browser keeps at once, for the same reason: with the prefix it sends all of them everywhere. */
const MOST_SESSIONS = 6;

export function createPageCookies({ login, secure, path, callback }: PageCookieOptions) {
  // With the prefix no http page and no other host can set it, and a browser keeps one of each name (section 4.1.3.2).
  const prefix = secure ? '__Host-fareclerk' : 'fareclerk';
  const ticketName = `${prefix}_login`;
  const sessionName = `${prefix}_session_`;
  const setCookie = (name: string, value: string, cookiePath: string, seconds: number) =>
    // The prefix is for the whole host. Lax: sent with the provider's redirect and links from a chat, not with forms of others.
    `${name}=${value}; Path=${secure ? '/' : cookiePath}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const ticketFor = (place: string) => `${ticketName}${ticketSlot(place)}`;
  const sessionFor = (place: string) => `${sessionName}${sessionKey(place)}`;
  return {
    /** Set-Cookie values. */
    ticket: (place: string, value: string) => setCookie(ticketFor(place), value, callback, login.ticketSeconds),
    noTicket: (place: string) => setCookie(ticketFor(place), '', callback, 0),
    session: (place: string, value: string) => setCookie(sessionFor(place), value, path(place), login.sessionSeconds),
    /** Ends the oldest sessions when a new one begins: a browser sends its oldest cookie first (section 5.8.3). */
    noOldSessions(request: IncomingMessage, place: string): readonly string[] {
      const others = namesIn(request).filter((name) => name.startsWith(sessionName) && name !== sessionFor(place));
      return others.slice(0, Math.max(0, others.length - MOST_SESSIONS + 1)).map((name) => setCookie(name, '', '/', 0));
    },
    /** Values in a request, whoever set them: only those that we sealed can be opened. */
    tickets: (request: IncomingMessage) => cookieValues(request, (name) => TICKET.test(name.replace(ticketName, ''))),
    sessions: (request: IncomingMessage, place: string) => cookieValues(request, (name) => name === sessionFor(place)),
  };
}

function ticketSlot(place: string): number {
  return (createHash('sha256').update(place).digest()[0] ?? 0) % SLOTS;
}

function sessionKey(place: string): string {
  return createHash('sha256').update(place).digest('base64url').slice(0, 12);
}

function pairsIn({ headers }: IncomingMessage): readonly (readonly [name: string, value: string])[] {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(0, at)), pair.slice(at + 1)];
  });
}

function namesIn(request: IncomingMessage): readonly string[] {
  return pairsIn(request).map(([name]) => name);
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
