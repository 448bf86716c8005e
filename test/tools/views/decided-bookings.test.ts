/** Many bookings decided in one reading: list_bookings with locators says of each what it would refund; and the fee of a change in read_booking. */
import { describe, expect, test } from 'vitest';
import { LIST_READINGS } from '../../../src/clerk/request-rates.ts';
import { ClerkError } from '../../../src/core/errors.ts';
import {
  BACK,
  fare,
  held,
  NOW,
  OUT,
  permitting,
  pricing,
  rule,
  sar,
  ticketed,
  withLocator,
} from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';
import { type Airline, type Booking, CALLER, openDesk } from '../support/desk.ts';

const WORDS = 'Refund only on proof of illness of a traveller or of a close relative.';
const says = (text: string, over = {}) => rule({ ...over, texts: [{ locale: 'en', text }] });
const changes = [rule({ base: sar(5000), until: '2026-12-01T02:00:00Z', texts: [] })];
const oneWay = (refundRules: readonly ReturnType<typeof rule>[], changeRules = changes) =>
  permitting(
    ticketed({
      options: [OUT],
      pricing: pricing(69000, { fares: [fare('1', 'MED', 'JED', { refundRules, changeRules })] }),
    }),
    ['10', '20', '30'],
  );
const FREE = [rule({ base: sar(0), texts: [] })];
const NEVER = [rule({ base: sar(0), refundable: false, texts: [] })];
const list = async (bookings: readonly Booking[], airline: Partial<Airline> = {}) => {
  const desk = await openDesk({ bookings, airline });
  const answer = await desk.read('list_bookings', { locators: bookings.map(({ locator }) => locator) });
  return { ...answer, rows: new Map(answer.view.bookings.map((each: Booking) => [each.locator, each])) };
};

describe('named bookings', () => {
  test('say when they were made, what comes back now and until when, and whether that depends on words of the airline', async () => {
    const { rows, text, view } = await list([
      withLocator('FREE11', oneWay(FREE)),
      withLocator('NEVER1', oneWay(NEVER)),
      withLocator('SICK11', oneWay([says(WORDS, { base: sar(10000) })])),
      withLocator('SICK12', oneWay([says(WORDS, { base: sar(0) })])),
      withLocator('HELD11', held()),
    ]);
    expect(rows.get('FREE11')).toMatchObject({ refund_now: '690.00', made: '2026-11-29T07:55+03:00' });
    expect(rows.get('FREE11')).not.toHaveProperty('on_condition');
    expect(rows.get('NEVER1')).toMatchObject({ refund_now: '0.00' });
    expect(rows.get('SICK11')).toMatchObject({ refund_now: '575.00', on_condition: 'all' });
    expect(rows.get('SICK12')).toMatchObject({ refund_now: '690.00', on_condition: 'all' });
    // Nothing was paid for it: nothing comes back.
    for (const field of ['refund_now', 'refund_note']) expect(rows.get('HELD11')).not.toHaveProperty(field);
    expect(text).toContain('SAR 575.00 comes back now, on a condition, until Mon 30 Nov 08:00');
    expect(text).toMatch(/nothing comes back now$/m);
    expect(text).toContain('What comes back is estimated by the rules; the airline decides.');
    expect(text).toContain(`The airline's condition for SICK11, SICK12: “${WORDS}”`);
    expect(view.conditions).toEqual([{ says: WORDS, locators: ['SICK11', 'SICK12'] }]);
  });

  test('say why no sum is known', async () => {
    const { rows } = await list([withLocator('CLOSED', permitting(oneWay(FREE), ['3']))]);
    expect(rows.get('CLOSED')).toMatchObject({
      refund_note: expect.stringMatching(
        /^Not all of it can be cancelled: the airline does not permit cancelling segment 1/,
      ),
    });
  });

  test('read one by one, say the fee of a change, for which flights, and nothing where there is no rule', async () => {
    const bookings = [
      withLocator('CLOSED', permitting(oneWay(FREE), ['3'])),
      withLocator('TWOWAY', {
        ...oneWay(FREE),
        options: [...oneWay(FREE).options, ...permitting(ticketed({ options: [BACK] }), ['10']).options],
        pricing: pricing(69000, {
          fares: [
            fare('1', 'MED', 'JED', { refundRules: FREE, changeRules: changes }),
            fare('2', 'JED', 'MED', { refundRules: FREE, changeRules: changes }),
          ],
        }),
      }),
      withLocator('NORULE', oneWay(FREE, [])),
    ];
    const desk = await openDesk({ bookings });
    const fees = bookings.map(async ({ locator }) => (await desk.read('read_booking', { locator })).view.change);
    expect(await Promise.all(fees)).toEqual([undefined, 'at most SAR 57.50 a train (only 1)', undefined]);
  });

  test('are twenty in 9,000 characters', async () => {
    const people = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')];
    const { text, view } = await list(
      Array.from({ length: 20 }, (_, n) =>
        withLocator(`TRIP${10 + n}`, { ...oneWay([says(`${WORDS} ${n}`, { base: sar(n * 100) })]), travelers: people }),
      ),
    );
    expect(view.bookings).toHaveLength(20);
    expect(text.length).toBeLessThanOrEqual(9_000);
    expect(JSON.stringify(view).length).toBeLessThanOrEqual(9_000);
  });
});

describe('each row says why it was not read', () => {
  test('where the airline takes 15 seconds for each reading', async () => {
    let desk: Awaited<ReturnType<typeof openDesk>>;
    let asked = 0;
    const bookings = Array.from({ length: 14 }, (_, n) => withLocator(`SLOW${10 + n}`, oneWay(FREE)));
    const read: Airline['read'] = async (locator) => {
      // Four at once: the clock goes on with each fourth.
      if (asked++ % 4 === 3) desk.moveTo(new Date(NOW + 15_000 * Math.ceil(asked / 4)).toISOString());
      return bookings.find((each) => each.locator === locator) as Booking;
    };
    desk = await openDesk({ bookings, airline: { read } });
    const { view } = await desk.read('list_bookings', { locators: bookings.map(({ locator }) => locator) });
    expect(view.bookings).toHaveLength(asked);
    expect(asked).toBeLessThan(14);
    expect(view.not_listed).toHaveLength(14 - asked);
    expect(view.not_listed[0].why).toBe('not read: the airline answers slowly; name it in another call');
  });

  test('where it throttles, and where a booking is not the caller’s or nobody’s', async () => {
    const busy = new ClerkError('E_AIRLINE_BUSY', 'Busy.', { next: 'Wait.' });
    const bookings = [
      withLocator('FINE11', oneWay(FREE)),
      withLocator('BUSY11', oneWay(FREE)),
      withLocator('ALIEN1', oneWay(FREE)),
    ];
    const read: Airline['read'] = async (locator) => {
      if (locator === 'BUSY11') throw busy;
      if (locator === 'ALIEN1') throw new ClerkError('E_NOT_FOUND', 'There is no such booking.', { next: 'Ask.' });
      return bookings[0] as Booking;
    };
    const { view, rows } = await list(bookings, { read });
    expect(rows.get('FINE11')).toMatchObject({ refund_now: '690.00' });
    expect(view.not_listed).toEqual([
      { locator: 'BUSY11', why: 'could not be read now (E_AIRLINE_BUSY)' },
      { locator: 'ALIEN1', why: 'the airline found no booking with this locator' },
    ]);
  });

  test('where this caller has read many just now, and no other caller has less for it', async () => {
    const bookings = Array.from({ length: 50 }, (_, n) => withLocator(`MANY${10 + n}`, oneWay(FREE)));
    const desk = await openDesk({ bookings });
    const args = { locators: bookings.map(({ locator }) => locator) };
    for (let n = 0; n < LIST_READINGS.burst / 50; n++)
      expect((await desk.read('list_bookings', args)).view).not.toHaveProperty('not_listed');
    const { view } = await desk.read('list_bookings', args);
    const why = 'not read: this caller has read many bookings just now; name it in another call in a minute';
    const unread = view.bookings.filter((each: { needs_attention?: string[] }) => each.needs_attention?.includes(why));
    expect(unread.length).toBeGreaterThan(40);
    expect(unread[0]).not.toHaveProperty('refund_now');
    const other = await desk.read('list_bookings', args, { caller: { ...CALLER, id: 'bob' } });
    expect(other.view.bookings[0]).toMatchObject({ refund_now: '690.00' });
  });
});
