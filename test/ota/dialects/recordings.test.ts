/**
 * Reads every recording in test/ota/recordings as the adapter does, and compares it with the text file beside it: a
 * dialect that was reported once stays understood. `npx vitest run test/ota/dialects/recordings.test.ts -u` rewrites it.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import { bookingState } from '../../../src/domain/booking/booking-state.ts';
import { showMoney } from '../../../src/domain/pricing/money.ts';
import { ClerkError } from '../../../src/errors.ts';
import { classifyReply } from '../../../src/ota/errors/classify-reply.ts';
import type { TapeExchange } from '../../../src/sandbox/replay/tape.ts';
import { readTape } from '../../../src/sandbox/replay.ts';
import { DECODERS } from '../messages/decoders.ts';

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
  OTA_ReadRQ: (body, at) => aboutBooking(DECODERS.read(body), at),
  OTA_AirBookRQ: (body, at) => aboutBooking(DECODERS.book(body), at),
  OTA_AirBookModifyRQ: (body, at) => aboutBooking(DECODERS.modify(body), at),
  OTA_AirPriceRQ: (body, at) => aboutBooking(DECODERS.counts(body), at),
  OTA_AirDemandTicketRQ: (body) => DECODERS.ticket(body).items.map(({ total }) => `ticket over ${total}`),
  OTA_CancelRQ: (body) => [`status ${DECODERS.cancel(body).status}`],
  OTA_AirLowFareSearchRQ: (body) => {
    const { form, offers, soldOut } = DECODERS.search(body);
    return [`${offers.length} offers, ${soldOut.length} sold out, ${form}`];
  },
  OTA_AirSeatMapRQ: (body) =>
    DECODERS['seat-map'](body).map(({ segment, cabins }) => {
      const seats = cabins.flatMap(({ rows }) => rows.flatMap((row) => row.seats));
      const count = (status: string) => seats.filter((seat) => seat.status === status).length;
      return `segment ${segment.ref}: ${count('free')} free, ${count('taken')} taken, ${count('yours')} yours`;
    }),
  routes: (body) => [`${DECODERS.routes(body).length} stations`],
  calendar: (body) => [`${DECODERS.calendar(body).dates.length} days`],
};

function told({ message, status = 0, reply, reply_was: was, failed, at }: TapeExchange): readonly string[] {
  if (status === 0) return [`no reply: ${failed}`];
  if (was !== undefined) return [`HTTP ${status}: ${was.kind}`];
  const read = READERS[message];
  if (read === undefined) return [`HTTP ${status}`];
  const expected = { decode: (body: unknown) => read(body, Date.parse(at)) };
  try {
    return classifyReply({ status, text: JSON.stringify(reply) }, expected, { operation: 'read', sending: false });
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error;
    expect(error.code, `${message}: ${error.message}`).not.toBe('E_AIRLINE_REPLY');
    return [`refused: ${error.code}, code ${error.airline?.code}`];
  }
}

describe('recordings', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.jsonl'));

  it('finds at least one recording', () => expect(files.length).toBeGreaterThan(0));

  it.each(files)('decodes every exchange of the recording %s as before', async (file) => {
    const { exchanges } = readTape(new URL(file, FOLDER).pathname);
    const lines = exchanges.flatMap((one) => [one.message, ...told(one).map((line) => `  ${line}`)]);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(new URL(file.replace('.jsonl', '.txt'), FOLDER).pathname);
  });
});
