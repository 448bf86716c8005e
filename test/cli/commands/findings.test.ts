import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/domain/booking/finding.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { freshState, screen } from '../screen.ts';

const FINDING: Finding = {
  ...{
    id: 'abcdefgh-1',
    tenant: 'sandbox',
    locator: 'ABC123',
    kind: 'segment_cancelled',
    seenAt: Date.now(),
    since: 1,
  },
  segment: { from: 'QCA', to: 'XMD', number: '101', departs: '2099-01-01T08:00:00+03:00' },
  ...{ before: { status: 'confirmed' }, after: { status: 'cancelled' } },
};

async function desk() {
  const env = freshState();
  const folder = join(env.FARECLERK_STATE_DIR ?? '', 'sandbox');
  const state = await openSqliteState(join(folder, 'fareclerk.sqlite'), {
    ...{ airline: 'sandbox', witnesses: join(folder, 'witness') },
  });
  await state.findings.add([FINDING, { ...FINDING, id: 'zyxwvuts-2', locator: 'XYZ789', tenant: 'other' }]);
  await state.close();
  return env;
}

describe('fareclerk findings', () => {
  it('lists what is open, of all tenants', async () => {
    const shown = screen(await desk());
    expect(await shown.run('findings')).toBe(0);
    expect(shown.stdout()).toMatch(
      /^abcdefgh +ABC123 +\S+ +train 101 QCA → XMD on Thu 1 Jan was cancelled by the airline/m,
    );
    expect(shown.stdout()).toContain('XYZ789 (other)');
  });

  it('closes by locator or by id, and says what it does not know', async () => {
    const env = await desk();
    const closed = screen(env);
    expect(await closed.run('findings', 'close', 'abc123', 'NOSUCH', '--by', 'ann')).toBe(1);
    expect([closed.stdout(), closed.stderr()]).toEqual(['Closed: 1\n', expect.stringContaining('NOSUCH')]);
    const other = screen(env);
    expect(await other.run('findings', 'close', 'zyxwvuts')).toBe(0);
    const none = screen(env);
    expect(await none.run('findings')).toBe(0);
    expect(none.stderr()).toContain('No open findings.');
    const all = screen(env);
    expect(await all.run('findings', '--all', '--json')).toBe(0);
    const lines = all
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ locator }) => locator).sort()).toEqual(['ABC123', 'XYZ789']);
    expect(lines.find(({ locator }) => locator === 'ABC123')).toMatchObject({
      closedBy: expect.stringContaining('ann'),
    });
    const told = screen(env);
    await told.run('findings', '--all');
    expect(told.stdout()).toContain('closed ');
  });

  it('refuses words that it does not know, and says if there is no state', async () => {
    const wrong = screen(await desk());
    expect(await wrong.run('findings', 'open')).toBe(2);
    expect(await wrong.run('findings', 'close')).toBe(2);
    const empty = screen(freshState());
    expect(await empty.run('findings')).toBe(0);
    expect(empty.stderr()).toContain('There is no state yet');
  });
});
