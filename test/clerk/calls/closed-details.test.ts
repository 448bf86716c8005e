/** A details form that an upgrade closed, because its offer is gone: the page and the call say so before anybody fills it in. */
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLocalPage } from '../../../src/pages/approval/local-page.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { fetchPage, visible } from '../../pages/approval/support/page-client.ts';
import { scratch } from '../../store/support/journals.ts';
import { detailsPage } from '../../support/details.ts';
import { CONTACT } from '../../support/people.ts';
import { refundableTrip } from './bookings.ts';
import { type Desk, openDesk } from './desk.ts';

const folder = scratch('closed-details');
let desk: Desk;
let page: ReturnType<typeof createLocalPage>;
beforeAll(async () => {
  desk = await openDesk({ detailsPage, openState: (now) => openSqliteState(folder.at('journal.sqlite'), { now }) });
  page = createLocalPage({ available: () => false, open: async () => false });
  page.serve(desk.clerk);
});
afterAll(async () => {
  await page.close();
  await desk.close();
  folder.remove();
});

it('says what to do instead, keeps nothing, and gives a new page when the call asks for one', async () => {
  const { offer_id: offer } = await refundableTrip(desk, 1);
  const args = { offer_ids: [offer], contact: CONTACT, passenger_counts: { adults: 1 } };
  const opened = async () => {
    const { structured } = await desk.result('create_booking', { ...args, details: 'page' });
    return (structured.details as { id: string }).id;
  };
  const id = await opened();
  const address = (await page.details.address(id)) ?? '';
  expect(visible(await fetchPage(address))).toContain('Passenger details');

  // As the conversion of the tables leaves it.
  using db = new DatabaseSync(folder.at('journal.sqlite'));
  db.exec('update details set closed_at = 1');

  const shown = await fetchPage(address);
  expect(shown.status).toBe(410);
  expect(visible(shown)).toContain('The offer that it was for is gone since the system was upgraded.');
  expect(shown.body).not.toContain('<form');
  const refused = await desk.result('create_booking', { ...args, details: id });
  expect(refused.structured.error).toMatchObject({ code: 'E_INPUT' });
  expect(refused.text).toContain('an upgrade of the server closed the page of this id');
  expect(await desk.parts.state.operations.list({ limit: 1 })).toEqual([]);
  expect(await opened()).not.toBe(id);
});
