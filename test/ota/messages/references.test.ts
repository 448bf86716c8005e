/**
 * References of a rail hold: ours, and one of the operator for each segment (docs/wire/notes.md, replies: hold, rail).
 */
import { expect, test } from 'vitest';
import { decodeBookReply } from '../../../src/ota/messages/book.ts';
import { viewBooking } from '../../../src/tools/views/booking.ts';
import { bookingText } from '../../../src/tools/views/booking-text.ts';

const HOLD = {
  version: 2.001,
  airReservation: {
    bookingReferenceID: [
      { companyName: { code: 'OP' }, type: '14', id: '77204518B', flightRefNumberRPHList: ['1'] },
      { companyName: { code: 'RR' }, type: '14', id: 'K7PL2M', flightRefNumberRPHList: [] },
      { companyName: { code: 'OP' }, type: '14', id: '77204519C', flightRefNumberRPHList: ['2'] },
    ],
    ticketing: [
      { ticketTimeLimit: '2031-04-30T11:00:00.000+03:00', flightSegmentRefNumber: ['1'] },
      { ticketTimeLimit: '2031-04-30T11:00:00.000+03:00', flightSegmentRefNumber: ['2'] },
    ],
  },
};

test('shows each reference with its segment, and takes our own as the locator', () => {
  const booking = decodeBookReply(HOLD);
  const view = viewBooking(booking, { now: Date.parse('2031-04-30T07:45:00Z') });
  expect(view).toMatchObject({ locator: 'K7PL2M', state: 'held', deadlines: { pay_by: '2031-04-30T08:00:00Z' } });
  expect(view.references).toEqual([
    { system: 'OP', locator: '77204518B', segment_refs: ['1'] },
    { system: 'RR', locator: 'K7PL2M' },
    { system: 'OP', locator: '77204519C', segment_refs: ['2'] },
  ]);
  expect(bookingText(view)).toContain('Also known as: OP 77204518B (segment 1); OP 77204519C (segment 2)');
});
