/** What is left of a used form in the files of a PostgreSQL server, its write-ahead log too, for who has the details id. */
import { expect, test } from 'vitest';
import { newDetailsId, sealCard } from '../../src/details/seal.ts';
import { offices } from '../store/support/offices.ts';
import type { Details, State } from '../store/support/ports.ts';
import { filesBelow, openable } from '../support/sealed-cards.ts';
import { detailsOf } from './store-suite.ts';

let clock = Date.parse('2026-03-01T00:00:00Z');
const { postgres, cluster } = offices(() => ++clock);
const SURNAME = 'Quastenflosser';

const found = ({ details }: State, { idHash }: Details) => details.find(idHash, ++clock);
const takes = ({ details }: State, { idHash }: Details) => details.submit(idHash, 1, 'sealed', ++clock);

test('no file of the database server has a card that the details id opens, once it is used: log, tables and after a kill', async () => {
  const office = postgres();
  const state = await office.open();
  const id = newDetailsId();
  const form = detailsOf(id, ++clock);
  await state.details.open(form);
  const other = detailsOf(newDetailsId(), ++clock);
  await state.details.open(other);
  await state.details.submit(other.idHash, 0, 'of another', ++clock);
  const empty = detailsOf(newDetailsId(), ++clock);
  await state.details.open(empty);
  for (const card of [0, 1])
    expect(await state.details.submit(form.idHash, card, sealCard(id, form, card, { surname: SURNAME }), ++clock)).toBe(
      true,
    );
  const [{ data_directory: data } = {}] = await cluster().sql('postgres', 'show data_directory');
  const opened = () => openable(filesBelow(String(data)), id, form);
  // Writes to the files what the server has in memory alone.
  const flush = (name: string) =>
    cluster().sql('postgres', `create database ${name} template template0 strategy file_copy`);
  await flush('before');
  expect(opened()).toContainEqual({ surname: SURNAME });

  // A dump reads the table of the keys: nobody waits long for it, and the next cleaning erases the key.
  const dump = office.sql('select count(*) from $.form_key; select pg_sleep(600)').catch(() => undefined);
  const dumping = "from pg_stat_activity where wait_event = 'PgSleep'";
  await expect.poll(() => cluster().sql('postgres', `select 1 ${dumping}`)).toHaveLength(1);
  await state.details.use(form.idHash, 'a', 'digest');
  await flush('meanwhile');
  expect(opened()).not.toEqual([]);
  await cluster().sql('postgres', `select pg_cancel_backend(pid) ${dumping}`);
  await dump;
  await state.clean();
  await flush('after');
  expect(opened()).toEqual([]);
  // Of others the key is still there.
  expect((await found(state, other))?.cards.get(0)).toBe('of another');
  await cluster().crash();
  expect(opened()).toEqual([]);
  await cluster().start();
  // The keys go with a crash, and with them what was entered.
  expect([await found(state, other), await takes(state, other)]).toEqual([undefined, false]);
  expect([await takes(state, empty), (await found(state, empty))?.cards.size]).toEqual([true, 1]);
});
