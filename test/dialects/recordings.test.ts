/**
 * Every recording in test/recordings is read as the adapter reads it, and what it says is written beside it: a dialect
 * that was reported once stays understood. `npx vitest run test/dialects/recordings.test.ts -u` writes what is said anew.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Booking } from '../../src/domain/booking.ts';
import { bookingState } from '../../src/domain/booking-state.ts';
import { showMoney } from '../../src/domain/money.ts';
import { ClerkError } from '../../src/errors.ts';
import { judge } from '../../src/ota/judge.ts';
import { bookReply } from '../../src/ota/messages/book.ts';
import { calendarReply } from '../../src/ota/messages/calendar.ts';
import { cancelReply } from '../../src/ota/messages/cancel.ts';
import { fareSearchReply } from '../../src/ota/messages/fare-search.ts';
import { groupBookReply } from '../../src/ota/messages/group-book.ts';
import { modifyReply } from '../../src/ota/messages/modify.ts';
import { readReply } from '../../src/ota/messages/read.ts';
import { routesReply } from '../../src/ota/messages/routes.ts';
import { seatMapReply } from '../../src/ota/messages/seat-map.ts';
import { ticketReply } from '../../src/ota/messages/ticket.ts';
import type { TapeExchange } from '../../src/sandbox/replay/tape.ts';
import { readTape } from '../../src/sandbox/replay.ts';

const FOLDER = new URL('../recordings/', import.meta.url);

type Reader = (body: unknown, at: number) => readonly string[];

function aboutBooking(booking: Booking, at: number): readonly string[] {
  const { state, basis } = bookingState(booking, at);
  const segments = booking.options.flatMap((option) => option.segments);
  return [
    `${state} (${basis})`,
    `total ${booking.pricing?.total === undefined ? 'not stated' : showMoney(booking.pricing.total.total)}`,
    ...segments.map(
      (one) =>
        `segment ${one.ref}: ${one.from}-${one.to} ${one.departs} class ${one.bookingClass} status ${one.statusCode}`,
    ),
    ...booking.travelers.map(
      (one) => `passenger ${one.ref}: ${one.type}, ${one.name === undefined ? 'unnamed' : 'named'}`,
    ),
    ...booking.tickets.flatMap(({ coupons }) =>
      coupons.map((one) => `coupon of segment ${one.segmentRef}: ${one.statusCode}, seat ${one.seat}`),
    ),
    ...(booking.pricing?.refunds ?? []).map(({ amount }) => `refund stated: ${showMoney(amount)}`),
    ...booking.orders.map((one) => `order ${one.direction} ${one.status} ${one.amount && showMoney(one.amount)}`),
  ];
}

/** By message: what its reply says, in lines. */
const READERS: Readonly<Record<string, Reader>> = {
  OTA_ReadRQ: (body, at) => aboutBooking(readReply.parse(body as never), at),
  OTA_AirBookRQ: (body, at) => aboutBooking(bookReply.parse(body as never), at),
  OTA_AirBookModifyRQ: (body, at) => aboutBooking(modifyReply.parse(body as never), at),
  OTA_AirPriceRQ: (body, at) => aboutBooking(groupBookReply.parse(body as never), at),
  OTA_AirDemandTicketRQ: (body) => ticketReply.parse(body as never).items.map(({ total }) => `ticket over ${total}`),
  OTA_CancelRQ: (body) => [`status ${cancelReply.parse(body as never).status}`],
  OTA_AirLowFareSearchRQ: (body) => {
    const { form, offers, soldOut } = fareSearchReply.parse(body as never);
    return [`${offers.length} offers, ${soldOut.length} sold out, ${form}`];
  },
  OTA_AirSeatMapRQ: (body) =>
    seatMapReply.parse(body as never).map(({ segment, cabins }) => {
      const seats = cabins.flatMap(({ rows }) => rows.flatMap((row) => row.seats));
      const count = (status: string) => seats.filter((seat) => seat.status === status).length;
      return `segment ${segment.ref}: ${count('free')} free, ${count('taken')} taken, ${count('yours')} yours`;
    }),
  routes: (body) => [`${routesReply.parse(body as never).length} stations`],
  calendar: (body) => [`${calendarReply.parse(body as never).dates.length} days`],
};

function told({ message, status = 0, reply, reply_was: was, failed, at }: TapeExchange): readonly string[] {
  if (status === 0) return [`no reply: ${failed}`];
  if (was !== undefined) return [`HTTP ${status}: ${was.kind}`];
  const read = READERS[message];
  if (read === undefined) return [`HTTP ${status}`];
  const expected = { decode: (body: unknown) => read(body, Date.parse(at)) };
  try {
    return judge({ status, text: JSON.stringify(reply) }, expected, { operation: 'read', sending: false });
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error;
    expect(error.code, `${message}: ${error.message}`).not.toBe('E_AIRLINE_REPLY');
    return [`refused: ${error.code}, code ${error.airline?.code}`];
  }
}

describe('recordings', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.jsonl'));

  it('there is one at least', () => expect(files.length).toBeGreaterThan(0));

  it.each(files)('%s', async (file) => {
    const { exchanges } = readTape(new URL(file, FOLDER).pathname);
    const lines = exchanges.flatMap((one) => [one.message, ...told(one).map((line) => `  ${line}`)]);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(new URL(file.replace('.jsonl', '.txt'), FOLDER).pathname);
  });
});
