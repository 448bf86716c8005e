/** Cards on PostgreSQL stand in a table that a crash of the server empties: they have to be entered again, and nothing is guessed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLocalPage } from '../../../src/pages/approval/local-page.ts';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { fetchPage, visible } from '../../pages/approval/support/page-client.ts';
import { suiteDatabase } from '../../store/support/suite-database.ts';
import { detailsPage, enterDetails, newTraveller } from '../../support/details.ts';
import { CONTACT } from '../../support/people.ts';
import { refundableTrip } from './bookings.ts';
import { type Desk, openDesk } from './desk.ts';

const { url, cluster, freshSchema } = suiteDatabase();
let desk: Desk;
let schema: string;
let page: ReturnType<typeof createLocalPage>;
beforeAll(async () => {
  schema = freshSchema();
  desk = await openDesk({ detailsPage, openState: (now) => openPostgresState(url(), { schema, now }) });
  page = createLocalPage({ available: () => false, open: async () => false });
  page.serve(desk.clerk);
});
afterAll(async () => {
  await page.close();
  await desk.close();
});

it('the page and the call say that what was entered has to be entered again, and nothing is sent until it is', async () => {
  const [persistence] = await cluster().sql(
    'clerk',
    `select relpersistence from pg_class where oid = '${schema}.card'::regclass`,
  );
  expect(persistence).toEqual({ relpersistence: 'u' });
  const { offer_id: offer } = await refundableTrip(desk, 2);
  const args = { offer_ids: [offer], contact: CONTACT, passenger_counts: { adults: 2 } };
  const call = async (details: string) => (await desk.result('create_booking', { ...args, details })).structured;
  const { id } = (await call('page')).details as { id: string };
  const address = (await page.details.address(id)) ?? '';
  const shown = async () => visible(await fetchPage(address));
  const enter = (...travellers: Parameters<typeof enterDetails>[2]) =>
    enterDetails(desk.parts.state, id, travellers, desk.parts.clock.now());
  await enter(newTraveller());
  expect(await shown()).not.toContain('was lost');

  // As a crash of the server leaves it.
  await cluster().sql('clerk', `truncate ${schema}.card`);
  expect(await shown()).toContain('What was entered here before was lost. Please enter every traveller again.');
  const required = await desk.result('create_booking', { ...args, details: id });
  expect(required.structured).toMatchObject({ status: 'details_required', details: { travellers: 2, complete: 0 } });
  expect(required.text).toContain('was lost: it has to be entered again');
  expect(await desk.parts.state.operations.list({ limit: 1 })).toEqual([]);

  await enter(newTraveller());
  expect(await shown()).not.toContain('was lost');
  await enter(newTraveller(), newTraveller());
  expect(await call(id)).toMatchObject({ status: 'done' });
});
