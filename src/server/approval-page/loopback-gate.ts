/**
 * The gate on loopback: a one-time secret in the address that the browser is opened with, exchanged on the first visit
 * for a cookie of that approval alone. Secrets and cookies are kept as hashes, in memory only.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Approval } from '../../guard/ports.ts';
import type { Entry, Gate } from './gate.ts';

/** How long after an approval lapsed its page still tells the outcome, milliseconds. */
export const LINGER_MS = 60 * 60_000;

const COOKIE = 'fareclerk_approval';
const SECRET = /[?&]k=([\w-]{43})(?:&|$)/;

export interface LoopbackGateOptions {
  now(): number;
  /** Path of an approval's page. */
  path(operationId: string): string;
  /** Whether the other end belongs to the OS user we run as (peer.ts). */
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
  readonly visits: Set<string>;
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
      const door = known ?? { secrets: new Set(), visits: new Set(), until: approval.expiresAt + LINGER_MS };
      doors.set(approval.operationId, door);
      const secret = random();
      door.secrets.add(hash(secret));
      return secret;
    },
    visited: (operationId) => (doors.get(operationId)?.visits.size ?? 0) > 0,
    async authorize(request, operationId): Promise<Entry> {
      const door = doors.get(operationId);
      if (door === undefined || door.until <= options.now()) return { kind: 'refused' };
      const location = options.path(operationId);
      const visit = cookies(request)
        .map(hash)
        .find((one) => door.visits.has(one));
      const secret = SECRET.exec(request.url ?? '')?.[1];
      if (visit !== undefined)
        return secret === undefined ? { kind: 'ok', session: visit } : { kind: 'redirect', location };
      if (secret === undefined || request.method !== 'GET') return { kind: 'refused' };
      if (!door.secrets.has(hash(secret)) || !(await options.isOwnUser(request))) return { kind: 'refused' };
      // Spent after the last await: of two visitors with one secret, one comes in.
      if (!door.secrets.delete(hash(secret))) return { kind: 'refused' };
      const value = random();
      door.visits.add(hash(value));
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
