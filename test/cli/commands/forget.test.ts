import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { newOperation } from '../../store/new-operation.ts';
import { putBack } from '../../store/support/journals.ts';
import { freshState, screen } from '../screen.ts';

const ME = { tenant: 'sandbox', id: 'os:me' };

/** The sandbox's state, with two bookings of Jane Doe. */
async function desk() {
  const env = freshState();
  const folder = join(env.FARECLERK_STATE_DIR ?? '', 'sandbox');
  const open = () =>
    openSqliteState(join(folder, 'fareclerk.sqlite'), { airline: 'sandbox', witnesses: join(folder, 'witness') });
  const state = await open();
  for (const locator of ['ABC123', 'DEF456'])
    await state.ledger.record(ME, {
      locator,
      madeHere: true,
      seenAt: Date.now(),
      state: 'held',
      contactName: 'Jane Doe',
    });
  await state.close();
  const listed = async () => {
    const opened = await open();
    const { entries } = await opened.ledger.find(ME, { limit: 10 });
    await opened.close();
    return entries.map(({ locator }) => locator).toSorted();
  };
  return { env, open, listed };
}

describe('fareclerk forget', () => {
  it('shows what goes and erases it only after a yes', async () => {
    const { env, listed } = await desk();
    const no = screen(env, { types: ['no'] });
    expect(await no.run('forget', '--name', 'DOE/JANE')).toBe(1);
    expect(no.stderr()).toContain('2 entries of the list of bookings (ABC123, DEF456)');
    expect(JSON.parse(no.stdout())).toMatchObject({ erased: false });
    expect(await listed()).toEqual(['ABC123', 'DEF456']);
    const yes = screen(env, { types: ['yes'], stdoutIsTerminal: true });
    expect(await yes.run('forget', '--locator', 'abc123')).toBe(0);
    expect(yes.stdout()).toContain('Erased.');
    expect(yes.stdout() + yes.stderr()).not.toMatch(/jane/i);
    expect(await listed()).toEqual(['DEF456']);
  });

  it('erases without a terminal only with --yes', async () => {
    const { env, listed } = await desk();
    const refused = screen(env);
    expect(await refused.run('forget', '--locator', 'ABC123')).toBe(2);
    expect(refused.stderr()).toContain('--yes');
    const done = screen({ ...env, FARECLERK_TICKETS_DIR: '/srv/tickets' });
    expect(await done.run('forget', '--name', 'Jane Doe', '--yes')).toBe(0);
    expect(JSON.parse(done.stdout())).toMatchObject({
      erased: true,
      bookings: ['ABC123', 'DEF456'],
      listed: 2,
      open: [],
    });
    expect(done.stderr()).toContain('/srv/tickets');
    expect(await listed()).toEqual([]);
  });

  it('keeps a booking with an open operation, and says what to do', async () => {
    const { env, open, listed } = await desk();
    const state = await open();
    const meta = { now: Date.now(), owner: 'p', leaseUntil: Date.now() + 600_000 };
    await state.operations.insert(newOperation('op1', { tenant: 'sandbox' }), meta);
    await state.close();
    const it = screen(env);
    expect(await it.run('forget', '--name', 'Jane Doe', '--yes')).toBe(1);
    expect(JSON.parse(it.stdout())).toMatchObject({
      bookings: ['DEF456'],
      open: [{ operation_id: 'op1', state: 'intent', booking: 'ABC123' }],
    });
    expect(it.stderr()).toContain(' journal reconcile --sandbox --state-dir ');
    expect(await listed()).toEqual(['ABC123']);
  });

  it('says after a restore that the person is forgotten again', async () => {
    const { env, open, listed } = await desk();
    const file = join(env.FARECLERK_STATE_DIR ?? '', 'sandbox', 'fareclerk.sqlite');
    const copy = `${env.FARECLERK_STATE_DIR}/copy.sqlite`;
    cpSync(file, copy);
    expect(await screen(env).run('forget', '--name', 'Jane Doe', '--yes')).toBe(0);
    await (await open()).close();
    putBack(copy, file);
    const restored = screen(env);
    expect(await restored.run('journal', 'restored')).toBe(0);
    expect(restored.stderr()).toContain('forgotten again');
    expect(await listed()).toEqual([]);
  });

  it.each([
    [[], '--locator, --name, --email or --document'],
    [['--name', 'Jane'], 'at least two words'],
    [['--document', 'A-12'], 'at least five letters and digits'],
  ])('refuses %j', async (argv, words) => {
    const it = screen(freshState());
    expect(await it.run('forget', ...argv)).toBe(2);
    expect(it.stderr()).toContain(words);
  });

  it('makes no state where there is none', async () => {
    const it = screen(freshState());
    expect(await it.run('forget', '--locator', 'ABC123', '--yes')).toBe(1);
    expect(it.stderr()).toContain('There is no state');
  });
});
