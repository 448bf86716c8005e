import { describe, expect, test } from 'vitest';
import { suiteDatabase } from './support/suite-database.ts';

const { open } = suiteDatabase();

describe('the shared login', () => {
  const NAME = 'desk@airline';
  const TOKENS = { accessToken: 'a', expiresIn: 7200, refreshToken: 'r', refreshExpiresIn: 14_400 };
  async function shelf() {
    const { logins } = await open();
    if (logins === undefined) throw new Error('no logins');
    return logins;
  }

  test('returns no tokens at first, busy during a claim, and then the tokens with their age', async () => {
    const logins = await shelf();
    expect(await logins.read(NAME)).toEqual({ generation: 0, ageMs: 0, busy: false, pauseMs: 0, failures: 0 });
    const won = await Promise.all(Array.from({ length: 20 }, (_, i) => logins.claim(NAME, 0, `p${i}`, 12_000)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect((await logins.read(NAME)).busy).toBe(true);
    const holder = `p${won.indexOf(true)}`;
    expect(await logins.put(NAME, 0, 'somebody', TOKENS, 0)).toBe(false);
    expect(await logins.put(NAME, 0, holder, TOKENS, 90_000)).toBe(true);
    const login = await logins.read(NAME);
    expect(login).toMatchObject({ generation: 1, tokens: TOKENS, busy: false, failures: 0 });
    expect(login.ageMs).toBeGreaterThanOrEqual(90_000);
    expect(login.ageMs).toBeLessThan(95_000);
    expect((await logins.read('another')).generation).toBe(0);
  });

  test('keeps a slow holder with an expired lease from overwriting newer tokens', async () => {
    const logins = await shelf();
    await logins.read(NAME);
    expect(await logins.claim(NAME, 0, 'slow', 0)).toBe(true);
    expect(await logins.claim(NAME, 0, 'quick', 12_000)).toBe(true);
    expect(await logins.put(NAME, 0, 'slow', { ...TOKENS, accessToken: 'late' }, 0)).toBe(false);
    expect(await logins.put(NAME, 0, 'quick', TOKENS, 0)).toBe(true);
    expect(await logins.claim(NAME, 0, 'slow', 12_000)).toBe(false);
    expect((await logins.read(NAME)).tokens?.accessToken).toBe('a');
  });

  test('applies a login pause to all instances, counts refusals, and ends both with a token', async () => {
    const logins = await shelf();
    await logins.read(NAME);
    await logins.claim(NAME, 0, 'p', 12_000);
    await logins.pause(NAME, 0, 'p', 60_000);
    const paused = await logins.read(NAME);
    expect(paused).toMatchObject({ failures: 1, busy: false });
    expect(paused.pauseMs).toBeGreaterThan(55_000);
    expect(await logins.claim(NAME, 0, 'q', 12_000)).toBe(false);
    const again = await shelf();
    await again.read(NAME);
    for (let i = 1; i <= 3; i++) {
      await again.claim(NAME, 0, 'p', 12_000);
      await again.refuse(NAME, 0, 'p', { status: 401, oauthError: 'invalid_grant' });
      const { refusal } = await again.read(NAME);
      expect(refusal).toMatchObject({ status: 401, oauthError: 'invalid_grant', inAnHour: i });
      expect(refusal?.ageMs).toBeLessThan(5_000);
    }
    await again.claim(NAME, 0, 'p', 12_000);
    await again.put(NAME, 0, 'p', TOKENS, 0);
    expect(Object.keys(await again.read(NAME))).not.toContain('refusal');
  });
});
