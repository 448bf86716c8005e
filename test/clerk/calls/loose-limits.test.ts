/** Limits that the airline does not send as exact UTC times, as a person meets them: in the hold, the reading and the question. */
import { expect, it } from 'vitest';
import type { SandboxOptions } from '../../../src/sandbox/addresses/start.ts';
import { heldBooking } from './bookings.ts';
import { ask, openDesk, PAY } from './desk.ts';

type Rewrite = NonNullable<SandboxOptions['rewrite']>;

/** Every limit to pay as this airline writes it. */
const limits = (write: (limit: string) => string): Rewrite => {
  const isLimit = (key: string) => key === 'confirmationTimeLimit' || key === 'ticketTimeLimit';
  return (reply) =>
    JSON.parse(JSON.stringify(reply, (key, value: unknown) => (isLimit(key) ? write(String(value)) : value)));
};

/** The clock of the stations, three hours ahead, without its zone. */
const localClock = (limit: string) => new Date(Date.parse(limit) + 3 * 3_600_000).toISOString().slice(0, 19);

async function holdWith(write: (limit: string) => string) {
  const desk = await openDesk({ sandbox: { rewrite: limits(write) } });
  const locator = await heldBooking(desk);
  const reading = await desk.result('read_booking', { locator });
  const question = await ask(desk.clerk, 'pay_booking', { locator, ...PAY });
  return { desk, reading, question, booking: reading.structured.booking as Record<string, never> };
}

it('a limit by the clock of the station counts, and the reading and the question say how it was sent', async () => {
  const { reading, question, booking, desk } = await holdWith(localClock);
  const words = /The airline's limit to pay is not exact: “[\d-]+T[\d:]+”\./;
  expect(reading.text).toMatch(/held until .* \((?:29|30) min left\), not paid\./);
  expect(reading.text).toMatch(words);
  expect(booking.deadlines).toMatchObject({ as_sent: [expect.stringMatching(words)] });
  expect(question.message).toMatch(words);
  const due = await desk.result('list_bookings', { deadline_within_hours: 1 });
  expect(due.structured.bookings).toHaveLength(1);
});

it.each([
  // One of its limits is in UTC and one by the clock of the station, which has another day from 21:00 on.
  [
    (limit: string) => new Date(limit).toISOString().slice(0, 10),
    /The airline's limit to pay is not exact: “\d{4}-\d\d-\d\d”\./,
  ],
  [() => '28/11, 6 pm', /The airline's limit to pay is not exact: “28\/11, 6 pm”\./],
])('shows a limit that is no time first, and closes nothing by it (%#)', async (write, words) => {
  const { reading, question, booking } = await holdWith(write);
  expect(reading.text).toMatch(words);
  expect(booking.state).toBe('held');
  expect(booking.deadlines).toMatchObject({ as_sent: [expect.stringMatching(words)] });
  expect(question.message).toMatch(words);
});
