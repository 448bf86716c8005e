/**
 * If the ledger of bookings cannot be written, readings and payments still return their results.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { heldBooking, ticketedBooking } from './calls/bookings.ts';
import { accept, type Desk, openDesk } from './calls/desk.ts';

let desk: Desk;
const unrecorded: unknown[] = [];
const failures: unknown[] = [];
const broken = new Error('database or disk is full');

beforeAll(async () => {
  desk = await openDesk({
    log: {
      call() {},
      failure: ({ error }) => failures.push(error),
      unrecorded: ({ error }) => unrecorded.push(error),
    },
  });
});
afterAll(() => desk.close());

test('still reads and pays if the ledger cannot be written, and logs each missing record', async () => {
  const [held, paid] = [await heldBooking(desk), await ticketedBooking(desk)];
  vi.spyOn(desk.parts.state.ledger, 'record').mockRejectedValue(broken);
  const read = await desk.result('read_booking', { locator: held });
  expect(read.structured).toMatchObject({ booking: { locator: held, state: 'held' } });
  const seats = await desk.result('get_seat_map', { locator: paid });
  expect(seats.isError, seats.text).toBe(false);
  const mail = await desk.result('send_tickets', { locator: paid, what: 'tickets' });
  expect(mail.isError, mail.text).toBe(false);
  const before = desk.acts().length;
  const payment = await desk.say('pay_booking', { locator: held, payment: { type: 'invoice' } }, accept);
  expect(payment.structured).toMatchObject({ status: 'done', booking: { locator: held } });
  expect(desk.acts().slice(before)).toEqual(['paid']);
  // One for each of three calls, and three for the payment: what the question shows, what is read again after the yes, what
  // is paid.
  expect(unrecorded).toEqual(Array(6).fill(broken));
  expect(failures).toEqual([]);

  const list = await desk.result('list_bookings', { locators: [held], refresh: true });
  expect(list.structured).toMatchObject({ error: { code: 'E_INTERNAL', effect: 'none' } });
  expect(failures).toEqual([broken]);
});
