/**
 * One-time addresses of tickets: `{public_url}/tickets/{key}`. The key is random, its hash is in the shared state, so that any
 * instance can answer and one of them ends it. The PDF itself is stored nowhere: it is fetched when the address is opened.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { TicketGrant, TicketKeys, TicketName } from '../../domain/booking/ticket-documents.ts';
import type { Caller } from '../../domain/people/caller.ts';
import type { TicketDelivery } from '../../tools/definition/define.ts';

export const TICKETS_PATH = '/tickets/';
const LIFE_MS = 5 * 60_000;
/** 192 bits, base64url. */
const KEY_BYTES = 24;

export interface TicketLinks extends TicketDelivery {
  link(caller: Caller, ticket: TicketName): Promise<string>;
  /** What a key gives; undefined if it is not ours, spent or expired. */
  find(key: string): Promise<TicketGrant | undefined>;
  /** Ends a key. False if it has ended before. */
  spend(key: string): Promise<boolean>;
}

interface TicketLinkOptions {
  keys(): Promise<TicketKeys>;
  /** Milliseconds since 1970, by the clock of all who share the keys. */
  now(): Promise<number>;
  /** Without a slash at the end; known once the server listens. */
  publicUrl(): string;
}

export function createTicketLinks({ keys, now, publicUrl }: TicketLinkOptions): TicketLinks {
  return {
    async link(caller, { locator, number, coupon }) {
      const key = randomBytes(KEY_BYTES).toString('base64url');
      const at = await now();
      await (await keys()).put(hashOf(key), { caller, locator, number, coupon }, at, at + LIFE_MS);
      return `${publicUrl()}${TICKETS_PATH}${key}`;
    },
    find: async (key) => (await keys()).find(hashOf(key), await now()),
    spend: async (key) => (await keys()).spend(hashOf(key)),
  };
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
