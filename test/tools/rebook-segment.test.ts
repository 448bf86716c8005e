import { describe, expect, test } from 'vitest';
import { linesOf } from '../../src/approvals/terms.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import type { Segment } from '../../src/domain/booking/itinerary.ts';
import type { Offer } from '../../src/domain/pricing/fare-search.ts';
import type { ShelvedOffer } from '../../src/domain/pricing/offer-store.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { rebookSegment } from '../../src/tools/rebook-segment.ts';
import { BACK, fare, held, NOW, OUT, option, price, row, rule, sar, segment, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { carryOut, offer, openDesk, operationOf, parsed, refusedWith, shelved } from './support/tool-context.ts';

/** The flight a day later, as a search shows it. */
const LATER = segment('7', {
  flightNumber: '105',
  operating: { carrier: 'HHR', number: '105' },
  departs: '2026-12-02T12:00:00.000+03:00',
  arrives: '2026-12-02T14:10:00.000+03:00',
  bookingClass: 'C',
  fareBasis: 'COW',
  statusCode: '34',
});

function changeable(over: Partial<Booking> = {}): Booking {
  const changeRules = [rule({ base: sar(4000) })];
  const fares = [fare('1', 'MED', 'JED', { changeRules }), fare('2', 'JED', 'MED', { changeRules })];
  return ticketed({
    pricing: { total: price(sar(69000)), refunds: [], fares, perType: [row('ADT', 1, sar(69000))] },
    ...over,
  });
}

const offered = (segments: Segment[], over: Partial<Offer> = {}): ShelvedOffer =>
  shelved({
    offer: offer({
      options: [option(...segments)],
      pricing: { total: price(sar(50000)), refunds: [], fares: [], perType: [] },
      ...over,
    }),
  });

function deskOf(booking: Booking, shelf: ShelvedOffer, after = booking, now = NOW) {
  const desk = openDesk({ bookings: [booking], now, airline: { modify: async () => after } });
  desk.shelf.set('o000001', shelf);
  return desk;
}

const ARGS = { locator: 'ABC123', segment_ref: '1', offer_id: 'o000001' };
const preview = (booking: Booking, shelf = offered([LATER]), over: object = {}, now = NOW) =>
  rebookSegment.preview(parsed(rebookSegment, { ...ARGS, ...over }), deskOf(booking, shelf, booking, now).ctx);

describe('rebook_segment', () => {
  test('shows old and new flight, fare, possible cost and what is unknown in the terms', async () => {
    const terms = await preview(changeable());
    expect(linesOf(terms.sections)).toEqual([
      'Change a train of booking ABC123 for all its passengers. This may cost money and cannot be undone.',
      'Old: Train HHR101: MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3), class Y, fare YOW',
      'New: Train HHR105: MED → JED, Wed 2 Dec 12:00-14:10 (UTC+3), class C, fare COW',
      'Fare: was YOW, now COW; the rules of the new fare hold for it.',
      'New fare: refund rules not known.',
      'The airline gives the seats on the new train.',
      'The new fare was offered at SAR 500.00 for the party.',
      'Change rule: 1 adult × SAR 46.00 = SAR 46.00, tax included.',
      'By the rule and the offer it comes to SAR 546.00 at most; the airline decides, and says it only when it is done.',
      'Paid for the whole booking: SAR 690.00, not split by segment. The airline may keep a difference.',
      'Passenger 1: “Amal Haddad”, adult',
      'The airline does not document this request: it is sent as such airlines are known to take it, and judged by the booking afterwards.',
    ]);
    expect(terms).toMatchObject({
      act: 'Change train HHR101 of ABC123 to HHR105, up to about SAR 546.00',
      ask: true,
      money: { direction: 'payment', amount: sar(54600) },
      facts: { offered: sar(50000), flight: { number: '105', departs: '2026-12-02T09:00:00Z' } },
      subject: { kind: 'rebook_segment', paymentsBefore: 1, refundsBefore: 0, kept: [{ from: 'JED', to: 'MED' }] },
    });
    const { modification } = terms.send;
    expect(modification).toMatchObject({
      kind: 'rebook_segment',
      replacedRef: '1',
      option: { ref: '3', segments: [{ ref: '3', optionRef: '3', flightNumber: '105' }] },
    });
    expect(modification.kind === 'rebook_segment' && modification.option.segments[0]).not.toHaveProperty('statusCode');
  });

  test('shows an unknown cost without a change rule, and counts the whole new price against limits', async () => {
    const terms = await preview(ticketed());
    expect(terms.act).toBe('Change train HHR101 of ABC123 to HHR105, cost not known');
    expect(terms.money).toEqual({ direction: 'payment', amount: sar(50000), whole: true });
    expect(linesOf(terms.sections)).toContain('What the airline charges or refunds is not known before it answers.');
    expect(linesOf(terms.sections)).toContain('Change rule: The airline sent no rule for changing this flight.');
  });

  test('shows no sum if the rule permits no change, and counts the whole new price against limits', async () => {
    const changeRules = [rule({ refundable: false, base: sar(0) })];
    const fares = [fare('1', 'MED', 'JED', { changeRules })];
    const pricing = { total: price(sar(69000)), refunds: [], fares, perType: [row('ADT', 1, sar(69000))] };
    const terms = await preview(changeable({ pricing }));
    expect(terms.act).toBe('Change train HHR101 of ABC123 to HHR105, cost not known');
    expect(linesOf(terms.sections)).toContain('Change rule: 1 adult: no change permitted.');
    expect(terms.money).toEqual({ direction: 'payment', amount: sar(50000), whole: true });
  });

  test('shows what was paid and the refund rule of the new fare in the terms', async () => {
    const note = 'Keeps SAR 86.25 per person and segment, tax included';
    const perType = ['1', '2'].map((ref) => row('ADT', 1, sar(34500), { segmentRefs: [ref] }));
    const { pricing } = changeable();
    const split = changeable({ pricing: { refunds: [], fares: [], ...pricing, perType } });
    const lines = linesOf((await preview(split, { ...offered([LATER]), refundNote: note })).sections);
    expect(lines).toContain(`New fare: ${note}.`);
    expect(lines).toContain('Paid for the old one: SAR 345.00. The airline may keep a difference.');
    const { pricing: _, ...unpriced } = changeable({ orders: [] });
    expect(linesOf((await preview(unpriced)).sections)).toContain(
      'The airline does not say what was paid for the old one. The airline may keep a difference.',
    );
  });

  test('counts the price of the booking against limits if the offer has no price', async () => {
    const unpriced = offered([LATER], { pricing: { refunds: [], fares: [], perType: [] } });
    const terms = await preview(changeable(), unpriced);
    expect(linesOf(terms.sections)).toContain('The new fare was offered at an unknown price for the party.');
    expect(terms.money?.amount).toEqual(sar(69000));
    const nowhere = { ...changeable(), orders: [], pricing: { refunds: [], fares: [], perType: [] } };
    expect((await preview(nowhere, unpriced)).money).toEqual({ direction: 'payment' });
  });

  test('accepts another class of the same flight, and leaves out the fare if it is the same', async () => {
    const [own = LATER] = OUT.segments;
    const upgrade = await preview(changeable(), offered([{ ...own, ref: '9', bookingClass: 'C' }]));
    expect(linesOf(upgrade.sections)[2]).toBe(
      'New: Train HHR101: MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3), class C, fare YOW',
    );
    expect(linesOf(upgrade.sections).some((line) => line.startsWith('Fare:'))).toBe(false);
    await refusedWith(preview(changeable(), offered([{ ...own, ref: '9' }])), 'E_ALREADY_DONE');
  });

  test('gives the new flight an unused ref even if other refs are not numbers', async () => {
    const odd = changeable({
      options: [option(segment('1')), option(...BACK.segments.map((s) => ({ ...s, ref: 'B', optionRef: 'B' })))],
    });
    const terms = await preview(odd);
    expect(terms.send.modification).toMatchObject({ option: { ref: '2' } });
  });

  const connection = option(segment('1', { to: 'RUH' }), segment('2', { optionRef: '1', from: 'RUH', to: 'JED' }));
  const [back = LATER] = BACK.segments;
  test.each<[string, Booking, ShelvedOffer, object, ErrorCode, string]>([
    [
      'a segment that does not exist',
      changeable(),
      offered([LATER]),
      { segment_ref: '9' },
      'E_INPUT',
      'an active segment: 1, 2.',
    ],
    [
      'a segment of a connection',
      changeable({ options: [connection] }),
      offered([LATER]),
      {},
      'E_NOT_PERMITTED',
      'part of a connection',
    ],
    [
      'one of two flights between the same stations',
      changeable({ options: [OUT, option(segment('2', { departs: '2026-12-05T08:00:00.000+03:00' }))] }),
      offered([LATER]),
      {},
      'E_NOT_PERMITTED',
      'another flight of the booking serves the same stations',
    ],
    [
      'a connection in place of one flight',
      changeable(),
      offered([LATER, { ...back, departs: '2026-12-03T08:00:00.000+03:00' }]),
      {},
      'E_INPUT',
      'an offer of one flight from MED to JED',
    ],
    [
      'a flight to another station',
      changeable(),
      offered([{ ...LATER, to: 'RUH' }]),
      {},
      'E_INPUT',
      'a flight from MED to JED',
    ],
    [
      'a flight that arrives after the next one departs',
      changeable(),
      offered([{ ...LATER, departs: '2026-12-05T16:00:00.000+03:00', arrives: '2026-12-05T18:10:00.000+03:00' }]),
      {},
      'E_INPUT',
      'arrives before segment 2 departs',
    ],
    [
      'a flight that departs before the previous one arrives',
      changeable(),
      offered([
        { ...back, ref: '9', departs: '2026-12-01T09:00:00.000+03:00', arrives: '2026-12-01T11:10:00.000+03:00' },
      ]),
      { segment_ref: '2' },
      'E_INPUT',
      'after segment 1 arrives',
    ],
    [
      'an offer for another number of passengers',
      changeable({ travelers: [traveler('1', 'A', 'B'), traveler('2', 'C', 'D')] }),
      offered([LATER]),
      {},
      'E_INPUT',
      'expected the party that the offer was searched for',
    ],
    [
      'a date on which a passenger’s age does not fit the type',
      changeable({ travelers: [traveler('1', 'A', 'B', { birthDate: '2015-01-01' })] }),
      offered([LATER]),
      {},
      'E_INPUT',
      'passenger 1 is no ADT any more on 2026-12-02',
    ],
    [
      'a date on which a document has expired',
      changeable({ travelers: [traveler('1', 'A', 'B', { document: { number: 'P1', expires: '2026-12-05' } })] }),
      offered([LATER]),
      {},
      'E_INPUT',
      'passenger 1, document.expires',
    ],
    ['an unknown offer', changeable(), offered([LATER]), { offer_id: 'o999999' }, 'E_OFFER_EXPIRED', 'not known here'],
    ['an unpaid hold', held(), offered([LATER]), {}, 'E_NOT_PAID', 'not paid'],
  ])('refuses to rebook: %s', async (_what, booking, shelf, over, code, words) => {
    expect((await refusedWith(preview(booking, shelf, over), code)).message).toContain(words);
  });

  test('refuses a change that the airline does not permit on this segment', async () => {
    const permitted = (types: string[]) => types.map((modificationType) => ({ modificationType }));
    const booking = changeable({
      options: [
        option(segment('1', { permitted: permitted(['3', '10']) })),
        option(...BACK.segments.map((one) => ({ ...one, permitted: permitted(['30']) }))),
      ],
    });
    const error = await refusedWith(preview(booking), 'E_NOT_PERMITTED');
    expect(error.message).toContain('does not permit another flight for segment 1');
  });

  test('accepts travellers without birth date and document', async () => {
    const { birthDate: _, document: __, ...little } = traveler('1', 'A', 'B');
    expect((await preview(changeable({ travelers: [little] }))).ask).toBe(true);
  });

  test('reports the new flight, charge and refund that the airline shows', async () => {
    const before = changeable();
    const after: Booking = {
      ...before,
      options: [option({ ...LATER, ref: '1', optionRef: '1', statusCode: '30' }), BACK],
    };
    const desk = deskOf(before, offered([LATER]), after);
    const terms = await preview(before);
    const told = { charge: { amount: sar(4600), orderStatus: 'PENDING' }, refund: { amount: sar(100) } };
    const operation = operationOf('rebook_segment', terms, { outcome: told });
    const { output, report, text } = await carryOut(rebookSegment, ARGS, desk, { operation });
    expect(output).toEqual({
      flight: {
        ref: '1',
        flight: 'HHR105',
        departs: '2026-12-02T12:00:00.000+03:00',
        arrives: '2026-12-02T14:10:00.000+03:00',
        class: 'C',
      },
      money: { currency: 'SAR', charged: { amount: '46.00', order_status: 'PENDING' }, refunded: { amount: '1.00' } },
      assumption: 'It rests on an assumed request: let the person check the booking.',
    });
    expect(report.changed).toEqual(['segment 1 is now HHR105']);
    expect(text.split('\n')).toEqual([
      'Changed in booking ABC123. It is now segment 1: HHR105 Wed 2 Dec 12:00-14:10 (UTC+3), class C.',
      'Charged by the airline: SAR 46.00, order PENDING.',
      'Refunded by the airline: SAR 1.00.',
      'It rests on an assumed request: let the person check the booking.',
    ]);
  });

  test('warns in the result if the airline booked another class than approved', async () => {
    const before = changeable();
    const booked = { ...LATER, ref: '4', optionRef: '4', statusCode: '30', bookingClass: 'L' };
    const desk = deskOf(before, offered([LATER]), { ...before, options: [option(booked), BACK] });
    const operation = operationOf('rebook_segment', await preview(before), { outcome: {} });
    const { output, text } = await carryOut(rebookSegment, ARGS, desk, { operation });
    const difference = 'segment 4 is booked in class L, not in C as approved; its rules may differ. Tell the person.';
    expect(output).toMatchObject({ flight: { ref: '4', class: 'L' }, other_class: difference });
    expect(text).toContain(`ANOTHER CLASS: ${difference}`);
  });

  test('says in the terms of the airline dialect that the class may differ, and names no assumption', async () => {
    const booking = changeable();
    const desk = openDesk({ bookings: [booking], now: NOW, settings: { dialect: 'airline' } });
    desk.shelf.set('o000001', offered([LATER]));
    const lines = linesOf((await rebookSegment.preview(parsed(rebookSegment, ARGS), desk.ctx)).sections);
    expect(lines).toContain('The airline may book another class than asked; the result says so.');
    expect(lines.join('\n')).not.toContain('does not document');
    const operation = operationOf('rebook_segment', await preview(booking), { outcome: {} });
    const { added } = rebookSegment.report({ args: parsed(rebookSegment, ARGS), operation }, desk.ctx);
    expect(added).not.toHaveProperty('assumption');
  });

  test('reports no flight or money that the airline did not state', async () => {
    const terms = await preview(changeable());
    const args = parsed(rebookSegment, ARGS);
    const operation = operationOf('rebook_segment', terms, { outcome: {} });
    const { added, changed } = rebookSegment.report({ args, operation }, openDesk().ctx);
    expect(added).not.toHaveProperty('flight');
    expect(added).not.toHaveProperty('money');
    expect(changed).toEqual(['a flight was changed']);
    expect(rebookSegment.text(added as never, { args, operation })).toContain(
      'The airline did not state what it charged or gave back.',
    );
    const two = operationOf('rebook_segment', terms, {
      outcome: { charge: { amount: sar(1) }, refund: { amount: { minor: 5, currency: 'EUR' } } },
    });
    const { bookingClass: _, ...unsold } = LATER;
    const booking = { ...changeable(), options: [option({ ...unsold, statusCode: 'HK' })] };
    const odd = rebookSegment.report({ args, operation: two, booking }, openDesk().ctx).added;
    expect(odd).toMatchObject({ flight: { class: '' }, money: { currency: 'SAR', charged: { amount: '0.01' } } });
    expect(odd.money).not.toHaveProperty('refunded');
  });
});
