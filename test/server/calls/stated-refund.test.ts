/**
 * The refund that the airline states is shown and stored in either form. In the dialect whose replies after a full
 * cancellation have no price, only the refund order states it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ticketedBooking } from './bookings.ts';
import { accept, type Desk, openDesk } from './desk.ts';

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk({ sandbox: { dialect: 'airline' } });
});
afterAll(() => desk.close());

test('reports the refund of a full cancellation in the airline dialect from the refund order', async () => {
  const locator = await ticketedBooking(desk);
  const result = await desk.say('cancel_segment', { locator, all: true }, accept);
  expect(result.structured).toMatchObject({ status: 'done' });
  const told = (result.structured.refund as { stated?: { amount: string; order_status?: string } }).stated;
  expect(told?.amount).toMatch(/^\d+\.\d\d$/);
  expect(Number(told?.amount)).toBeGreaterThan(0);

  const read = await desk.parts.airline.read(locator);
  expect(read.pricing?.refunds ?? []).toEqual([]);
  const [order] = read.orders.filter(({ direction }) => direction === 'REFUND');
  const kept = await desk.parts.state.operations.get(String(result.structured.operation_id));
  expect(kept?.outcome?.refund).toEqual({ amount: order?.amount, orderStatus: order?.status });
  const refunded = desk.sandbox.ledger().filter(({ event }) => event === 'refunded');
  expect(refunded).toHaveLength(1);
});
