/** “What would all of it cost together?”: propose_plan as a quote over changes of several bookings. It sends nothing. */
import { expect, test } from 'vitest';
import {
  fare,
  OUT,
  option,
  price,
  pricing,
  row,
  rule,
  sar,
  segment,
  ticketed,
  withLocator,
} from '../support/bookings.ts';
import { offer, openDesk, shelved } from './support/desk.ts';

const LATER = segment('7', {
  ...{ flightNumber: '105', operating: { carrier: 'HHR', number: '105' }, bookingClass: 'C', fareBasis: 'COW' },
  ...{ departs: '2026-12-01T12:00:00.000+03:00', arrives: '2026-12-01T14:10:00.000+03:00' },
});
const eur = (minor: number) => ({ minor, currency: 'EUR' });
const WORDS = 'Refund only on proof of illness of a traveller.';
const inEuro = pricing(0, {
  total: price(eur(20000)),
  perType: [row('ADT', 1, eur(20000))],
  fares: [
    fare('1', 'MED', 'JED', {
      refundRules: [rule({ base: eur(5000), vatHundredths: 0, texts: [{ locale: 'en', text: WORDS }] })],
    }),
  ],
});
const changeable = pricing(34500, { fares: [fare('1', 'MED', 'JED', { changeRules: [rule({ base: sar(4000) })] })] });
const barred = pricing(34500, {
  fares: [fare('1', 'MED', 'JED', { changeRules: [rule({ base: sar(0), refundable: false })] })],
});
const REBOOK = { segment_ref: '1', offer_id: 'o000001' };
const step = (tool: string, args: object) => ({ tool, arguments: args });

test('three bookings in two currencies, of which one cannot be changed', async () => {
  const found = offer({ options: [option(LATER)], pricing: pricing(40000, { perType: [] }) });
  const desk = await openDesk({
    bookings: [
      withLocator('MOVE11', ticketed({ options: [OUT], pricing: changeable })),
      withLocator('EURO11', ticketed({ options: [OUT], pricing: inEuro })),
      withLocator('GONE11', ticketed({ options: [option({ ...segment('1'), statusCode: '16' })], pricing: barred })),
    ],
    offers: [shelved({ offer: found })],
    airline: { searchFares: async () => ({ form: 'itineraries' as const, offers: [found] }) },
  });
  const { view, text } = await desk.read('propose_plan', {
    steps: [
      step('rebook_segment', { locator: 'MOVE11', ...REBOOK }),
      step('cancel_segment', { locator: 'EURO11', segment_refs: ['1'] }),
      step('rebook_segment', { locator: 'GONE11', ...REBOOK }),
    ],
  });
  // The one bound: a fee of 46.00 and 55.00 more for the fare.
  expect(view.sums).toEqual([
    'costs at most SAR 101.00; nothing comes back',
    'costs nothing; about EUR 150.00 comes back, on a condition',
  ]);
  expect(view.lines[0].money).toContain('at most SAR 101.00');
  expect(view.conditions).toEqual([{ says: WORDS, lines: [2] }]);
  expect(view.left_out).toEqual([
    {
      title: expect.stringContaining('GONE11'),
      why: expect.stringContaining('Booking GONE11: it is cancelled'),
    },
  ]);
  expect(text).toContain('good until Sun 29 Nov 09:00 (UTC+3)');
  expect(text).toContain('Nothing was sent, and nobody was asked yet.');
  // What the airline was asked: to read, and to search.
  expect([...new Set(desk.methods())].sort()).toEqual(['read', 'searchFares']);
  expect(desk.sent()).toEqual([]);
});
