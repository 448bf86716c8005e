/** A group without names is named on the details page: before its payment, after it, and not too late. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLocalPage } from '../../../src/pages/approval/local-page.ts';
import { visible } from '../../pages/approval/support/page-client.ts';
import { type Fields, visit } from '../../pages/details/support/details-desk.ts';
import { cardFields, onCards, people } from '../../pages/details/support/list-page.ts';
import { CONTACT } from '../../support/people.ts';
import { dayFrom, type Sold } from './bookings.ts';
import { accept, codeOf, type Desk, errorOf, failures, openDesk, PAY, type Result } from './desk.ts';

const NO_BROWSER = { available: () => false, open: async () => false };
const DAY_MS = 86_400_000;

describe.each(['rail', 'airline'] as const)('in the %s dialect', (dialect) => {
  let desk: Desk;
  let page: ReturnType<typeof createLocalPage>;
  beforeAll(async () => {
    page = createLocalPage(NO_BROWSER);
    desk = await openDesk({ sandbox: { dialect }, detailsPage: page.details });
    page.serve(desk.clerk);
  });
  afterAll(async () => {
    await page.close();
    await desk.close();
    expect(failures).toEqual([]);
  });

  async function heldGroup(adults: number): Promise<string> {
    const pairs = (await desk.parts.airline.routes()).flatMap(({ from, to }) => to.map((end) => [from.code, end.code]));
    let offer_id = '';
    for (const [from, to] of pairs) {
      const legs = [{ from, to, date: dayFrom(desk, 30) }];
      const found = await desk.result('search_fares', { legs, passengers: { adults }, max_results: 5 });
      offer_id = ((found.structured.offers ?? []) as Sold[])[0]?.offer_id ?? '';
      if (offer_id !== '') break;
    }
    const group = { passenger_counts: { adults }, group_name: 'Choir of the North' };
    const made = await desk.result('create_booking', { offer_ids: [offer_id], contact: CONTACT, ...group });
    expect(made.structured.status, made.text).toBe('done');
    return (made.structured.booking as { locator: string }).locator;
  }

  /** The arguments for passengers from one to another, and their page. */
  async function pageFor(locator: string, from: number, to: number) {
    const refs = Array.from({ length: to - from + 1 }, (_, n) => String(from + n));
    const args = { locator, changes: refs.map((passenger_ref) => ({ passenger_ref })) };
    const asked = await desk.result('change_names', { ...args, details: 'page' });
    const { id, url } = asked.structured.details as { id: string; url: string };
    return { asked, args: { ...args, details: id }, traveller: await visit(url) };
  }

  const passengers = async (locator: string) => {
    const { booking } = (await desk.result('read_booking', { locator })).structured;
    return (booking as { passengers: { name?: string; unnamed?: boolean }[] }).passengers;
  };
  const names = ({ structured }: Result) => (structured.changes as { now: string }[]).map(({ now }) => now);

  test('nine, whom the sandbox sells at most at once, are named at once; a card that is wrong is corrected on the page', async () => {
    const locator = await heldGroup(9);
    const { asked, args, traveller } = await pageFor(locator, 1, 9);
    expect(asked.text).toContain('Traveller 1 is passenger 1, and so on. Then call change_names ');
    const rows = people(9);
    const back = await traveller.send(onCards(rows.with(4, (rows[4] ?? []).with(5, 'Atlantis'))));
    expect(visible(back)).toContain('Traveller 5: Nationality');
    const half = await desk.result('change_names', args);
    expect(half.structured).toMatchObject({ status: 'details_required', details: { complete: 8, travellers: 9 } });
    const right: Fields = { ...cardFields(back), 'nationality-5': 'Saudi Arabia' };
    expect(visible(await traveller.send(right))).toContain('Thank you');
    const done = await desk.result('change_names', args);
    expect(done.structured.status, done.text).toBe('done');
    const entered = rows.map(([surname, given]) => `${given} ${surname}`.toUpperCase());
    expect(names(done).map((name) => name.toUpperCase())).toEqual(entered);
    expect((await passengers(locator)).filter(({ unnamed }) => unnamed)).toEqual([]);
    const { travelers } = (await desk.parts.airline.read(locator)).reading;
    expect(travelers.map(({ document }) => document?.number)).toEqual(rows.map((row) => row[4]));
    expect(JSON.stringify(done)).not.toMatch(/K70000\d\d/);
  });

  test('some before payment, the others after it once a person approves; after the time limit no page is opened', async () => {
    const locator = await heldGroup(6);
    const first = await pageFor(locator, 1, 3);
    // So few travellers are entered as fast on their cards.
    expect(first.asked.text).not.toContain('spreadsheet');
    expect((await first.traveller.send(onCards(people(3, 20)))).status).toBe(200);
    expect((await desk.result('change_names', first.args)).structured.status).toBe('done');
    expect(codeOf(await desk.say('pay_booking', { locator, ...PAY }, accept))).toBe('done');
    const second = await pageFor(locator, 4, 6);
    await second.traveller.send(onCards(people(2, 30)));
    const [third = []] = people(1, 40);
    await second.traveller.send(onCards([[], [], third]));
    const asked = await desk.ask('change_names', second.args);
    const done = await asked.yes();
    expect(done.structured.status, done.text).toBe('done');
    expect((await passengers(locator)).filter(({ unnamed }) => unnamed)).toEqual([]);
    // Replies of the airline dialect name no limit.
    if (dialect === 'airline') return;
    const { booking } = (await desk.result('read_booking', { locator })).structured;
    const { names_until } = (booking as { deadlines: { names_until: string } }).deadlines;
    desk.advance(Date.parse(names_until) - desk.sandbox.now() + DAY_MS / 24);
    const late = await desk.result('change_names', { locator, changes: [{ passenger_ref: '1' }], details: 'page' });
    expect(errorOf(late)).toMatchObject({ effect: 'none', message: expect.stringMatching(/names/) });
  });
});
