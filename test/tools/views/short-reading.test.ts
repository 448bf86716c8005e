/** The short form of read_booking: what a support desk asks of a booking, in few words. */
import { expect, test } from 'vitest';
import { BACK, fare, OUT, option, permitting, pricing, rule, sar, segment, ticketed } from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';
import { openDesk, placeName } from '../support/desk.ts';

const WORDS = 'Refund only on proof of illness of a traveller or of a close relative.';
const refundRules = [rule({ base: sar(10000), texts: [{ locale: 'en', text: WORDS }] })];
const changeRules = [rule({ base: sar(5000), until: '2026-12-01T02:00:00Z', texts: [] })];
const booking = permitting(
  ticketed({
    options: [OUT, BACK],
    travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')],
    pricing: pricing(138000, {
      fares: [
        fare('1', 'MED', 'JED', { refundRules, changeRules }),
        fare('2', 'JED', 'MED', { refundRules, changeRules }),
      ],
    }),
  }),
  ['10', '20', '30'],
);

test('says when it was made, bags, and the rule in force with its condition', async () => {
  const desk = await openDesk({ bookings: [booking], airline: { placeName } });
  const { view, text } = await desk.read('read_booking', { locator: 'ABC123' });
  expect(text).toContain('Made: Sun 29 Nov 07:55 (UTC+3)');
  expect(text).toContain('Baggage: 1 PC');
  expect(text).toMatch(/comes back, .* kept, tax included\. The airline's condition: “Refund only on proof/);
  expect(text).toContain('Fee of a change: at most SAR 115.00 a train, beside the difference to a dearer fare.');
  expect(view.change).toBe('at most SAR 115.00 a train');
});

test('has at most 1,300 characters for two people on two trains, without the condition', async () => {
  const desk = await openDesk({ bookings: [booking], airline: { placeName } });
  const { text } = await desk.read('read_booking', { locator: 'ABC123' });
  const length = text.replace(` The airline's condition: “${WORDS}”`, '').length;
  expect(length, text).toBeLessThanOrEqual(1_300);
});

test('quotes what the airline says of a change beside its fee', async () => {
  const says = 'Another cabin on the same train is permitted, another train is not.';
  const free = [rule({ base: sar(0), vatHundredths: 0, texts: [{ locale: 'en', text: says }] })];
  const fares = [fare('1', 'MED', 'JED', { changeRules: free }), fare('2', 'JED', 'MED', { changeRules: free })];
  const desk = await openDesk({ bookings: [ticketed({ pricing: pricing(69000, { fares }) })] });
  const { view, text } = await desk.read('read_booking', { locator: 'ABC123' });
  expect(view.change).toBe(`no fee (the airline's words: “${says}”)`);
  expect(text).toContain(`Fee of a change: no fee (the airline's words: “${says}”)`);
});

test('says the fee of a connection of which each train has a rule of its own', async () => {
  const connection = option(segment('1', { to: 'RUH' }), segment('2', { from: 'RUH', to: 'JED' }));
  const changeOf = (minor: number) => [rule({ base: sar(minor), vatHundredths: 0, texts: [] })];
  const fares = [
    fare('1', 'MED', 'RUH', { changeRules: changeOf(4000) }),
    fare('2', 'RUH', 'JED', { changeRules: changeOf(6000) }),
  ];
  const both = ticketed({ options: [connection], pricing: pricing(69000, { fares }) });
  const [known] = fares;
  const one = ticketed({ options: [connection], pricing: pricing(69000, { fares: known ? [known] : [] }) });
  const read = async (booking: typeof both) => {
    const desk = await openDesk({ bookings: [booking] });
    return (await desk.read('read_booking', { locator: 'ABC123' })).view.change;
  };
  expect(await read(both)).toBe('at most SAR 60.00 a train');
  expect(await read(one)).toBe('1 adult × SAR 40.00 = SAR 40.00; The airline sent no rule for changing this flight');
});
