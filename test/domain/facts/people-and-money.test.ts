/** Forms of people, tickets and orders in which an airline shows the same, in a hold and from reading to reading. */
import { expect, it } from 'vitest';
import { couponCode } from '../../../src/domain/booking/status-codes.ts';
import { askedPeople } from '../../../src/domain/facts/asked-people.ts';
import { heldDifferences } from '../../../src/domain/facts/compare-hold-with-offer.ts';
import { isSameTicket, plainNumber } from '../../../src/domain/facts/issued-tickets.ts';
import { type Booking, fare, held, NOW, price, pricing, rule, sar, ticketed } from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';
import { readingDesk } from '../../support/reading-desk.ts';

const { see } = readingDesk();
let bookings = 0;

/** The kinds that the second reading finds. */
async function kinds(before: Booking, after: Booking) {
  const locator = `M${++bookings}`;
  await see(locator, before, NOW);
  return (await see(locator, after, NOW + 300_000)).found.map(({ kind }) => kind);
}

const document = (over: object) => ({ number: 'P1', docType: '2', nationality: 'SA', expires: '2031-01-01', ...over });
const person = (over: object) => traveler('1', 'Amal', 'Haddad', { document: document(over) });
const hold = (over: object): Booking => held({ travelers: [person(over)] });

it.each([
  ['the name of a country', { nationality: 'Saudi Arabia' }],
  ['its three letters', { nationality: 'SAU' }],
  ['the letter of a passport', { docType: 'P' }],
])('a document with %s is the same', async (_title, over) => {
  expect(await kinds(hold({}), hold(over))).toEqual([]);
  expect(await kinds(hold(over), hold({}))).toEqual([]);
  for (const digest of [undefined, (text: string) => `digest of ${text}`]) {
    const layers = [{ people: askedPeople({ travelers: [person({})] }, digest), ...(digest && { digest }) }];
    expect(heldDifferences({ layers }, hold(over), NOW)).toEqual([]);
  }
});

it('a document of another country or kind is another', async () => {
  expect(await kinds(hold({}), hold({ nationality: 'Egypt' }))).toEqual(['document_changed']);
  expect(await kinds(hold({}), hold({ docType: '5' }))).toEqual(['document_changed']);
});

it.each([
  ['O', 'O'],
  ['o', 'O'],
  ['OPEN', 'O'],
  ['Checked in ', 'C'],
  ['Q', 'Q'],
  [undefined, undefined],
])('a coupon %s is %s', (sent, code) => {
  expect(couponCode(sent)).toBe(code);
});

it('an order under another id is the same; of another sum it is new', async () => {
  const refund = (id: string, minor = 5000) => ({ id, direction: 'REFUND', status: 'PENDING', amount: sar(minor) });
  const orders = (...all: NonNullable<Booking['orders']>) =>
    held({ orders: [{ id: 'p', direction: 'PAYMENT' }, ...all] });
  expect(await kinds(orders(refund('r1')), orders(refund('r2')))).toEqual([]);
  expect(await kinds(orders(refund('r1')), orders({ ...refund('r2'), status: 'PAID' }))).toEqual(['refund_arrived']);
  expect(await kinds(orders(refund('r1')), orders(refund('r1'), refund('r2')))).toEqual(['refunded']);
});

it('an allowance in another spelling or order is the same, or without the weight of its pieces, and so is a limit a second later', async () => {
  const carries = (...baggage: string[]) =>
    held({ pricing: { ...pricing(69000), total: price(sar(69000), { baggage }) } });
  expect(await kinds(carries('1 PC', '8 kg'), carries('8KG', '1pc'))).toEqual([]);
  // How heavy a piece may be is left out; once it is known, it stays known.
  expect(await kinds(carries('2 x 25 kg'), carries('2 pc'))).toEqual([]);
  expect(await kinds(carries('2 PC'), carries('2 pieces of 23 kg'))).toEqual([]);
  expect(await kinds(carries('2 x 25 kg'), carries('2 x 20 kg'))).toEqual(['fare_changed']);
  expect(await kinds(carries('2 x 25 kg'), carries('1 pc'))).toEqual(['fare_changed']);
  await see('M', carries('2 x 25 kg'), NOW);
  expect((await see('M', carries('2 pc'), NOW + 300_000)).found).toEqual([]);
  expect((await see('M', carries('2 x 20 kg'), NOW + 600_000)).found).toMatchObject([{ kind: 'fare_changed' }]);
  const offer = { segments: [], baggage: ['1 PC', '8 kg'] };
  expect(heldDifferences({ offer, layers: [] }, { ...carries('8KG', '1pc'), options: [] }, NOW)).toEqual([]);
  const limits = { 'time limit for names': ['2026-11-30T00:00:01Z'] };
  expect(heldDifferences({ first: { limits }, layers: [] }, held(), NOW)).toEqual([]);
});

it('a rule in another language is the same, and another rule in it is not', async () => {
  const ruled = (locale: string, text: string, minor = 4000) => {
    const refundRules = [{ ...rule({ base: sar(minor) }), texts: [{ locale, text }] }];
    return held({ pricing: { ...pricing(69000), fares: [fare('1', 'MED', 'JED', { refundRules })] } });
  };
  const ENGLISH = ruled('en-GB', 'For health reasons only');
  expect(await kinds(ENGLISH, ruled('ar-SA', 'لأسباب صحية فقط'))).toEqual([]);
  expect(await kinds(ENGLISH, ruled('ar-SA', 'لأسباب صحية فقط', 5000))).toEqual(['refund_rule_changed']);
  expect(await kinds(ENGLISH, ruled('en-US', 'For no reason'))).toEqual(['refund_rule_changed']);
});

it('a ticket number with a hyphen or blanks is the same, and another number is another ticket', async () => {
  const numbered = (number: string) => {
    const booking = ticketed();
    const [ticket] = booking.tickets;
    const stray = { ...ticket, number, travelerRefs: ['9'] };
    return { ...booking, tickets: [...booking.tickets, stray] } as Booking;
  };
  expect(await kinds(numbered('0652400123456'), numbered('065-2400123456'))).toEqual([]);
  expect(await kinds(numbered('065-2400 123456'), numbered('0652400123456'))).toEqual([]);
  expect(await kinds(numbered('0652400123456'), numbered('065-2400123457'))).toEqual(['ticket_astray']);
});

it('the numbers of tickets are the same as a receipt or an earlier reading writes them', () => {
  expect(isSameTicket('065-2400123456', '0652400123456')).toBe(true);
  expect(isSameTicket('TKT 12', 'tkt-12')).toBe(true);
  expect(isSameTicket('TKT-12', 'TKT-13')).toBe(false);
  expect(plainNumber('065-2400 123456')).toBe('0652400123456');
  expect(plainNumber('--')).toBe('--');
});
