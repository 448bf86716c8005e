/** Claims in memory, and claims that the journal or the ledger proves. */
import { randomUUID } from 'node:crypto';
import type { Ledger } from '../domain/booking/booking-ledger.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { OperationStore } from '../journal/ports.ts';
import type { Claims } from './booking-access.ts';

/** For one process. */
export function memoryClaims(): Claims {
  const reached = new Set<string>();
  const tries = new Map<string, { readonly id: string; readonly at: number }[]>();
  const keyOf = ({ tenant, id }: Caller, ...more: string[]) => JSON.stringify([tenant, id, ...more]);
  return {
    async has(caller, locator) {
      return reached.has(keyOf(caller, locator));
    },
    async add(caller, locators) {
      for (const locator of locators) reached.add(keyOf(caller, locator));
    },
    async beginTry(caller, now, { since, max }) {
      const key = keyOf(caller);
      const counted = (tries.get(key) ?? []).filter(({ at }) => at > since);
      tries.set(key, counted);
      const [oldest] = counted;
      if (oldest !== undefined && counted.length >= max) return { kind: 'too_many', oldest: oldest.at };
      const id = randomUUID();
      counted.push({ id, at: now });
      return { kind: 'counted', id };
    },
    async takeBackTry(caller, id) {
      const key = keyOf(caller);
      const left = (tries.get(key) ?? []).filter((one) => one.id !== id);
      if (left.length === 0) tries.delete(key);
      else tries.set(key, left);
    },
  };
}

/** How many operations are searched for the booking that a split made. */
const LATEST = 100;

/** A caller also has what the journal shows that they made: the process may have died before it wrote the claim. */
export function claimsWithJournal(claims: Claims, operations: Pick<OperationStore, 'list'>): Claims {
  return claimsOr(claims, async (caller, locator) => {
    const ofCaller = { tenant: caller.tenant, caller: caller.id, states: ['succeeded'] } as const;
    if ((await operations.list({ ...ofCaller, locator, limit: 1 })).length > 0) return true;
    const latest = await operations.list({ ...ofCaller, limit: LATEST });
    return latest.some(({ outcome }) => outcome?.newLocator === locator);
  });
}

/** A caller also has what is in their ledger: only what they made or were allowed to read. */
export function claimsWithLedger(claims: Claims, ledger: Pick<Ledger, 'find'>): Claims {
  return claimsOr(claims, async (caller, locator) => {
    const { total } = await ledger.find(caller, { locators: [locator], limit: 1 });
    return total > 0;
  });
}

function claimsOr(claims: Claims, isProved: Claims['has']): Claims {
  return {
    has: async (caller, locator) => (await claims.has(caller, locator)) || isProved(caller, locator),
    add: (caller, locators, now) => claims.add(caller, locators, now),
    beginTry: (caller, now, limit) => claims.beginTry(caller, now, limit),
    takeBackTry: (caller, id) => claims.takeBackTry(caller, id),
  };
}
