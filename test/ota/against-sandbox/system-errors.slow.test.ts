/**
 * A system error proves nothing of a request that was sent, whatever its status: the act is pending until the booking shows
 * it (docs/wire/notes.md, errors, codes in words).
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { heldBooking, ticketedBooking } from '../../clerk/calls/bookings.ts';
import { accept, type Desk, handleOf, openDesk } from '../../clerk/calls/desk.ts';
import { DIALECTS } from './counter.ts';

let desk: Desk;
afterEach(() => desk.close());

/** Fails after the act, and so does the reading that would settle it at once. */
function failAfter(message: string, status: number): void {
  desk.sandbox.order({ message, kind: 'commit-then-error', code: 'SYSTEM_ERROR', status });
  desk.sandbox.order({ message: 'OTA_ReadRQ', kind: 'error-before', code: 'SYSTEM_ERROR', status: 500, nth: 3 });
}

/** Pending at first; the same call, once the airline can be read again, tells that it was done. */
async function expectSettled(tool: string, args: object): Promise<void> {
  const first = await desk.say(tool, args, accept);
  expect(first.structured.status).toBe('pending');
  await vi.waitFor(async () => {
    desk.advance(30_000);
    const later = await desk.result(tool, { ...args, approval_id: handleOf(first) });
    expect(later.structured.status).toBe('done');
  }, 60_000);
}

describe.each(DIALECTS)('in the %s dialect', (dialect) => {
  test.each([200, 400, 422, 500])(
    'reports a payment as pending after a system error with HTTP %i, and later as done',
    async (status) => {
      desk = await openDesk({ sandbox: { dialect } });
      const locator = await heldBooking(desk);
      failAfter('OTA_AirDemandTicketRQ', status);
      await expectSettled('pay_booking', { locator, payment: { type: 'invoice' } });
      expect(desk.acts()).toEqual(['paid']);
    },
  );

  test('reports a cancellation with its refund as pending after a system error, and later as done', async () => {
    desk = await openDesk({ sandbox: { dialect } });
    const locator = await ticketedBooking(desk);
    failAfter('OTA_AirBookModifyRQ', 409);
    await expectSettled('cancel_segment', { locator, all: true });
    expect(desk.acts()).toEqual(['paid', 'segments_cancelled', 'refunded']);
  });
});
