import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { newOperation } from '../../store/new-operation.ts';
import { freshState, screen } from '../screen.ts';

const TRIP = ['HHR101 MED → JED, Wed 9 Dec 2026', 'HHR202 JED → MED, Fri 11 Dec 2026'];

test('journal show names train and day of a lost hold, and of a booking those of its last reading', async () => {
  const env = freshState();
  const folder = join(env.FARECLERK_STATE_DIR ?? '', 'sandbox');
  const state = await openSqliteState(join(folder, 'fareclerk.sqlite'), { airline: 'sandbox' });
  const { locator: _, ...bare } = newOperation('aaaa');
  const create = { ...bare, tool: 'create_booking', subject: { kind: 'create', trip: TRIP } } as const;
  const meta = { now: 1000, owner: 'p1', leaseUntil: 61_000 };
  await state.operations.insert(create, meta);
  await state.operations.insert(newOperation('bbbb', { locator: 'ABC123' }), meta);
  await state.operations.insert(newOperation('cccc', { locator: 'ABC999' }), meta);
  await state.ledger.record(
    { tenant: 't', id: 'me' },
    {
      locator: 'ABC123',
      madeHere: true,
      seenAt: 1000,
      state: 'held',
      route: 'RUH-DMM',
      departs: '2026-12-01T08:00:00+03:00',
    },
  );
  await state.close();
  const shown = async (id: string) => {
    const it = screen(env, { stdoutIsTerminal: true });
    await it.run('journal', 'show', id);
    return it.stdout();
  };
  expect(await shown('aaaa')).toContain(`trip         ${TRIP.join('; ')}`);
  expect(await shown('bbbb')).toContain('trip         RUH-DMM, Tue 1 Dec 2026');
  expect(await shown('cccc')).not.toMatch(/^trip/m);
  const json = screen(env);
  await json.run('journal', 'show', 'aaaa');
  expect(JSON.parse(json.stdout())).toMatchObject({ trip: TRIP.join('; ') });
});
