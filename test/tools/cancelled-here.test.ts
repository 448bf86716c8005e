/** What was cancelled here, while the airline's readings still show it as before: every tool says so, and nothing of it is offered again. */
import { describe, expect, test } from 'vitest';
import { asRead, faresOf, gone, held, pricing, rule, sar, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { openDesk } from './support/desk.ts';

const PAIR = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')];
const refundRules = [rule({ base: sar(4000), until: '2026-12-05T15:00:00Z' })];
const couple = () =>
  asRead(ticketed({ travelers: PAIR, pricing: pricing(69000, { fares: faresOf({ refundRules }) }) }));
const widow = () => ({ ...couple(), travelers: PAIR.slice(0, 1), tickets: couple().tickets.slice(0, 1) });
const BOOKED = { locator: 'ABC123' };
const SINCE = "was cancelled here on Sun 29 Nov 08:00 (UTC+3); the airline's reading does not show it yet";

type Options = NonNullable<Parameters<typeof openDesk>[0]>;
type Case = readonly [tool: string, args: object, before: ReturnType<typeof couple>, after: ReturnType<typeof couple>];
const FLIGHT: Case = ['cancel_segment', { segment_refs: ['1'] }, couple(), asRead(gone(couple(), ['1']))];
const WHOLE: Case = ['cancel_segment', { all: true }, couple(), asRead(gone(couple(), ['1', '2']))];
const PERSON: Case = ['cancel_passenger', { passenger_refs: ['2'] }, couple(), asRead(widow())];
const HOLD: Case = ['cancel_booking', {}, asRead(held()), asRead(held())];

/** A desk after the act: the airline confirmed it, and its readings are as before. */
async function deskAfter([tool, args, before, after]: Case, options: Options = {}) {
  const desk = await openDesk({
    bookings: [before],
    ...options,
    airline: { modify: async () => after, ...options.airline },
  });
  const { view } = await desk.say(tool, { ...BOOKED, ...args });
  expect(view.status).toBe('done');
  return desk;
}
const text = async (desk: Awaited<ReturnType<typeof deskAfter>>, tool: string, args: object = {}) =>
  (await desk.result(tool, { ...BOOKED, ...args })).text;

describe.each<[string, Case, string, string]>([
  ['a flight', FLIGHT, `Segment 1 ${SINCE}`, `segment 1 ${SINCE}`],
  ['the whole booking', WHOLE, `Booking ABC123 ${SINCE}`, `it ${SINCE}`],
  ['a passenger', PERSON, `1 passenger ${SINCE}`, `1 passenger ${SINCE}`],
  ['a hold', HOLD, `Booking ABC123 ${SINCE}`, `it ${SINCE}`],
])('%s that was cancelled here', (_, done, said, why) => {
  test('is told at once, and no refund of it is quoted', async () => {
    const desk = await deskAfter(done);
    const read = await desk.read('read_booking', BOOKED);
    expect(read.lines[0]).toMatch(`${said}. Booking ABC123`);
    expect(read.view.refund).toBeUndefined();
    const quote = await text(desk, 'quote_cancellation');
    expect(quote).toContain(quote.startsWith('E_') ? `Booking ABC123: ${why}.` : `${said}.`);
    expect(quote).not.toMatch(/comes? back|\bkept\b/);
  });

  test('is not cancelled, refunded or paid once more', async () => {
    const desk = await deskAfter(done);
    const refused = async (tool: string, args: object = {}) => {
      const told = await text(desk, tool, args);
      expect(told).toContain(`Booking ABC123: ${why}.`);
      expect(desk.sent()).toHaveLength(1);
    };
    await refused('cancel_booking');
    await refused('cancel_segment', { segment_refs: ['2'] });
    await refused('cancel_passenger', { passenger_refs: ['1'] });
    if (done === HOLD) await refused('pay_booking', { payment: { type: 'invoice' } });
  });
});

describe('tickets of what was cancelled here', () => {
  const airline = { ticketDocument: async () => new Uint8Array(9) };

  test('are not offered', async () => {
    const flight = await (await deskAfter(FLIGHT, { airline })).read('get_tickets', BOOKED);
    expect(flight.view.tickets.map(({ segment_ref: ref }: { segment_ref: string }) => ref)).toEqual(['2', '2']);
    expect(flight.text).toContain(`Segment 1 ${SINCE}.`);
    const person = await (await deskAfter(PERSON, { airline })).read('get_tickets', BOOKED);
    expect(person.view.tickets.map(({ passenger_ref: ref }: { passenger_ref: string }) => ref)).toEqual(['1', '1']);
    expect(person.text).toContain(`1 passenger ${SINCE}.`);
    expect(await text(await deskAfter(WHOLE, { airline }), 'get_tickets')).toContain(`Booking ABC123: it ${SINCE}.`);
  });
});

test('a question about the rest tells it, and is not asked anew once the reading shows it', async () => {
  let shown = couple();
  const [, , , after] = FLIGHT;
  const desk = await deskAfter(FLIGHT, { airline: { read: async () => shown } });
  const args = { ...BOOKED, changes: [{ passenger_ref: '1', given_name: 'Sara' }] };
  const question = await desk.ask('change_names', args);
  expect(question.text).toContain(`Caution: segment 1 ${SINCE}.`);
  shown = after;
  const dialog = { handle: question.handle, raw: { action: 'accept', content: { decision: question.act } } };
  const answered = await desk.result('change_names', args, { dialog });
  expect(answered.text).not.toMatch(/changed after|Now:|No longer:/);
  expect(desk.sent()).toHaveLength(2);
});

test('is listed as cancelled', async () => {
  const desk = await deskAfter(WHOLE);
  await desk.read('read_booking', BOOKED);
  expect((await desk.ledger('ABC123')).state).toBe('cancelled');
});

test('is told until a reading shows it, after an hour too, and of this booking alone', async () => {
  const desk = await deskAfter(FLIGHT);
  desk.moveTo('2026-11-29T06:01:00Z');
  expect(await text(desk, 'read_booking')).toContain(`Segment 1 ${SINCE}.`);
  expect(await text(desk, 'cancel_segment', { segment_refs: ['1'] })).toMatch('call again with although_done: true');
  const another = { ...couple(), createdAt: '2026-12-03T04:55:00Z' };
  const anew = await deskAfter(FLIGHT, { airline: { read: async () => asRead(another) } });
  expect(await text(anew, 'read_booking')).not.toContain('cancelled here');
});

test('says nothing once the reading shows it', async () => {
  let shown = couple();
  const [, , , after] = FLIGHT;
  const desk = await deskAfter(FLIGHT, { airline: { read: async () => shown } });
  shown = after;
  const told = await text(desk, 'read_booking');
  expect(told).not.toContain('does not show it yet');
  expect(told).toContain('partly cancelled (1 of 2 segments cancelled)');
});
