/** A booking that was paid here, while the airline's readings still show the hold: nothing calls it unpaid, and nothing is paid twice. */
import { describe, expect, test } from 'vitest';
import { asRead, faresOf, held, permitting, pricing, rule, sar, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { openDesk } from './support/desk.ts';

const BOOKED = { locator: 'ABC123' };
const PAIR = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')];
const refundRules = [rule({ base: sar(4000), until: '2026-12-05T15:00:00Z' })];
const hold = asRead(held({ travelers: PAIR, pricing: pricing(69000, { fares: faresOf({ refundRules }) }) }));
const items = ['1234567890101', '1234567890102'].map((ticketNumber) => ({ ticketNumber, conjunctive: [], links: [] }));
const PAY = { payment: { type: 'invoice' } };

const SAID = `was paid here on Sun 29 Nov 08:00 (UTC+3), SAR 690.00, 2 tickets; the airline's reading does not show it yet`;
const UNPAID = /not paid|unpaid|costs nothing|to pay now|nothing was paid|pay with pay_booking/i;

/** A desk after the payment: its receipt is right, and every reading is still that of the hold. */
async function deskAfter(options: Parameters<typeof openDesk>[0] = {}) {
  const desk = await openDesk({
    bookings: [hold],
    ...options,
    airline: {
      pay: async () => ({ locator: 'ABC123', references: [], items }),
      read: async () => hold,
      seatMap: async () => {
        throw new Error('no seat map is asked for');
      },
      ...options.airline,
    },
  });
  const { view } = await desk.say('pay_booking', { ...BOOKED, ...PAY });
  expect(view.status).toBe('done');
  return desk;
}

test('is told first by read_booking, and called paid in every list', async () => {
  const desk = await deskAfter();
  const concise = await desk.read('read_booking', BOOKED);
  expect(concise.lines[0]).toMatch(`It ${SAID}. Booking ABC123 (2 passengers, 2 trains) is ticketed (paid here).`);
  const full = await desk.read('read_booking', { ...BOOKED, detail: 'full' });
  const list = await desk.read('list_bookings', {});
  for (const { text } of [concise, full, list]) expect(text).not.toMatch(UNPAID);

  expect(full.view.booking.state_basis).toBe('paid here');
  expect(full.view.booking.not_allowed).toMatchObject({ pay_booking: `it ${SAID}`, get_tickets: `it ${SAID}` });
  expect(list.view.bookings[0]).toMatchObject({ state: 'ticketed' });
});

describe('while it is not shown', () => {
  test.each<[string, object, string]>([
    ['pay_booking', PAY, 'E_ALREADY_DONE'],
    ['assign_seats', { seats: [{ segment_ref: '1', passenger_ref: '1', seat: '4-52' }] }, 'E_NOT_PERMITTED'],
    ['rebook_segment', { segment_ref: '1', offer_id: 'o000001' }, 'E_NOT_PERMITTED'],
    ['get_seat_map', {}, 'E_NOT_PERMITTED'],
    ['get_tickets', {}, 'E_NOT_PERMITTED'],
    ['send_tickets', { what: 'tickets' }, 'E_NOT_PERMITTED'],
  ])('%s is refused, and says why and what to do', async (tool, args, code) => {
    const desk = await deskAfter({ settings: { sendsTickets: true } });
    const { text } = await desk.result(tool, { ...BOOKED, ...args });
    expect(text).toBe(
      `${code}: Booking ABC123: it ${SAID}. Nothing was sent.\nNext: Call read_booking in a few minutes. If it says the same after 09:00, tell the person to ask the airline.`,
    );
    expect(desk.sent()).toHaveLength(1);
  });

  test('an hour later it is refused as well, and the way on is said where there is one', async () => {
    const desk = await deskAfter();
    desk.moveTo('2026-11-29T06:00:00Z');
    const again = await desk.result('pay_booking', { ...BOOKED, ...PAY });
    expect(again.text).toContain('call again with although_done: true; the approval page or the terminal asks.');
    const seats = { seats: [{ segment_ref: '1', passenger_ref: '1', seat: '4-52' }], although_done: true };
    const other = await desk.result('assign_seats', { ...BOOKED, ...seats });
    expect(other.text).toContain('call pay_booking with although_done: true');
    const tickets = await desk.result('get_tickets', BOOKED);
    expect(tickets.text).toContain('Next: Tell the person to ask the airline what was done.');
    expect(desk.sent()).toHaveLength(1);
  });
});

test('a plan pays it no more, and cancels it as paid', async () => {
  const desk = await deskAfter();
  const planned = (tool: string, args: object) =>
    desk.result('propose_plan', { steps: [{ tool, arguments: { ...BOOKED, ...args } }] });
  const { text } = await planned('pay_booking', PAY);
  expect(text).toContain(`it ${SAID}`);
  expect(text).not.toMatch(/costs SAR/);
  const cancelling = await planned('cancel_booking', {});
  expect(cancelling.text).toMatch('Cancel booking: ABC123; Tue 1 Dec 08:00 (UTC+3); about SAR 506.00 comes back');
});

test('no other train is searched in place of one of it', async () => {
  const desk = await deskAfter();
  const { text } = await desk.result('search_fares', { instead_of: { ...BOOKED, segment_ref: '1' } });
  expect(text).toContain(`E_NOT_PERMITTED: Booking ABC123: it ${SAID}.`);
});

describe('it is cancelled as a paid booking, on the sum that was paid', () => {
  test.each<[string, object, string]>([
    ['cancel_booking', {}, 'Cancel every train of booking ABC123 for all its passengers.'],
    ['cancel_segment', { segment_refs: ['1'] }, 'Cancel train HHR101 of booking ABC123 for all its passengers.'],
    ['cancel_passenger', { passenger_refs: ['2'] }, 'Remove 1 passenger from booking ABC123, on all its trains.'],
  ])('by %s', async (tool, args, act) => {
    const desk = await deskAfter();
    const question = await desk.ask(tool, { ...BOOKED, ...args });
    expect(question.lines[0]).toContain(act);
    expect(question.text).toContain(`Caution: it ${SAID}.`);
    expect(question.text).toMatch(/SAR [\d.]+ comes back/);
    expect(question.text).not.toMatch(UNPAID);
  });

  test('whatever the airline permits of a hold', async () => {
    const desk = await deskAfter({
      bookings: [permitting(hold, ['3'])],
      airline: { read: async () => permitting(hold, ['3']) },
    });
    expect((await desk.ask('cancel_booking', BOOKED)).text).toMatch(/SAR [\d.]+ comes back/);
  });

  test('and quoted as one', async () => {
    const desk = await deskAfter();
    const quote = await desk.read('quote_cancellation', BOOKED);
    expect(quote.lines[0]).toMatch(`It ${SAID}. Booking ABC123: `);
    expect(quote.view).toMatchObject({ state: 'ticketed' });
    expect(quote.view.unpaid).toBeUndefined();
    expect(quote.text).not.toMatch(UNPAID);
  });
});

test('what does not depend on it is asked, with what was paid', async () => {
  const desk = await deskAfter();
  const changes = [{ passenger_ref: '1', given_name: 'Sara' }];
  const question = await desk.ask('change_names', { ...BOOKED, changes });
  expect(question.text).toContain(`Caution: it ${SAID}.`);
  expect(question.text).not.toMatch(UNPAID);
});

test('says nothing of it once a reading shows it', async () => {
  let shown = hold;
  const desk = await deskAfter({ airline: { read: async () => shown } });
  shown = asRead(ticketed({ travelers: PAIR }));
  const { text } = await desk.read('read_booking', BOOKED);
  expect(text).not.toContain('paid here');
  const again = await desk.result('pay_booking', { ...BOOKED, ...PAY });
  expect(again.text).toContain('E_ALREADY_DONE: Booking ABC123: it is paid already.');
});
