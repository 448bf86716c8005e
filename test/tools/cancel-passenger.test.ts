import { describe, expect, test } from 'vitest';
import { linesOf } from '../../src/approvals/terms.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { identityText } from '../../src/domain/people/identity-text.ts';
import { cancelPassenger } from '../../src/tools/cancel-passenger.ts';
import { fare, fiveAdults, held, NOW, price, row, rule, sar, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { carryOut, openDesk, parsed, refusedWith } from './support/tool-context.ts';

const preview = (booking: Booking, refs: string[], now = NOW) => {
  const desk = openDesk({ bookings: [booking], now });
  const args = parsed(cancelPassenger, { locator: 'ABC123', passenger_refs: refs });
  return { desk, terms: cancelPassenger.preview(args, desk.ctx) };
};

/** Two adults, the second with an infant on the lap. */
const family = () => {
  const rules = [rule(), rule({ passengerType: 'INF', base: sar(0) })];
  return ticketed({
    travelers: [
      traveler('1', 'Amal', 'Haddad'),
      traveler('2', 'Noor', 'Haddad', { birthDate: '1992-01-01' }),
      traveler('3', 'Lina', 'Haddad', { type: 'INF', birthDate: '2026-01-01', attendantRef: '2' }),
    ],
    pricing: {
      total: price(sar(145000)),
      refunds: [],
      fares: [fare('1', 'MED', 'JED', { refundRules: rules }), fare('2', 'JED', 'MED', { refundRules: rules })],
      perType: [row('ADT', 2, sar(140000)), row('INF', 1, sar(5000))],
    },
  });
};

describe('cancel_passenger', () => {
  test('shows who is removed, who stays and the refund, and identifies people by digests', async () => {
    const booking = fiveAdults();
    const { terms, desk } = preview(booking, ['2', '2']);
    const shown = await terms;
    const digest = (ref: string) =>
      desk.ctx.identity(
        booking.travelers
          .filter((each) => each.ref === ref)
          .map(identityText)
          .join(''),
      );
    expect(shown).toMatchObject({
      act: 'Cancel 1 passenger of ABC123, refund about SAR 345.00',
      ask: true,
      money: { direction: 'refund', amount: sar(34500) },
      subject: {
        kind: 'cancel_passengers',
        gone: [digest('2')],
        kept: ['1', '3', '4', '5'].map(digest),
        refundsBefore: 0,
      },
      send: { modification: { kind: 'cancel_passengers', travelers: [{ ref: '2' }] } },
    });
    expect(linesOf(shown.sections)[0]).toBe(
      'Remove 1 passenger from booking ABC123, on all its trains. This cannot be undone.',
    );
    expect(linesOf(shown.sections)[1]).toBe('Passenger 2: “Givenb Haddad”, adult');
    expect(linesOf(shown.sections).at(-1)).toMatch(
      /^Stays on the booking: Passenger 1: “Givena Haddad”, adult; Passenger 3/,
    );
    expect(JSON.stringify(shown.subject)).not.toContain('Haddad');
  });

  test('refuses to remove an adult without the adult’s lap infant', async () => {
    const error = await refusedWith(preview(family(), ['2']).terms, 'E_NOT_PERMITTED');
    expect(error.message).toContain('infant 3');
    expect(error.next).toContain('infant 3');
    const terms = await preview(family(), ['2', '3']).terms;
    expect(terms.money?.amount).toEqual(sar(70000 + 5000 - 2 * 17250));
    expect((await preview(family(), ['3']).terms).act).toBe('Cancel 1 passenger of ABC123, refund about SAR 50.00');
  });

  test('refuses to remove every passenger, and points to cancel_booking', async () => {
    const error = await refusedWith(preview(family(), ['1', '2', '3']).terms, 'E_NOT_PERMITTED');
    expect(error.next).toContain('cancel_booking');
    await refusedWith(preview(ticketed(), ['1']).terms, 'E_NOT_PERMITTED');
    // An unknown passenger must not lead to cancelling for the only one.
    const gone = await refusedWith(preview(ticketed(), ['2']).terms, 'E_INPUT');
    expect(gone.message).toContain('1 (ADT)');
    expect(gone.next).not.toContain('cancel_booking');
  });

  test('refuses unknown refs, an unpaid booking, a departed flight and a coupon that is checked in', async () => {
    const unknown = await refusedWith(preview(family(), ['1', '9']).terms, 'E_INPUT');
    expect(unknown.message).toContain('1 (ADT), 2 (ADT), 3 (INF)');
    await refusedWith(preview(held({ travelers: family().travelers }), ['1']).terms, 'E_NOT_PAID');
    await refusedWith(preview(family(), ['1'], Date.parse('2026-12-01T02:00:00Z')).terms, 'E_TOO_LATE');
    const tickets = family().tickets.map((ticket, i) => ({
      ...ticket,
      coupons: ticket.coupons.map((coupon) => ({ ...coupon, statusCode: i === 0 ? 'C' : 'O' })),
    }));
    const error = await refusedWith(preview({ ...family(), tickets }, ['1']).terms, 'E_NOT_PERMITTED');
    expect(error.message).toContain('checked in');
    expect((await preview({ ...family(), tickets }, ['2', '3']).terms).ask).toBe(true);
  });

  test('warns if no adult stays on the booking', async () => {
    const child = ticketed({
      travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad', { type: 'CHD' })],
    });
    expect(linesOf((await preview(child, ['1']).terms).sections)).toContain(
      'No adult stays: the airline may refuse this.',
    );
  });

  test('reports who was removed and who stays, even if the airline renumbered the passengers', async () => {
    const before = fiveAdults();
    const after: Booking = {
      ...before,
      travelers: before.travelers.slice(1).map((each, i) => ({ ...each, ref: String(i + 1) })),
      pricing: {
        total: price(sar(345000)),
        refunds: [{ amount: sar(34500) }],
        fares: [],
        perType: [],
      },
    };
    const desk = openDesk({ bookings: [before], airline: { modify: async () => after } });
    const { output, text } = await carryOut(cancelPassenger, { locator: 'ABC123', passenger_refs: ['1'] }, desk);
    expect(output).toMatchObject({
      cancelled_passenger_refs: ['1'],
      refund: { currency: 'SAR', stated: { amount: '345.00' }, estimate: { amount: '345.00', penalty: '345.00' } },
    });
    expect(text).toContain('Removed from booking ABC123: “Givena Haddad”.');
    expect(text).toContain('stays: Passenger 1: “Givenb Haddad”, adult');
  });
});
