/**
 * Access on loopback. The browser opens an address with a one-time secret; the first visit exchanges it for a page whose
 * address holds a key, and for a cookie that is sent to that address alone. Other users of the machine can read the
 * first address in the process list, and can make the browser send cookies to a port of theirs: by then the secret is
 * spent, and they cannot guess an address that gets a cookie. Where the system tells whose connection it is, other users
 * are refused whatever they send. Secrets and keys are kept as hashes, in memory only.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Approval } from '../../approvals/ports.ts';
import { cookieValues } from './cookies.ts';
import { type AccessResult, type PageAccess, pagePath } from './page-access.ts';

/** How long the page shows the outcome after the approval expired, milliseconds. */
export const LINGER_MS = 60 * 60_000;

const COOKIE = 'fareclerk_approval';
const SECRET = /[?&]k=([\w-]{43})(?:&|$)/;
/** The key of a visit, in its page's path; its tickets are below it. */
const PAGE_KEY = /\/([\w-]{43})(?:\/tickets\/\d+)?(?:\?|$)/;

interface OneTimeLinkOptions {
  now(): number;
  /** False if another OS user is at the other end of the connection (peer.ts). Called for every request. */
  isSameUser(request: IncomingMessage): Promise<boolean>;
}

interface OneTimeLinks extends PageAccess {
  /** Returns a new secret that opens this approval's page once. */
  secretFor(approval: Approval): string;
  /** Whether somebody used a secret of this approval. */
  visited(operationId: string): boolean;
}

interface Links {
  readonly secrets: Set<string>;
  /** Hashes of secrets that opened the page: they still show what became of the question. */
  readonly spent: Set<string>;
  /** Hash of a visit's cookie → hash of its page's key. */
  readonly visits: Map<string, string>;
  readonly until: number;
}

export function createOneTimeLinks(options: OneTimeLinkOptions): OneTimeLinks {
  const byOperation = new Map<string, Links>();

  return {
    secretFor(approval) {
      for (const [id, { until }] of byOperation) if (until <= options.now()) byOperation.delete(id);
      const known = byOperation.get(approval.operationId);
      const links = known ?? {
        secrets: new Set(),
        spent: new Set(),
        visits: new Map(),
        until: approval.expiresAt + LINGER_MS,
      };
      byOperation.set(approval.operationId, links);
      const secret = random();
      links.secrets.add(hash(secret));
      return secret;
    },
    visited: (operationId) => (byOperation.get(operationId)?.visits.size ?? 0) > 0,
    async authorize(request, operationId): Promise<AccessResult> {
      const links = byOperation.get(operationId);
      if (links === undefined || links.until <= options.now()) return { kind: 'refused' };
      // Before the secret and the cookie are read, so that another user learns nothing from the reply.
      if (!(await options.isSameUser(request))) return { kind: 'refused' };
      const url = request.url ?? '';
      const [secret, pageKey] = [SECRET.exec(url)?.[1], PAGE_KEY.exec(url)?.[1]];
      if (pageKey !== undefined) {
        const key = hash(pageKey);
        const visit = cookieValues(request, (name) => name === COOKIE)
          .map(hash)
          .find((one) => links.visits.get(one) === key);
        if (visit === undefined) return { kind: 'refused' };
        const location = `${pagePath(operationId)}/${pageKey}`;
        return secret === undefined ? { kind: 'ok', session: visit, path: location } : { kind: 'redirect', location };
      }
      if (secret === undefined || request.method !== 'GET') return { kind: 'refused' };
      // Nothing is awaited from here to the redirect: of two visits with one secret, one succeeds.
      if (!links.secrets.delete(hash(secret))) return { kind: links.spent.has(hash(secret)) ? 'used' : 'refused' };
      links.spent.add(hash(secret));
      const [value, key] = [random(), random()];
      links.visits.set(hash(value), hash(key));
      const location = `${pagePath(operationId)}/${key}`;
      const age = Math.ceil((links.until - options.now()) / 1000);
      return {
        kind: 'redirect',
        location,
        cookie: `${COOKIE}=${value}; Path=${location}; Max-Age=${age}; HttpOnly; SameSite=Strict`,
      };
    },
  };
}

/** 256 bits, base64url. */
function random(): string {
  return randomBytes(32).toString('base64url');
}

/** Secrets are compared as hashes, so that the time of the comparison does not reveal them. */
function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
