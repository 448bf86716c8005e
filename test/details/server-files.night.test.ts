/** What the files of a PostgreSQL server have of cards, its write-ahead log too, for who has the details id; and what a crash leaves. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newDetailsId, sealCard } from '../../src/details/seal.ts';
import { offices } from '../store/support/offices.ts';
import { filesBelow, openable } from '../support/sealed-cards.ts';
import { detailsOf } from './store-suite.ts';

let clock = Date.parse('2026-03-01T00:00:00Z');
const { postgres, cluster } = offices(() => ++clock);
const SURNAME = 'Quastenflosser';

test('no log of the database server has a card that the details id opens, and a crash leaves no card in any file', async () => {
  const office = postgres();
  const state = await office.open();
  const id = newDetailsId();
  const form = detailsOf(id, ++clock);
  await state.details.open(form);
  for (const card of [0, 1])
    expect(await state.details.submit(form.idHash, card, sealCard(id, form, card, { surname: SURNAME }), ++clock)).toBe(
      true,
    );
  const [{ data_directory: data } = {}] = await cluster().sql('postgres', 'show data_directory');
  const opened = (folder = '') => openable(filesBelow(join(String(data), folder)), id, form);
  // Writes to the files what the server has in memory alone.
  await cluster().sql('postgres', 'create database before template template0 strategy file_copy');
  expect(opened()).toContainEqual({ surname: SURNAME });
  expect(opened('pg_wal')).toEqual([]);
  await state.details.use(form.idHash, 'a', 'digest');
  await cluster().sql('postgres', 'create database after template template0 strategy file_copy');
  expect(opened('pg_wal')).toEqual([]);
  await cluster().crash();
  await cluster().start();
  expect(opened()).toEqual([]);
});
