/** What any store of claims must do. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { State } from './support/ports.ts';

const ME = { tenant: 't', id: 'me' };
const OTHERS = [
  { tenant: 't', id: 'you' },
  { tenant: 'u', id: 'me' },
];
const limit = (since: number) => ({ since, max: 5 });

export function describeClaims(name: string, open: () => Promise<State['claims']>): void {
  let claims: State['claims'];
  beforeEach(async () => {
    claims = await open();
  });

  describe(`${name}: claims`, () => {
    test('keeps a claim for its caller by every name of the booking, and accepts it again', async () => {
      await claims.add(ME, ['ABC123', 'LONGER-1'], 1000);
      await claims.add(ME, ['ABC123'], 2000);
      await claims.add(ME, [], 3000);
      const has = (caller: typeof ME, ...names: string[]) => Promise.all(names.map((one) => claims.has(caller, one)));
      expect(await has(ME, 'ABC123', 'LONGER-1', 'XYZ789')).toEqual([true, true, false]);
      for (const other of OTHERS) expect(await has(other, 'ABC123')).toEqual([false]);
    });

    test('counts a try before it is made, for an hour, and returns the time of the oldest if there are too many', async () => {
      for (let i = 0; i < 5; i++) expect(await claims.begin(ME, 1000 + i, limit(0))).toMatchObject({ kind: 'counted' });
      expect(await claims.begin(ME, 1010, limit(0))).toEqual({ kind: 'too_many', oldest: 1000 });
      for (const other of OTHERS) expect(await claims.begin(other, 1010, limit(0))).toMatchObject({ kind: 'counted' });
      expect((await claims.begin(ME, 5000, limit(999))).kind).toBe('too_many');
      expect((await claims.begin(ME, 5000, limit(1000))).kind).toBe('counted');
      expect(await claims.begin(ME, 5000, limit(1000))).toEqual({ kind: 'too_many', oldest: 1001 });
    });

    test('keeps the limit under many tries at once, of which only their caller takes back one that was right', async () => {
      const tries = await Promise.all(Array.from({ length: 40 }, () => claims.begin(ME, 1000, limit(0))));
      const counted = tries.flatMap((one) => (one.kind === 'counted' ? [one.id] : []));
      expect(counted).toHaveLength(5);
      const [first = ''] = counted;
      for (const other of OTHERS) await claims.forget(other, first);
      expect((await claims.begin(ME, 1001, limit(0))).kind).toBe('too_many');
      await claims.forget(ME, first);
      await claims.forget(ME, 'unknown');
      expect((await claims.begin(ME, 1001, limit(0))).kind).toBe('counted');
    });
  });
}
