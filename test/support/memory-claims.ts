/** Claims in the memory of a test. */
import { randomUUID } from 'node:crypto';
import type { claimsWithJournal } from '../../src/access/booking-access.ts';

type Claims = ReturnType<typeof claimsWithJournal>;
type Caller = Parameters<Claims['has']>[0];

export function memoryClaims(): Claims {
  const claimed = new Map<string, number>();
  const tries = new Map<string, { readonly id: string; readonly at: number }[]>();
  const claimKey = ({ tenant, id }: Caller, locator: string) => JSON.stringify([tenant, id, locator]);
  return {
    async has(caller, locator) {
      return claimed.has(claimKey(caller, locator));
    },
    async times(caller, names) {
      const all = names.map((name) => [name, claimed.get(claimKey(caller, name))] as const);
      return new Map(all.flatMap(([name, at]) => (at === undefined ? [] : [[name, at]])));
    },
    async add(caller, names, now) {
      for (const key of names.map((name) => claimKey(caller, name))) claimed.set(key, claimed.get(key) ?? now);
    },
    async remove(caller, names) {
      for (const name of names) claimed.delete(claimKey(caller, name));
    },
    async beginTry(caller, now, { since, max }) {
      const key = JSON.stringify([caller.tenant, caller.id]);
      const counted = (tries.get(key) ?? []).filter(({ at }) => at > since);
      tries.set(key, counted);
      const [oldest] = counted;
      if (oldest !== undefined && counted.length >= max) return { kind: 'too_many', oldest: oldest.at };
      const id = randomUUID();
      counted.push({ id, at: now });
      return { kind: 'counted', id };
    },
    async takeBackTry(caller, id) {
      const key = JSON.stringify([caller.tenant, caller.id]);
      const counted = (tries.get(key) ?? []).filter((attempt) => attempt.id !== id);
      if (counted.length === 0) tries.delete(key);
      else tries.set(key, counted);
    },
  };
}
