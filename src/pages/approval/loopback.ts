/**
 * The server of the pages on loopback, for people who have a one-time link. It takes a free port, has small limits, and does not
 * keep the process running.
 */

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Approval } from '../../approvals/approval.ts';
import { boundConnections } from '../../http/bound-connections.ts';
import { send } from '../../http/exchange.ts';
import { plainTracer, type Tracer } from '../../tracing/tracer.ts';
import { PLAN_REFRESH_SECONDS } from '../browser/html.ts';
import { createDetailsHandler, DETAILS_PREFIX, type DetailsSource, detailsPath } from '../details/handler.ts';
import { cookieValues } from './cookies.ts';
import { createPageHandler, type HandlerOptions } from './handler.ts';
import { type AccessResult, LINGER_MS, pagePath } from './page-access.ts';

const COOKIE = 'fareclerk_approval';

const SECRET = /[?&]k=([\w-]{43})(?:&|$)/;

/** The key of a visit, in its page's path. */
const PAGE_KEY = /\/([\w-]{43})(?:\?|$)/;

const HOST = '127.0.0.1';
const PREFIX = '/approve/';
/** Open connections, at most: other users of the machine can open as many as they like. */
const MOST_CONNECTIONS = 1_000;
/** Time for replies that are being written when the server closes, milliseconds. */
const LAST_REPLIES_MS = 1_000;
/** Within this time a page that renews itself has asked again, milliseconds: a browser may be slow. */
const RENEWED_MS = PLAN_REFRESH_SECONDS * 1_000 + 1_000;

interface LoopbackOptions extends Omit<HandlerOptions, 'access' | 'origins' | 'base' | 'inbox' | 'linkTo'> {
  readonly tracer?: Tracer | undefined;
  /** What the details page reads, if the server has that page too. */
  readonly details?: DetailsSource;
}

export interface Loopback {
  /** `http://127.0.0.1:4711` */
  readonly origin: string;
  /** Returns an address with a new one-time secret. For a browser only: never for a result or a log. */
  addressFor(approval: Approval): string;
  /** The address of a details page: a secret, for the travellers and the call that waits for them. */
  detailsAddress(id: string): string;
  /** Whether somebody opened an address of this operation. */
  visited(operationId: string): boolean;
  close(): Promise<void>;
}

export async function startLoopback(options: LoopbackOptions): Promise<Loopback> {
  let port = 0;

  const server = createServer({
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
  });
  boundConnections(server, MOST_CONNECTIONS);

  const access = createOneTimeLinks(options.now);
  let renewedUntil = Number.NEGATIVE_INFINITY;
  const origins = () => [`http://${HOST}:${port}`, `http://localhost:${port}`];
  const linkTo = (approval: Approval) => `${pagePath(approval.operationId)}?k=${access.secretFor(approval)}`;

  const answer = createPageHandler({
    ...options,
    access,
    origins,
    linkTo,
    noteRenewing() {
      renewedUntil = performance.now() + RENEWED_MS;
    },
  });

  const { tracer = plainTracer, details } = options;
  const answerDetails = details && createDetailsHandler({ ...details, origins });

  server.on('request', (request, response) => {
    const isOfDetails = answerDetails !== undefined && request.url?.startsWith(DETAILS_PREFIX);
    // Traces the route and not the path, which carries a key.
    const route = isOfDetails ? DETAILS_PREFIX : PREFIX;
    const fields = { 'http.request.method': String(request.method), 'http.route': route };

    void tracer
      .serve({}, { name: `${request.method} ${route}`, kind: 'server', fields }, async () => {
        const reply = await (isOfDetails ? answerDetails(request) : answer(request));
        tracer.mark({ 'http.response.status_code': reply.status });
        await send(response, reply);
      })
      .catch(() => response.destroy());
  });

  server.on('connection', (socket) => socket.unref());
  server.listen({ host: HOST, port: 0, exclusive: true }).unref();
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;

  return {
    origin: `http://${HOST}:${port}`,
    addressFor: (approval) => `http://${HOST}:${port}${linkTo(approval)}`,
    detailsAddress: (id) => `http://${HOST}:${port}${detailsPath(id)}`,
    visited: (operationId) => access.visited(operationId),
    async close() {
      // The page of a plan that has just ended shows that before its server ends.
      await sleep(Math.max(0, renewedUntil - performance.now()));
      await close(server);
    },
  };
}

/** Lets replies that are being written reach the browser, then ends every connection. */
async function close(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), LAST_REPLIES_MS);
  server.close();
  await once(server, 'close');
  clearTimeout(timer);
}

/** The secrets and keys that open the page of one approval. */
interface Links {
  /** Hashes of secrets that nobody has used yet. */
  readonly secrets: Set<string>;
  /** Hash of a visit's cookie → hash of its page's key. */
  readonly visits: Map<string, string>;
  /** When the page ends, milliseconds since 1970. */
  readonly until: number;
}

/**
 * The browser opens an address with a one-time secret; the first visit exchanges it for a page whose address holds a key, and
 * for a cookie that is sent to that address alone. Other users of the machine can read the first address in the process list,
 * and can make the browser send cookies to a port of theirs: by then the secret is spent, and they cannot guess an address that
 * gets a cookie. Secrets and keys are kept as hashes, in memory only.
 * @param now milliseconds since 1970
 */
function createOneTimeLinks(now: () => number) {
  const byOperation = new Map<string, Links>();

  return {
    /** Returns a new secret that opens this approval's page once. */
    secretFor(approval: Approval): string {
      for (const [id, { until }] of byOperation) if (until <= now()) byOperation.delete(id);
      const links = byOperation.get(approval.operationId) ?? {
        secrets: new Set(),
        visits: new Map(),
        until: approval.expiresAt + LINGER_MS,
      };
      byOperation.set(approval.operationId, links);

      const secret = newSecret();
      links.secrets.add(hash(secret));

      return secret;
    },

    /** Whether somebody used a secret of this approval. */
    visited: (operationId: string) => (byOperation.get(operationId)?.visits.size ?? 0) > 0,

    async authorize(request: IncomingMessage, operationId: string): Promise<AccessResult> {
      const links = byOperation.get(operationId);
      if (links === undefined || links.until <= now()) return { kind: 'refused' };

      const url = request.url ?? '';
      const secret = SECRET.exec(url)?.[1];
      const pageKey = PAGE_KEY.exec(url)?.[1];
      if (pageKey !== undefined) {
        const session = findSession(request, links, pageKey);
        if (session === undefined) return { kind: 'refused' };
        const path = `${pagePath(operationId)}/${pageKey}`;
        return secret === undefined ? { kind: 'ok', session, path } : { kind: 'redirect', location: path };
      }
      if (secret === undefined || request.method !== 'GET') return { kind: 'refused' };

      return beginVisit(operationId, links, hash(secret), now());
    },
  };
}

/** Finds the visit that this page belongs to: the hash of its cookie. */
function findSession(request: IncomingMessage, { visits }: Links, pageKey: string): string | undefined {
  const pageHash = hash(pageKey);
  const sessions = cookieValues(request, (name) => name === COOKIE).map(hash);
  return sessions.find((session) => visits.get(session) === pageHash);
}

/** Exchanges a secret for a page and its cookie. It awaits nothing: of two visits with one secret, only one succeeds. */
function beginVisit(operationId: string, links: Links, secretHash: string, now: number): AccessResult {
  if (!links.secrets.delete(secretHash)) return { kind: 'refused' };

  const cookieValue = newSecret();
  const pageKey = newSecret();
  links.visits.set(hash(cookieValue), hash(pageKey));

  const location = `${pagePath(operationId)}/${pageKey}`;
  const maxAgeSeconds = Math.ceil((links.until - now) / 1000);

  return {
    kind: 'redirect',
    location,
    // Lax: sent with the redirect after a link in a chat, not with forms of others.
    cookie: `${COOKIE}=${cookieValue}; Path=${location}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`,
  };
}

/** 256 bits, base64url: 43 characters. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Secrets are compared as hashes, so that the time of the comparison does not reveal them. */
function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
