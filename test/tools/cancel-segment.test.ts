import { describe, expect, test } from 'vitest';
import { linesOf } from '../../src/approvals/terms.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { cancelSegment } from '../../src/tools/cancel-segment.ts';
import {
  BACK,
  fare,
  fiveAdults,
  halfLost,
  held,
  NOW,
  OUT,
  option,
  partlyCancelled,
  price,
  row,
  sar,
  segment,
  ticketed,
} from '../support/bookings.ts';
import { carryOut, openDesk, operationOf, parsed, refusedWith } from './support/tool-context.ts';

const preview = (booking: Booking, args: object, now = NOW) => {
  const desk = openDesk({ bookings: [booking], now });
  return cancelSegment.preview(parsed(cancelSegment, { locator: 'ABC123', ...args }), desk.ctx);
};

/** A connection of two flights, sold as one, and a flight back. */
const connection = () =>
  ticketed({
    options: [
      option(segment('1', { to: 'RUH' }), segment('2', { optionRef: '1', from: 'RUH', to: 'JED' })),
      option(segment('3', { from: 'JED', to: 'MED', departs: BACK.segments[0]?.departs ?? '' })),
    ],
  });

describe('cancel_segment', () => {
  test('shows the rule in force, the estimated refund, the next rule and the airline’s quoted text', async () => {
    const terms = await preview(fiveAdults(), { all: true });
    expect(terms).toMatchObject({
      act: 'Cancel every train of ABC123, refund about SAR 1,725.00',
      ask: true,
      money: { direction: 'refund', amount: sar(172500) },
      estimate: { amount: sar(172500), penalty: sar(172500) },
      subject: { kind: 'cancel_segments', segmentRefs: ['1', '2'], keptRefs: [], refundsBefore: 0 },
      send: { modification: { kind: 'cancel_segments', options: [{ ref: '1' }, { ref: '2' }] } },
    });
    expect(linesOf(terms.sections).slice(0, 9)).toEqual([
      'Cancel every train of booking ABC123 for all its passengers. This cannot be undone.',
      'Train HHR101: MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3), class Y, fare YOW',
      'Train HHR202: JED → MED, Sat 5 Dec 18:00-20:10 (UTC+3), class Y, fare YOW',
      'SAR 1,725.00 comes back until Mon 30 Nov 08:00 (UTC+3) (estimate; the airline decides).',
      'The airline keeps SAR 1,725.00, tax included.',
      'Refund rule: The airline keeps SAR 172.50 per person and segment, tax included: SAR 1,725.00 in all. Counted per person and segment. In force until Mon 30 Nov 08:00 (UTC+3).',
      'From Mon 30 Nov 08:00 (UTC+3): Not refundable. SAR 0.00 comes back then.',
      'It can be cancelled until Tue 1 Dec 05:00 (UTC+3); then nothing comes back.',
      "The airline's words: “Refund with a penalty.”",
    ]);
  });

  test('counts the refund of a booking without a price as unknown, not as zero', async () => {
    const { pricing: _, ...unpriced } = fiveAdults();
    const terms = await preview({ ...unpriced, orders: [] }, { all: true });
    expect(terms.money).toEqual({ direction: 'refund' });
  });

  test('asks after the last departure without stating as a fact that nothing comes back', async () => {
    const cancelUntil = '2027-11-29T12:00:00Z';
    const fares = [fare('1', 'MED', 'JED', { cancelUntil }), fare('2', 'JED', 'MED', { cancelUntil })];
    const pricing = { total: price(sar(69000)), refunds: [], fares, perType: [row('ADT', 1, sar(69000))] };
    const terms = await preview(ticketed({ pricing }), { all: true }, Date.parse('2026-12-05T16:00:00Z'));
    expect(terms.act).toBe('Cancel every train of ABC123, nothing comes back (estimate)');
    expect(linesOf(terms.sections)).toContain('Nothing comes back any more (estimate; the airline decides).');
  });

  test('shows the same terms an hour later if nothing changed', async () => {
    const first = await preview(fiveAdults(), { segment_refs: ['2'] });
    const later = await preview(fiveAdults(), { segment_refs: ['2'] }, NOW + 3_600_000);
    expect(linesOf(later.sections)).toEqual(linesOf(first.sections));
    expect(first.subject).toMatchObject({ segmentRefs: ['2'], keptRefs: ['1'] });
    expect(linesOf(first.sections).at(-1)).toBe(
      'Stays as it is: Train HHR101: MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3), class Y, fare YOW',
    );
  });

  test('quotes a rule that the airline sends as text, cleaned and cut', async () => {
    const fareRules = [{ code: 'R', text: `Refundable until\nboarding. ${'x'.repeat(400)}` }];
    const worded = ticketed({
      options: [option(segment('1', { fareRules }))],
      pricing: { total: price(sar(69000)), refunds: [], fares: [], perType: [row('ADT', 1, sar(69000))] },
    });
    const { sections, act } = await preview(worded, { all: true });
    const box = sections.find(({ kind }) => kind === 'refund')?.lines ?? [];
    expect(box[0]).toMatch(/^The airline sent the refund rule as text only: “Refundable until boarding\. x+…”\.$/);
    expect(box[0]?.length).toBeLessThan(220);
    expect(box[1]).toContain('at least SAR 0.00, at most SAR 690.00');
    expect(linesOf(sections).filter((line) => line.includes('until boarding'))).toHaveLength(1);
    expect(act).toBe('Cancel every train of ABC123, refund not known');
  });

  test('shows refund bounds if the price is not split by segment, and counts the upper bound against limits', async () => {
    const terms = await preview(ticketed(), { segment_refs: ['2'] });
    expect(terms.estimate).toEqual({
      bounds: { atLeast: sar(0), atMost: sar(51750) },
      penalty: sar(17250),
      rule: 'The airline keeps SAR 172.50, tax included. The price is not split by segment and passenger, so the amount is not known.',
    });
    expect(terms.money).toEqual({ direction: 'refund', amount: sar(51750), whole: true });
    expect(terms.act).toBe('Cancel train HHR202 of ABC123, refund not known');
    expect(linesOf(terms.sections)).toContain(
      'What comes back is not known before the airline answers: at least SAR 0.00, at most SAR 517.50.',
    );
  });

  test('requires either segment_refs or all, not both or neither', async () => {
    for (const args of [{}, { segment_refs: ['1'], all: true }, { all: false }]) {
      await refusedWith(preview(ticketed(), args), 'E_INPUT');
    }
    const unknown = await refusedWith(preview(ticketed(), { segment_refs: ['9'] }), 'E_INPUT');
    expect(unknown.message).toContain('1, 2');
  });

  test('refuses to cancel one segment of a connection alone', async () => {
    const error = await refusedWith(preview(connection(), { segment_refs: ['1'] }), 'E_INPUT');
    expect(error.message).toContain('1+2');
    const terms = await preview(connection(), { segment_refs: ['2', '1'] });
    expect(terms.subject).toMatchObject({ segmentRefs: ['1', '2'], keptRefs: ['3'] });
  });

  test('refuses a cancelled segment, an unpaid booking and a departed flight', async () => {
    const again = await refusedWith(preview(partlyCancelled(), { segment_refs: ['2'] }), 'E_ALREADY_DONE');
    expect(again.message).toContain('Segment 2 is cancelled already');
    const over = ticketed({ cancelled: true });
    await refusedWith(preview(over, { all: true }), 'E_ALREADY_DONE');
    const unpaid = await refusedWith(preview(held(), { all: true }), 'E_NOT_PAID');
    expect(unpaid.next).toContain('cancel_booking');
    const late = await refusedWith(
      preview(ticketed(), { all: true }, Date.parse('2026-12-01T02:00:00Z')),
      'E_TOO_LATE',
    );
    expect(late.message).toContain(
      'Booking ABC123: the time limit for cancelling passed on Tue 1 Dec 05:00 (UTC+3). Nothing was sent.',
    );
  });

  test('cancels only active segments with all', async () => {
    const terms = await preview(partlyCancelled(), { all: true });
    expect(terms.subject).toMatchObject({ segmentRefs: ['1'], keptRefs: [], refundsBefore: 1 });
    expect(terms.send.modification).toMatchObject({ options: [{ ref: '1' }] });
  });

  test('refuses a used coupon, a no-show, and a cancellation that the airline does not permit', async () => {
    const flown = ticketed();
    const tickets = flown.tickets.map((ticket) => ({
      ...ticket,
      coupons: ticket.coupons.map((coupon, i) => ({ ...coupon, statusCode: i === 0 ? 'F' : 'O' })),
    }));
    const error = await refusedWith(preview({ ...flown, tickets }, { segment_refs: ['1'] }), 'E_NOT_PERMITTED');
    expect(error.message).toContain('not open but flown');
    expect((await preview({ ...flown, tickets }, { segment_refs: ['2'] })).act).toContain(
      'Cancel train HHR202 of ABC123, refund not known',
    );
    const only = (type: string) =>
      ticketed({
        options: [OUT, option(...BACK.segments.map((s) => ({ ...s, permitted: [{ modificationType: type }] })))],
      });
    await refusedWith(preview(only('30'), { segment_refs: ['2'] }), 'E_NOT_PERMITTED');
    expect((await preview(only('10'), { segment_refs: ['2'] })).ask).toBe(true);
    const noShow = ticketed({ options: [OUT, option(...BACK.segments.map((s) => ({ ...s, statusCode: '83' })))] });
    const gone = await refusedWith(preview(noShow, { segment_refs: ['2'] }), 'E_NOT_PERMITTED');
    expect(gone.message).toContain('no-show');
  });

  test('reports the refund of this cancellation, not of an earlier one', async () => {
    const before = partlyCancelled();
    const after: Booking = {
      ...before,
      pricing: {
        total: price(sar(69000)),
        fares: [fare('1', 'MED', 'JED')],
        perType: [row('ADT', 1, sar(69000))],
        refunds: [
          { amount: sar(17250), penalty: sar(15000), vat: sar(2250) },
          { amount: sar(20000), penalty: sar(13000), vat: sar(1950) },
        ],
      },
      orders: [...before.orders, { direction: 'REFUND', status: 'PENDING', amount: sar(20000) }],
    };
    const desk = openDesk({ bookings: [before], airline: { modify: async () => after } });
    const { output, text } = await carryOut(cancelSegment, { locator: 'ABC123', all: true }, desk);
    expect(output).toEqual({
      cancelled_refs: ['1'],
      refund: {
        currency: 'SAR',
        stated: { amount: '200.00', penalty: '130.00', vat: '19.50', order_status: 'PENDING' },
        estimate: {
          bounds: { at_least: '0.00', at_most: '172.50' },
          penalty: '172.50',
          rule: 'The airline keeps SAR 172.50, tax included. The price is not split by segment and passenger, so the amount is not known.',
        },
      },
    });
    expect(text).toBe(
      'Cancelled in booking ABC123: segment 1.\n  HHR101\n' +
        'Refund stated by the airline: SAR 200.00 after penalty 130.00 and VAT 19.50; refund order PENDING; it was estimated between SAR 0.00 and SAR 172.50.',
    );
  });

  test('reports the estimate, and calls it one, if the airline states no refund', async () => {
    const booking = fiveAdults();
    const desk = openDesk({ bookings: [booking], airline: { modify: async () => booking } });
    const { output, text } = await carryOut(cancelSegment, { locator: 'ABC123', all: true }, desk);
    expect(output.refund).toMatchObject({ currency: 'SAR', estimate: { amount: '1725.00', penalty: '1725.00' } });
    expect(output.refund?.stated).toBeUndefined();
    expect(text).toContain(
      'The airline did not state the refund; the estimate was SAR 1725.00 under the rule: The airline keeps SAR 172.50',
    );
  });

  test('reports an estimate of zero if no refund was expected and the airline states none', async () => {
    const booking = halfLost();
    const desk = openDesk({ bookings: [booking], airline: { modify: async () => booking } });
    const { terms, output, text } = await carryOut(cancelSegment, { locator: 'ABC123', segment_refs: ['1'] }, desk);
    expect(terms.act).toBe('Cancel train HHR101 of ABC123, refund about SAR 0.00');
    expect(text).toContain(
      'The airline did not state the refund; the estimate was SAR 0.00 under the rule: Not refundable.',
    );
    expect(output.refund).toEqual({ currency: 'SAR', estimate: { amount: '0.00', rule: 'Not refundable.' } });
  });

  test('reports the stated refund beside the estimate if both have one currency', async () => {
    const before = fiveAdults();
    const refunded = (currency: string) =>
      fiveAdults({
        orders: [...before.orders, { direction: 'REFUND', status: 'PAID', amount: { minor: 10000, currency } }],
      });
    const carried = (after: Booking) =>
      carryOut(
        cancelSegment,
        { locator: 'ABC123', all: true },
        openDesk({ bookings: [before], airline: { modify: async () => after } }),
      );
    expect((await carried(refunded('SAR'))).text).toContain(
      'Refund stated by the airline: SAR 100.00; refund order PAID; the estimate was SAR 1725.00.',
    );
    const foreign = await carried(refunded('EUR'));
    expect(foreign.text).toContain('Refund stated by the airline: EUR 100.00; refund order PAID.');
    expect(foreign.output.refund).toMatchObject({ currency: 'EUR', stated: { amount: '100.00' } });
    expect(foreign.output.refund).not.toHaveProperty('estimate');
  });

  test('reports the refund from the journal when the call is repeated later', async () => {
    const terms = await preview(fiveAdults(), { all: true });
    const refund = { amount: sar(172500), penalty: sar(150000), vat: sar(22500), orderStatus: 'PAID' };
    const operation = operationOf('cancel_segment', terms, { outcome: { refund } });
    const args = parsed(cancelSegment, { locator: 'ABC123', all: true });
    expect(cancelSegment.report({ args, operation }, openDesk().ctx).added).toEqual({
      cancelled_refs: ['1', '2'],
      refund: {
        currency: 'SAR',
        stated: { amount: '1725.00', penalty: '1500.00', vat: '225.00', order_status: 'PAID' },
      },
    });
  });
});
