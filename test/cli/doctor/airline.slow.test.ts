/** `fareclerk doctor` on what is on sale, over real sockets: against the sandbox, and against replies written by hand. */
import { describe, expect, it } from 'vitest';
import * as deviant from './deviant.ts';
import { DAY, found, type Replies } from './deviant.ts';
import { doctorOn, type Env, withWorld } from './world.ts';

/** Examines the hand-written airline. */
async function visited(replies: Replies, env: Env = {}) {
  return withWorld(async (world) => {
    const { origin } = await world.front(deviant.airline(replies));
    return doctorOn({ env: { ...deviant.settings(world.env, origin), ...env } }, deviant.ASKED);
  });
}

describe('the sandbox airline', () => {
  it.each(['rail', 'airline'] as const)('has nothing against it in the %s dialect, and only reads', async (dialect) => {
    await withWorld(async (world) => {
      const sandbox = await world.sandboxWith({ dialect });
      const { code, text } = await doctorOn({ env: { ...world.env, ...sandbox.settings } });
      expect(code, text).toBe(0);
      expect(sandbox.ledger()).toEqual([]);
    });
  });

  it.each([
    ['rail', 'airline'],
    ['airline', 'rail'],
  ] as const)('is recognised in the %s dialect where the other one is set', async (dialect, FARECLERK_DIALECT) => {
    await withWorld(async (world) => {
      const { settings } = await world.sandboxWith({ dialect });
      const { check } = await doctorOn({ env: { ...world.env, ...settings, FARECLERK_DIALECT } });
      expect(check('fare_search')).toMatchObject({
        finding: 'other_dialect',
        advice: `Set FARECLERK_DIALECT=${dialect}.`,
      });
    });
  });
});

describe('the dialect', () => {
  it('is that of fare codes that name their segment, or of rows that name travellers', async () => {
    expect((await visited({})).check('fare_search')).toMatchObject({ level: 'ok' });
    const { code, check } = await visited({ search: deviant.airlineFares() });
    expect([code, check('fare_search')]).toMatchObject([1, { finding: 'other_dialect' }]);
    const set = await visited({ search: deviant.airlineFares() }, { FARECLERK_DIALECT: 'airline' });
    expect(set.check('fare_search')).toMatchObject({ level: 'ok' });
  });

  it('is left as it is set if nothing in the reply decides it, and the check says what it saw', async () => {
    const { code, check } = await visited({ search: deviant.bareFares() });
    expect([code, check('fare_search')]).toMatchObject([0, { level: 'warn', finding: 'dialect_unclear' }]);
    expect(check('fare_search')?.said).toMatch(
      /^1 offers .* They do not tell the dialect, so FARECLERK_DIALECT=rail is not confirmed\. Seen: carriers of two characters/,
    );
  });
});

it('says how to name another pair if nothing is on sale', async () => {
  const { check, code } = await visited({ search: found() });
  expect([code, check('fare_search')]).toMatchObject([0, { level: 'warn', finding: 'nothing_on_sale' }]);
  expect(check('fare_search')?.said).toBe(
    `No offers on ${DAY}: AAA to BBB. So dialect and currency were not compared.`,
  );
  expect(check('fare_search')?.advice).toContain('doctor --route FROM-TO');
});
