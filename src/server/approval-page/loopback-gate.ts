/**
 * The gate on loopback: a one-time secret in the address that the browser is opened with, exchanged on the first visit
 * for a page of its own, whose address holds a key and whose cookie is sent to that address alone. Other users of the
 * machine can read the first address in the process list, and can make the browser send cookies to a port of theirs:
 * the secret is spent by then, and no cookie goes to an address they cannot guess. Where the system tells whose
 * connection it is, other users are turned away with whatever they bring. All is kept as hashes, in memory only.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Approval } from '../../approvals/ports.ts';
import type { Entry, Gate } from './gate.ts';

/** How long after an approval lapsed its page still tells the outcome, milliseconds. */
export const LINGER_MS = 60 * 60_000;

const COOKIE = 'fareclerk_approval';
const SECRET = /[?&]k=([\w-]{43})(?:&|$)/;
/** The key of a visit, the last part of its page's path. */
const PAGE_KEY = /\/([\w-]{43})(?:\?|$)/;

export interface LoopbackGateOptions {
  now(): number;
  /** Path of an approval's page. */
  path(operationId: string): string;
  /** False where another OS user is at the other end of the connection (peer.ts). Asked for every request. */
  isOwnUser(request: IncomingMessage): Promise<boolean>;
}

export interface LoopbackGate extends Gate {
  /** A new secret that opens this approval's page once. */
  secretFor(approval: Approval): string;
  /** Somebody came in with a secret of this approval. */
  visited(operationId: string): boolean;
}

interface Door {
  readonly secrets: Set<string>;
  /** Hash of a visit's cookie → hash of its page's key. */
  readonly visits: Map<string, string>;
  readonly until: number;
}

export function createLoopbackGate(options: LoopbackGateOptions): LoopbackGate {
  const doors = new Map<string, Door>();

  function purge(): void {
    for (const [id, door] of doors) if (door.until <= options.now()) doors.delete(id);
  }

  return {
    secretFor(approval) {
      purge();
      const known = doors.get(approval.operationId);
      const door = known ?? { secrets: new Set(), visits: new Map(), until: approval.expiresAt + LINGER_MS };
      doors.set(approval.operationId, door);
      const secret = random();
      door.secrets.add(hash(secret));
      return secret;
    },
    visited: (operationId) => (doors.get(operationId)?.visits.size ?? 0) > 0,
    async authorize(request, operationId): Promise<Entry> {
      const door = doors.get(operationId);
      if (door === undefined || door.until <= options.now()) return { kind: 'refused' };
      // Asked before the secret and the cookie are looked at, so that another user learns nothing from the answer.
      if (!(await options.isOwnUser(request))) return { kind: 'refused' };
      const url = request.url ?? '';
      const [secret, pageKey] = [SECRET.exec(url)?.[1], PAGE_KEY.exec(url)?.[1]];
      if (pageKey !== undefined) {
        const key = hash(pageKey);
        const visit = cookies(request)
          .map(hash)
          .find((one) => door.visits.get(one) === key);
        if (visit === undefined) return { kind: 'refused' };
        const location = `${options.path(operationId)}/${pageKey}`;
        return secret === undefined ? { kind: 'ok', session: visit, path: location } : { kind: 'redirect', location };
      }
      if (secret === undefined || request.method !== 'GET') return { kind: 'refused' };
      // No wait between here and the redirect: of two visitors with one secret, one comes in.
      if (!door.secrets.delete(hash(secret))) return { kind: 'refused' };
      const [value, key] = [random(), random()];
      door.visits.set(hash(value), hash(key));
      const location = `${options.path(operationId)}/${key}`;
      const age = Math.ceil((door.until - options.now()) / 1000);
      return {
        kind: 'redirect',
        location,
        cookie: `${COOKIE}=${value}; Path=${location}; Max-Age=${age}; HttpOnly; SameSite=Strict`,
      };
    },
  };
}

/** Every cookie of our name: another server of this host may have set one too (cookies know no ports). */
function cookies(request: IncomingMessage): string[] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${COOKIE}=`)).map((pair) => pair.slice(COOKIE.length + 1));
}

/** 256 bits, base64url. */
function random(): string {
  return randomBytes(32).toString('base64url');
}

/** Compared as hashes, so that the time of a comparison tells nothing of the secret. */
function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
