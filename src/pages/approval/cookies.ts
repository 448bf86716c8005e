/**
 * Writes and reads the cookies of the page (RFC 6265bis). On the public address their values are sealed. Each is for one place: the
 * page of a question, named by its operation id, or the list of questions (INBOX_PLACE). A ticket is for a sign-in that is not
 * finished, a session for a person who signed in.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { BrowserLogin } from '../../domain/people/caller.ts';

/**
 * How many sign-ins one browser can have open at once: their cookies must fit the headers. Two places may share a slot: the later
 * sign-in then replaces the ticket of the earlier one, which begins again by itself.
 */
const TICKET_SLOTS = 8;
/** Matches the number of a slot, behind the name of the cookie. */
const TICKET_SLOT = /^[0-7]$/;
/** How many sessions a browser keeps at once, for the same reason: with the prefix it sends all of them everywhere. */
const MOST_SESSIONS = 6;

export type PageCookies = ReturnType<typeof createPageCookies>;

interface PageCookieOptions {
  readonly login: Pick<BrowserLogin, 'ticketSeconds' | 'sessionSeconds'>;
  /** Whether the public address is https. */
  readonly secure: boolean;
  path(place: string): string;
  /** Path that the provider sends browsers back to. */
  readonly callback: string;
}

export function createPageCookies({ login, secure, path, callback }: PageCookieOptions) {
  // With the prefix __Host- no http page and no other host can set it, and a browser keeps one of each name (section 4.1.3.2).
  const prefix = secure ? '__Host-fareclerk' : 'fareclerk';
  const ticketPrefix = `${prefix}_login`;
  const sessionPrefix = `${prefix}_session_`;
  const ticketName = (place: string) => `${ticketPrefix}${ticketSlot(place)}`;
  const sessionName = (place: string) => `${sessionPrefix}${sessionKey(place)}`;

  /** Writes a Set-Cookie value. */
  function setCookie(name: string, value: string, cookiePath: string, seconds: number): string {
    // The prefix is for the whole host.
    const allowedPath = secure ? '/' : cookiePath;
    // Lax: sent with the provider's redirect and links from a chat, not with forms of others.
    return `${name}=${value}; Path=${allowedPath}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  }

  return {
    // These write Set-Cookie values.
    setTicket: (place: string, ticket: string) => setCookie(ticketName(place), ticket, callback, login.ticketSeconds),
    clearTicket: (place: string) => setCookie(ticketName(place), '', callback, 0),
    setSession: (place: string, session: string) =>
      setCookie(sessionName(place), session, path(place), login.sessionSeconds),
    /**
     * Ends the oldest sessions when a new one begins: a browser sends its oldest cookie first (section 5.8.3). Over http the others
     * have the paths of their places, and none of them comes with this request.
     */
    clearOldestSessions(request: IncomingMessage, place: string): readonly string[] {
      const names = namesIn(request).filter((name) => name.startsWith(sessionPrefix) && name !== sessionName(place));
      const oldest = names.slice(0, Math.max(0, names.length - MOST_SESSIONS + 1));
      return oldest.map((name) => setCookie(name, '', '/', 0));
    },

    // These read the values in a request, whoever set them: only those that we sealed can be opened.
    readTickets: (request: IncomingMessage) =>
      cookieValues(request, (name) => TICKET_SLOT.test(name.replace(ticketPrefix, ''))),
    readSessions: (request: IncomingMessage, place: string) =>
      cookieValues(request, (name) => name === sessionName(place)),
  };
}

function ticketSlot(place: string): number {
  return (createHash('sha256').update(place).digest()[0] ?? 0) % TICKET_SLOTS;
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
