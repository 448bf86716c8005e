/**
 * Payments as the airline takes them: company, amount and account, and until when a hold must be paid (docs/wire/notes.md,
 * money and rules).
 */
import { afterEach, describe, expect, test } from 'vitest';
import { ok } from '../../e2e/trip.ts';
import {
  type Counter,
  cents,
  DIALECTS,
  held,
  heldGroup,
  type Json,
  moved,
  offersOf,
  openCounter,
  people,
} from './counter.ts';

let counter: Counter;
afterEach(() => counter.close());

const KINDS = [
  { type: 'external' },
  { type: 'cash' },
  { type: 'credit_card', holder_name: 'Amal Haddad' },
  { type: 'invoice' },
  { type: 'debit_credit_account', holder_name: 'Amal Haddad' },
] as const;

describe.each(DIALECTS)('in the %s dialect', (dialect) => {
  test('pays once with every payment type, names the company and takes the price of the booking', async () => {
    counter = await openCounter(dialect);
    const [offer] = await offersOf(counter, { adults: 2 });
    for (const payment of KINDS) {
      const { booking } = await held(counter, offer, people(2));
      const paid = await ok(counter.client, 'pay_booking', { locator: booking.locator, payment });
      expect(paid.structuredContent.status).toBe('done');
      expect(moved(counter, 'paid', booking.locator)).toEqual([cents(booking.total)]);
    }
    const sent = counter.sent('OTA_AirDemandTicketRQ').map(({ demandTicketDetail }) => demandTicketDetail);
    for (const { bookingReferenceID } of sent) expect(bookingReferenceID.companyName).toEqual({ code: 'SBX' });
    const stated = sent.filter(({ paymentInfo: [info] }: Json) => info.amount !== undefined);
    expect(stated.map(({ paymentInfo: [info] }: Json) => info.paymentType)).toEqual(
      dialect === 'airline' ? ['1', '5'] : [],
    );
  });

  test("pays from the desk's account, not from the holder that was named", async () => {
    counter = await openCounter(dialect);
    const [offer] = await offersOf(counter);
    const { booking } = await held(counter, offer, people(1));
    const payment = { type: 'debit_credit_account', holder_name: 'Amal Haddad' };
    await ok(counter.client, 'pay_booking', { locator: booking.locator, payment });
    const [{ demandTicketDetail }] = counter.sent('OTA_AirDemandTicketRQ');
    expect(demandTicketDetail.paymentInfo).toEqual([
      { paymentType: '4', creditCardInfo: [{ cardHolderName: 'sandbox-account' }] },
    ]);
  });

  test('takes the pay-by time of a group from its quote', async () => {
    counter = await openCounter(dialect);
    const [offer] = await offersOf(counter, { adults: 2 });
    const { booking } = await heldGroup(counter, offer, 2);
    const { payBy, locator } = counter.record(booking.locator);
    expect(booking.state).toBe('held');
    expect(Date.parse(booking.deadlines.pay_by)).toBe(Math.floor(payBy / 60_000) * 60_000);
    expect(locator).toBe(booking.locator);
  });
});
