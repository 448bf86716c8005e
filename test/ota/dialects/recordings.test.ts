/**
 * Reads every recording in test/ota/recordings as the adapter does, and compares it with the text file beside it: a
 * dialect that was reported once stays understood. `npx vitest run test/ota/dialects/recordings.test.ts -u` rewrites it.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { hear } from '../support/asked.ts';
import type { Booking } from '../support/port.ts';
import { shown } from '../support/shown.ts';
import { readTape } from '../support/tape.ts';
import { outcomeOf } from '../support/told.ts';

const FOLDER = new URL('../recordings/', import.meta.url);

type TapeExchange = ReturnType<typeof readTape>['exchanges'][number];
type Reader = (body: unknown, at: number) => Promise<readonly string[]>;

function aboutBooking(booking: Booking, at: number): readonly string[] {
  const {
    state,
    state_basis: basis,
    total = 'not stated',
    class: letter,
    segments,
    passengers,
    currency,
    orders = [],
  } = shown(booking, at);
  return [
    `${state} (${basis}), total ${total}`,
    ...segments.map(
      (one) => `${one.flight} ${one.from}-${one.to} ${one.departs} ${one.class ?? letter} ${one.status_code}`,
    ),
    ...passengers.flatMap(({ ref, type, tickets = [] }) => [
      `passenger ${ref}: ${type}`,
      ...tickets.flatMap(({ coupons = [] }) =>
        coupons.map((one) => `coupon of segment ${one.segment_ref}: ${one.status_code}, seat ${one.seat}`),
      ),
    ]),
    ...(booking.pricing?.refunds ?? []).map(({ amount }) => `refund stated: ${amount.minor} ${amount.currency}`),
    ...orders.map((one) => `order ${one.direction} ${one.status} ${one.amount} ${one.currency ?? currency}`),
  ];
}

/** By message: what its reply says, in lines. */
const READERS: Readonly<Record<string, Reader>> = {
  OTA_ReadRQ: async (body, at) => aboutBooking(await hear('read', body), at),
  OTA_AirBookRQ: async (body, at) => aboutBooking(await hear('book', body), at),
  OTA_AirBookModifyRQ: async (body, at) => aboutBooking(await hear('modify', body), at),
  OTA_AirPriceRQ: async (body, at) => aboutBooking(await hear('counts', body), at),
  OTA_AirDemandTicketRQ: async (body) => (await hear('ticket', body)).items.map(({ total }) => `ticket over ${total}`),
  OTA_CancelRQ: async (body) => [`status ${(await hear('cancel', body)).status}`],
  OTA_AirLowFareSearchRQ: async (body) => {
    const { form, offers } = await hear('search', body);
    return [`${offers.length} offers, ${form}`];
  },
  OTA_AirSeatMapRQ: async (body) =>
    (await hear('seat-map', body)).map(({ segment, cabins }) => {
      const seats = cabins.flatMap(({ rows }) => rows.flatMap((row) => row.seats));
      const count = (status: string) => seats.filter((seat) => seat.status === status).length;
      return `segment ${segment.ref}: ${count('free')} free, ${count('taken')} taken, ${count('yours')} yours`;
    }),
  routes: async (body) => [`${(await hear('routes', body)).length} stations`],
  calendar: async (body) => [`${(await hear('calendar', body)).dates.length} days`],
};

async function meaningOf({ message, status = 0, reply, reply_was: was, failed, at }: TapeExchange) {
  if (status === 0) return [`no reply: ${failed}`];
  if (was !== undefined) return [`HTTP ${status}: ${was.kind}`];
  const read = READERS[message];
  if (read === undefined) return [`HTTP ${status}`];
  const outcome = outcomeOf(status, reply, 'read');
  if (!(outcome instanceof ClerkError)) return read(reply, Date.parse(at));
  expect(outcome.code, `${message}: ${outcome.message}`).not.toBe('E_AIRLINE_REPLY');
  return [`refused: ${outcome.code}, code ${outcome.airline?.code}`];
}

describe('recordings', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.jsonl'));

  it('finds at least one recording', () => expect(files.length).toBeGreaterThan(0));

  it.each(files)('decodes every exchange of the recording %s as before', async (file) => {
    const { exchanges } = readTape(new URL(file, FOLDER).pathname);
    const told = await Promise.all(exchanges.map(async (one) => ({ ...one, lines: await meaningOf(one) })));
    const lines = told.flatMap(({ message, lines: own }, i) => {
      const same = JSON.stringify(own) === JSON.stringify(told[i - 1]?.lines);
      return [message, ...(same ? ['as before'] : own).map((line) => `  ${line}`)];
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(new URL(file.replace('.jsonl', '.txt'), FOLDER).pathname);
  });
});
