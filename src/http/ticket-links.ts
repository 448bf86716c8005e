/**
 * One-time addresses of tickets, `{public_url}/tickets/{key}`: made for a caller, and opened once by a browser, which has no token.
 * A program that brings a token must be that caller. In order: the links, the page that opens them, and its replies.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clerk } from '../clerk/clerk.ts';
import { ClerkError } from '../core/errors.ts';
import type { TicketGrant, TicketKeys, TicketName } from '../domain/booking/booking.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Authenticate } from './authenticate.ts';
import { callerClerk } from './caller-clerk.ts';
import type { Mount } from './router.ts';

const TICKETS_PATH = '/tickets/';

/** How long a link works, milliseconds. */
const LIFE_MS = 5 * 60_000;

/** 192 random bits. */
const KEY_BYTES = 24;

/** Matches what these bytes are as base64url. */
const KEY = /^[\w-]{32}$/;

/** With these headers no script runs in a reply, and no other site may load it. */
const REPLY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

export type TicketLinks = ReturnType<typeof createTicketLinks>;

interface TicketLinkOptions {
  keys(): Promise<TicketKeys>;
  /** Milliseconds since 1970, by the clock of all who share the keys. */
  now(): Promise<number>;
  /** Without a slash at the end; known once the server listens. */
  publicUrl(): string;
}

/**
 * Makes and finds links. The key is random, and its hash is in the shared state, so that any instance can answer and one of them ends
 * it. The PDF itself is stored nowhere: it is fetched when the address is opened.
 */
export function createTicketLinks({ keys, now, publicUrl }: TicketLinkOptions) {
  return {
    async link(caller: Caller, { locator, number, coupon }: TicketName): Promise<string> {
      const key = randomBytes(KEY_BYTES).toString('base64url');
      const grant = { caller, locator, number, coupon };
      await (await keys()).put(hashKey(key), grant, (await now()) + LIFE_MS);
      return `${publicUrl()}${TICKETS_PATH}${key}`;
    },
    /** Finds the ticket that a key opens, and its caller. Undefined if the key is not ours, was used or has expired. */
    find: async (key: string) => (await keys()).find(hashKey(key), await now()),
    /** Ends a key. False if it has ended before. */
    spend: async (key: string) => (await keys()).spend(hashKey(key)),
  };
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** What a page fetches at the moment, by key: however many open one link, the airline is asked once at a time. */
type Fetching = Map<string, Promise<Uint8Array>>;

interface TicketPageOptions {
  readonly links: TicketLinks;
  readonly clerk: Clerk;
  readonly authenticate: Authenticate;
  /** Whether callers sign in, so that each reaches their own bookings only. */
  readonly requiresSignIn: boolean;
  onFailure(error: unknown): void;
}

/** Creates the page that opens the links. */
export function createTicketPage(options: TicketPageOptions): Mount {
  const fetching: Fetching = new Map();
  return {
    prefix: TICKETS_PATH,
    async handle(request) {
      if (request.method !== 'GET') return textReply(405, 'Only GET is allowed here.', { allow: 'GET' });

      const key = keyIn(request);
      try {
        const asker = await callerOf(request, options);
        return asker instanceof Response ? asker : await openLink(key, asker, options, fetching);
      } catch (error) {
        if (error instanceof ClerkError) return textReply(error.code === 'E_NOT_FOUND' ? 404 : 503, error.message);
        options.onFailure(error);
        return textReply(500, 'Something went wrong inside fareclerk.');
      }
    },
  };
}

/**
 * Finds out whose token a request brings. Undefined without a token, as browsers ask. Other credentials, such as those of a proxy, are
 * no token.
 * @returns the reply to a request whose token is refused
 */
async function callerOf(
  request: IncomingMessage,
  { authenticate }: TicketPageOptions,
): Promise<Caller | Response | undefined> {
  if (!/^bearer\b/i.test(request.headers.authorization ?? '')) return undefined;
  const who = await authenticate(request);
  return who instanceof Response ? who : who.caller;
}

/**
 * Answers with the ticket, and ends its key.
 * @param asker whose token the request brought, if it brought one
 */
async function openLink(
  key: string | undefined,
  asker: Caller | undefined,
  options: TicketPageOptions,
  fetching: Fetching,
): Promise<Response> {
  const { links } = options;
  const grant = key === undefined ? undefined : await links.find(key);
  if (key === undefined || grant === undefined) return linkIsOver();
  if (asker !== undefined && !isSameCaller(asker, grant.caller)) return linkIsOver();

  const pdf = await fetchOnce(key, fetching, () => fetchTicket(grant, options));
  // Spent only now, so that a failed download can be tried again. Of two requests at once, one gets the file.
  if (!(await links.spend(key))) return linkIsOver();
  return pdfReply(grant, pdf);
}

function isSameCaller(asker: Caller, owner: Caller): boolean {
  return asker.tenant === owner.tenant && asker.id === owner.id;
}

function fetchOnce(key: string, fetching: Fetching, fetch: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const underWay = fetching.get(key) ?? fetch().finally(() => fetching.delete(key));
  fetching.set(key, underWay);
  return underWay;
}

/** The key in the address of a request. Undefined if there is none that could be ours. */
function keyIn({ url = '' }: IncomingMessage): string | undefined {
  const [path = ''] = url.split('?', 1);
  const key = path.split('/').at(-1) ?? '';
  return KEY.test(key) ? key : undefined;
}

/** Fetches the ticket from the airline, for the caller who was given the link. */
function fetchTicket(grant: TicketGrant, { clerk, requiresSignIn }: TicketPageOptions): Promise<Uint8Array> {
  const { caller } = grant;
  const grantee = { caller, scopes: requiresSignIn ? new Set(['air:read']) : undefined };
  return callerClerk(clerk, grantee).ticket(grant, { caller });
}

/** Sends a ticket as a file to save. */
function pdfReply({ locator, number, coupon }: TicketName, pdf: Uint8Array): Response {
  const name = [locator, number, coupon].map((part) => part.replace(/[^A-Za-z0-9]/g, '')).join('-');
  const file = { 'content-type': 'application/pdf', 'content-disposition': `attachment; filename="${name}.pdf"` };
  return new Response(Buffer.from(pdf), { headers: { ...REPLY_HEADERS, ...file } });
}

/** The same words for unknown, spent, expired and foreign keys. */
function linkIsOver(): Response {
  return textReply(404, 'This link was used, has expired, or is not valid. Ask for the tickets again.');
}

function textReply(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...REPLY_HEADERS, ...headers },
  });
}
