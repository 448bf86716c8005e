import { describe, expect, test } from 'vitest';
import type { Booking } from '../../src/domain/booking/booking.ts';
import type { PenaltyRule } from '../../src/domain/pricing/fare.ts';
import { MOST_WINDOWS } from '../../src/domain/pricing/later-refunds.ts';
import { cancelBooking } from '../../src/tools/cancel-booking.ts';
import { cancelPassenger } from '../../src/tools/cancel-passenger.ts';
import { cancelSegment } from '../../src/tools/cancel-segment.ts';
import { quoteCancellation } from '../../src/tools/quote-cancellation.ts';
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
  rule,
  sar,
  segment,
  ticketed,
} from '../support/bookings.ts';
import { bareTraveler, traveler } from '../support/people.ts';
import { type DeskOptions, openDesk, operationOf, parsed, refusal, refusedWith } from './support/tool-context.ts';

async function quote(booking: Booking, part: object = {}, options: DeskOptions = {}) {
  const desk = openDesk({ bookings: [booking], ...options });
  const args = parsed(quoteCancellation, { locator: 'abc123', ...part });
  const view = quoteCancellation.output().parse(await quoteCancellation.run(args, desk.ctx));
  return { desk, view, lines: quoteCancellation.text(view, args).split('\n') };
}

const quoting = (booking: Booking, part: object = {}, options: DeskOptions = {}) => {
  const desk = openDesk({ bookings: [booking], ...options });
  return quoteCancellation.run(parsed(quoteCancellation, { locator: 'ABC123', ...part }), desk.ctx);
};

/** 23.00 with tax, later 46.00, then nothing; 345.00 a person and segment. */
const RULES: readonly PenaltyRule[] = [
  rule({ base: sar(2000), until: '2026-11-29T12:00:00Z' }),
  rule({ base: sar(4000), from: '2026-11-29T12:00:00Z', until: '2026-11-30T05:00:00Z' }),
  rule({ refundable: false, base: sar(0), from: '2026-11-30T05:00:00Z', until: '2026-12-05T15:00:00Z' }),
];

const forTypes = (types: readonly string[], rules = RULES) =>
  types.flatMap((passengerType) => rules.map((one) => ({ ...one, passengerType })));

/** Three adults there and back, priced by segment. */
function three(refundRules: readonly PenaltyRule[] = RULES, over: Partial<Booking> = {}): Booking {
  return ticketed({
    travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Boris', 'Berg'), traveler('3', 'Chen', 'Li')],
    pricing: {
      total: price(sar(207000)),
      refunds: [],
      fares: [fare('1', 'MED', 'JED', { refundRules }), fare('2', 'JED', 'MED', { refundRules })],
      perType: ['1', '2'].map((ref) => row('ADT', 3, sar(103500), { segmentRefs: [ref] })),
    },
    ...over,
  });
}

/** An adult with an infant on the lap, and another adult. */
function family(): Booking {
  const infant = traveler('3', 'Lena', 'Haddad', { type: 'INF', attendantRef: '1' });
  return three(forTypes(['ADT', 'INF']), {
    travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Boris', 'Berg'), infant],
    pricing: {
      total: price(sar(145000)),
      refunds: [],
      fares: ['1', '2'].map((ref) =>
        fare(ref, ref === '1' ? 'MED' : 'JED', ref === '1' ? 'JED' : 'MED', {
          refundRules: forTypes(['ADT', 'INF']),
        }),
      ),
      perType: ['1', '2'].flatMap((ref) => [
        row('ADT', 2, sar(69000), { segmentRefs: [ref] }),
        row('INF', 1, sar(3500), { segmentRefs: [ref] }),
      ]),
    },
  });
}

describe('quote_cancellation', () => {
  test('puts the one sum first, then each later window, one line for equal parts, and notes', async () => {
    const names: Record<string, string> = { MED: 'Madinah', JED: 'Jeddah' };
    const { lines } = await quote(three(), {}, { airline: { placeName: ((code: string) => names[code]) as never } });
    expect(lines).toEqual([
      'SAR 1,932.00 comes back now, SAR 138.00 is kept. Until Sun 29 Nov 15:00 (UTC+3).',
      'From Sun 29 Nov 15:00 (UTC+3): SAR 1,794.00 comes back, SAR 276.00 is kept.',
      'From Mon 30 Nov 08:00 (UTC+3): nothing comes back, SAR 2,070.00 is kept.',
      'It can be cancelled until Tue 1 Dec 05:00 (UTC+3); then nothing comes back.',
      'Amal Haddad, Boris Berg and Chen Li, train HHR101 Madinah (MED) → Jeddah (JED) and train HHR202 Jeddah (JED) → Madinah (MED): SAR 2,070.00 paid; SAR 23.00 kept a person and segment, tax included; SAR 1,932.00 back',
      "The airline's words: “Refund with a penalty.”",
      "Estimated from the airline's rules, a penalty for each person and segment; the airline decides.",
    ]);
  });

  test('returns decimal strings, UTC times and every later window with its sum', async () => {
    const { view } = await quote(three());
    expect(view).toMatchObject({
      locator: 'ABC123',
      currency: 'SAR',
      state: 'ticketed',
      refund_now: '1932.00',
      kept_now: '138.00',
      valid_until: '2026-11-29T12:00:00Z',
      cancel_ends: '2026-12-01T02:00:00Z',
      departs: OUT.segments[0]?.departs,
      later: [
        { from: '2026-11-29T12:00:00Z', until: '2026-11-30T05:00:00Z', refund: '1794.00', kept: '276.00' },
        { from: '2026-11-30T05:00:00Z', until: '2026-12-01T02:00:00Z', refund: '0.00', kept: '2070.00' },
        { from: '2026-12-01T02:00:00Z', refund: '0.00', kept: '2070.00' },
      ],
    });
    expect(view.lines).toEqual(
      ['1', '2'].map((ref) => ({
        segment_ref: ref,
        passenger_refs: ['1', '2', '3'],
        segment: ref === '1' ? 'train HHR101 MED → JED' : 'train HHR202 JED → MED',
        passengers: 'Amal Haddad, Boris Berg and Chen Li',
        paid: '1035.00',
        kept_each: '23.00',
        refund: '966.00',
        refundable: true,
      })),
    );
    expect(view).not.toHaveProperty('bounds');
  });

  test('asks the airline once, and writes no operation', async () => {
    const { desk } = await quote(three(), { segment_refs: ['1'] });
    expect(desk.asked.map(([method]) => method)).toEqual(['read']);
    expect(desk.operations).toEqual([]);
    expect(desk.ledger.get('ABC123')).toMatchObject({ state: 'ticketed', madeHere: false });
  });

  test('quotes some segments for everybody', async () => {
    const { view, lines } = await quote(three(), { segment_refs: ['2'] });
    expect(view).toMatchObject({ refund_now: '966.00', kept_now: '69.00', lines: [{ segment_ref: '2' }] });
    expect(view.later.map(({ refund }) => refund)).toEqual(['897.00', '0.00', '0.00']);
    expect(lines[0]).toMatch(/^SAR 966\.00 comes back now, SAR 69\.00 is kept\./);
  });

  test('quotes some passengers on every segment', async () => {
    const { view, lines } = await quote(three(), { passenger_refs: ['2', '3'] });
    expect(view).toMatchObject({ refund_now: '1288.00', kept_now: '92.00' });
    expect(lines).toContainEqual(expect.stringMatching(/^Boris Berg and Chen Li, train HHR101 .* SAR 1,380\.00 paid;/));
  });

  test('quotes all passengers as the whole booking, and names the tool that cancels it', async () => {
    const [whole, all] = [await quote(three()), await quote(three(), { passenger_refs: ['1', '2', '3'] })];
    const note = 'These are all passengers: cancel_booking cancels the whole booking.';
    expect(all.view).toEqual({ ...whole.view, notes: [note, ...whole.view.notes] });
  });

  test('lists passenger types of other figures in lines of their own', async () => {
    const { view, lines } = await quote(family());
    expect(view.lines.map(({ passengers, kept_each, refund }) => [passengers, kept_each, refund])).toEqual([
      ['Amal Haddad and Boris Berg', '23.00', '644.00'],
      ['Amal Haddad and Boris Berg', '23.00', '644.00'],
      ['Lena Haddad', '23.00', '12.00'],
      ['Lena Haddad', '23.00', '12.00'],
    ]);
    expect(view.refund_now).toBe('1312.00');
    expect(lines.filter((line) => line.includes('train HHR101'))).toHaveLength(2);
  });

  test('names at most four people, and counts the others', async () => {
    const { lines } = await quote(fiveAdults());
    expect(lines.join('\n')).toContain('Givena Haddad, Givenb Haddad, Givenc Haddad and 2 others, train');
  });

  test('says “flight” in the airline dialect', async () => {
    const { lines } = await quote(three(), {}, { settings: { dialect: 'airline' } });
    expect(lines.join('\n')).toContain('flight HHR101 MED → JED and flight HHR202');
    expect(lines.join('\n')).not.toContain('train');
  });

  test('says in one line that nothing is kept, or nothing comes back', async () => {
    const free = await quote(three([rule({ base: sar(0), until: '2026-11-30T05:00:00Z' })]));
    expect(free.lines[0]).toBe('SAR 2,070.00 comes back now, nothing is kept. Until Mon 30 Nov 08:00 (UTC+3).');
    const lost = await quote(three([rule({ refundable: false, base: sar(0), until: '2027-01-01T00:00:00Z' })]));
    expect(lost.lines[0]).toBe('Nothing comes back now, SAR 2,070.00 is kept.');
    expect(lost.view.lines[0]).toMatchObject({ refundable: false, kept_each: '345.00', refund: '0.00' });
    expect(lost.lines[2]).toMatch(/: SAR 2,070\.00 paid; not refundable$/);
  });
});

describe('quote_cancellation of what cannot be said', () => {
  test('names bounds where the price is not split, and says why', async () => {
    const { view, lines } = await quote(halfLost());
    expect(view).not.toHaveProperty('refund_now');
    expect(view.bounds).toEqual({ at_least: '0.00', at_most: '517.50' });
    expect(lines[0]).toBe('Between SAR 0.00 and SAR 517.50 comes back now. Until Mon 30 Nov 08:00 (UTC+3).');
    expect(view.notes).toContain('The price is not split by segment and passenger, so the amount is not known.');
    expect(view.notes).toContain('From Mon 30 Nov 08:00 (UTC+3): between SAR 0.00 and SAR 690.00 comes back.');
    expect(view.later[0]).toEqual({ from: '2026-11-30T05:00:00Z', until: '2026-12-01T02:00:00Z' });
  });

  test('names the segment without a rule, and leaves it out of the lines', async () => {
    const fares = [fare('1', 'MED', 'JED', { refundRules: RULES }), fare('2', 'JED', 'MED', { refundRules: [] })];
    const booking = three();
    const { view } = await quote({ ...booking, ...(booking.pricing && { pricing: { ...booking.pricing, fares } }) });
    expect(view.lines.map(({ segment_ref }) => segment_ref)).toEqual(['1']);
    expect(view.bounds).toEqual({ at_least: '0.00', at_most: '2001.00' });
    expect(view.notes[0]).toBe('The airline sent no refund rule for train HHR202 JED → MED.');
  });

  test('quotes and cuts the airline’s own words', async () => {
    const words = `Refundable* until “departure” [ok](https://evil.example) ${'x'.repeat(400)}`;
    const fareRules = [{ name: 'Refunds', text: words }];
    const booking = three([], { options: [option(segment('1', { fareRules })), BACK] });
    const { view } = await quote(booking, { segment_refs: ['1'] });
    expect(view).toMatchObject({ lines: [], bounds: { at_least: '0.00', at_most: '1035.00' } });
    const [told] = view.notes;
    expect(told).toMatch(
      /^The airline sent the refund rule as text only: “Refundable until 'departure' \(ok\)\(\(link\)/,
    );
    expect(told?.length).toBeLessThan(220);
    expect(told).not.toMatch(/https|\[|\*/);
  });

  test('says that what was paid is not known, with the rule that applies', async () => {
    const { pricing, ...booking } = three();
    const { total: _, ...unpriced } = { ...pricing, refunds: [], fares: pricing?.fares ?? [], perType: [] };
    const { view, lines } = await quote({ ...booking, orders: [], pricing: unpriced });
    expect(view).not.toHaveProperty('refund_now');
    expect(view).not.toHaveProperty('bounds');
    expect(view.lines[0]).toMatchObject({ kept_each: '23.00', refundable: true });
    expect(lines[0]).toBe('What comes back now is not known. Until Sun 29 Nov 15:00 (UTC+3).');
    expect(view.notes[0]).toBe(
      'The airline keeps SAR 23.00 per person and segment, tax included: SAR 138.00 in all. Counted per person and segment. What was paid in its currency is not known, so no amount is estimated.',
    );
  });

  test('names the currency of the point of sale if the airline sends no price at all', async () => {
    const { pricing: _, ...unpriced } = three();
    const { view, lines } = await quote({ ...unpriced, orders: [] });
    expect(view).toMatchObject({ currency: 'SAR', lines: [] });
    expect(lines.slice(0, 2)).toEqual(['What comes back now is not known.', 'The airline sent no refund rule.']);
  });

  test('leaves out the refund of a part whose penalty is above its price', async () => {
    const { pricing, ...booking } = family();
    const dear = forTypes(['INF'], [rule({ base: sar(9000), until: '2026-11-30T05:00:00Z' })]);
    const fares = pricing?.fares.map((one) => ({ ...one, refundRules: [...forTypes(['ADT']), ...dear] })) ?? [];
    const { view } = await quote({ ...booking, ...(pricing && { pricing: { ...pricing, fares } }) });
    expect(view.bounds).toEqual({ at_least: '1151.00', at_most: '1288.00' });
    expect(view.lines.map(({ refund }) => refund)).toEqual(['644.00', '644.00', undefined, undefined]);
    expect(view.notes).toContain('A penalty is more than the price of its part, so the amount is not known.');
  });

  test('says from when no refund rule is in force', async () => {
    const { view } = await quote(three([rule({ base: sar(2000), until: '2026-11-29T12:00:00Z' })]));
    expect(view.later[0]).toEqual({ from: '2026-11-29T12:00:00Z', until: '2026-12-01T02:00:00Z' });
    expect(view.notes).toContain('From Sun 29 Nov 15:00 (UTC+3): between SAR 0.00 and SAR 2,070.00 comes back.');
  });

  test('lists only the first windows of very many, and says so', async () => {
    const at = (i: number) => new Date(NOW + i * 60_000).toISOString();
    const many = Array.from({ length: 200 }, (_, i) => rule({ base: sar(100 + i), from: at(i), until: at(i + 1) }));
    const { view } = await quote(three(many));
    expect(view.later).toHaveLength(MOST_WINDOWS);
    expect(view.notes).toContain('The rules change again later; only the first changes are listed.');
    expect(view.later.every(({ until }) => until !== undefined)).toBe(true);
  });

  test('says that an operation on the booking is still open', async () => {
    const desk = openDesk({ bookings: [three()] });
    const terms = await cancelSegment.preview(parsed(cancelSegment, { locator: 'ABC123', all: true }), desk.ctx);
    desk.operations.push(operationOf('cancel_segment', terms, { state: 'in_doubt' }));
    const args = parsed(quoteCancellation, { locator: 'ABC123' });
    const { notes } = await quoteCancellation.run(args, desk.ctx);
    expect(notes[0]).toBe('cancel_segment is still open: its outcome is not known yet, and the amounts may change.');
  });
});

describe('quote_cancellation of a booking that is not ticketed', () => {
  test('says first that releasing a hold costs nothing, then what would come back after payment', async () => {
    const { view, lines } = await quote(held());
    expect(lines.slice(0, 2)).toEqual([
      'Not paid: releasing this hold costs nothing. The amounts are for paying SAR 690.00 now and cancelling afterwards.',
      'SAR 345.00 comes back, SAR 345.00 is kept. Until Mon 30 Nov 08:00 (UTC+3).',
    ]);
    expect(view).toMatchObject({ state: 'held', refund_now: '345.00', kept_now: '345.00' });
    expect(view.notes[0]).toBe(lines[0]);
  });

  test('quotes a part of a hold as after payment', async () => {
    const { tickets: _, orders: __, ...rest } = three();
    const { view } = await quote({ ...rest, tickets: [], orders: [] }, { passenger_refs: ['3'] });
    expect(view).toMatchObject({ state: 'held', refund_now: '644.00', kept_now: '46.00' });
  });

  test('counts the passengers of an unnamed group, without refs that do not exist', async () => {
    const hold = held({ travelers: [] });
    const { view, lines } = await quote(hold);
    expect(view).toMatchObject({ refund_now: '345.00', lines: [{ passenger_refs: [] }, { passenger_refs: [] }] });
    expect(lines.join('\n')).toContain('1 passenger not named yet, train');
    const two = await quote(held({ travelers: [bareTraveler('1'), traveler('2', 'Boris', 'Berg')] }));
    expect(two.view.lines[0]?.passengers).toBe('Boris Berg and 1 passenger not named yet');
  });

  test('says of a lapsed hold that nothing was paid', async () => {
    const { view, lines } = await quote(held(), {}, { now: NOW + 86_400_000 });
    expect(view).toMatchObject({ state: 'expired', refund_now: '0.00', kept_now: '0.00', later: [], lines: [] });
    expect(lines).toEqual(['The hold ABC123 has lapsed by itself. Nothing was paid, so nothing comes back.']);
  });

  test('refuses a booking of which nobody knows whether it is paid, as cancel_booking does', async () => {
    const fares = [fare('1', 'MED', 'JED')].map(({ payBy: _, ...rest }) => rest);
    const unknown = held({ pricing: { total: price(sar(69000)), refunds: [], fares, perType: [] } });
    const told = await refusedWith(quoting(unknown), 'E_NOT_PERMITTED');
    const desk = openDesk({ bookings: [unknown] });
    const same = await refusal(cancelBooking.preview(parsed(cancelBooking, { locator: 'ABC123' }), desk.ctx));
    expect([told.message, told.next]).toEqual([same.message, same.next]);
  });

  test('tells what the airline states for a cancelled booking', async () => {
    const { view, lines } = await quote({ ...partlyCancelled(), cancelled: true }, { segment_refs: ['1'] });
    expect(view).toMatchObject({ state: 'cancelled', currency: 'SAR', later: [], lines: [] });
    expect(view).not.toHaveProperty('refund_now');
    expect(lines).toEqual([
      'Booking ABC123 is cancelled already. The airline states a refund of SAR 172.50, after keeping SAR 172.50 (refund order: paid).',
    ]);
    expect((await quote(ticketed({ cancelled: true }))).lines).toEqual([
      'Booking ABC123 is cancelled already. The airline states no refund.',
    ]);
  });

  test('does not count what was refunded before', async () => {
    const { view } = await quote(partlyCancelled());
    expect(view.notes).toContain('SAR 172.50 was refunded before, for other parts. It is not counted here.');
    expect(view.lines.map(({ segment_ref }) => segment_ref)).toEqual(['1']);
  });

  test('says after the time limit that nothing comes back, and who may still help', async () => {
    const { view, lines } = await quote(three(), {}, { now: Date.parse('2026-12-01T03:00:00Z') });
    expect(view).toMatchObject({ refund_now: '0.00', kept_now: '2070.00', later: [], lines: [] });
    expect(lines).toEqual([
      'Nothing comes back now, SAR 2,070.00 is kept.',
      'The time limit for cancelling passed on Tue 1 Dec 05:00 (UTC+3). A person must ask the airline what can still be done.',
    ]);
  });
});

describe('quote_cancellation after the last departure', () => {
  test('says so, and not that a time limit passed which is ahead or was not sent', async () => {
    const now = Date.parse('2026-12-05T16:00:00Z');
    for (const limit of [{ cancelUntil: '2027-11-29T12:00:00Z' }, {}]) {
      const { pricing, ...booking } = three();
      const fares = pricing?.fares.map(({ cancelUntil: _, ...rest }) => ({ ...rest, ...limit })) ?? [];
      const { lines } = await quote({ ...booking, ...(pricing && { pricing: { ...pricing, fares } }) }, {}, { now });
      expect(lines).toEqual([
        'Nothing comes back now, SAR 2,070.00 is kept.',
        'Everything has departed, and the last refund rule is over. A person must ask the airline what can still be done.',
      ]);
    }
  });
});

describe('quote_cancellation of what the cancelling tools refuse', () => {
  const WORDS = ({ message, next }: { message: string; next: string }) => [message, next];

  test('refuses both kinds of refs before anything is read', async () => {
    const desk = openDesk({ bookings: [three()] });
    const args = parsed(quoteCancellation, { locator: 'ABC123', segment_refs: ['1'], passenger_refs: ['1'] });
    await refusedWith(quoteCancellation.run(args, desk.ctx), 'E_INPUT');
    expect(desk.asked).toEqual([]);
  });

  test('refuses an adult without the infant on the lap, in the words of cancel_passenger', async () => {
    const part = { passenger_refs: ['1'] };
    const told = await refusedWith(quoting(family(), part), 'E_NOT_PERMITTED');
    const desk = openDesk({ bookings: [family()] });
    const same = await refusal(
      cancelPassenger.preview(parsed(cancelPassenger, { locator: 'ABC123', ...part }), desk.ctx),
    );
    expect(told.message).toBe(same.message);
    expect(told.next).toBe('Call quote_cancellation with infant 3 as well, if that is wanted.');
    expect((await quote(family(), { passenger_refs: ['3'] })).view.refund_now).toBe('24.00');
  });

  test('refuses half an option, and a segment that is cancelled already', async () => {
    const connection = ticketed({
      options: [option(segment('1', { to: 'RUH' }), segment('2', { optionRef: '1', from: 'RUH' })), BACK],
    });
    const half = await refusedWith(quoting(connection, { segment_refs: ['1'] }), 'E_INPUT');
    expect(half.message).toContain('expected whole options, which are cancelled together: 1+2.');
    const gone = await refusedWith(quoting(partlyCancelled(), { segment_refs: ['2'] }), 'E_ALREADY_DONE');
    expect(gone.next).toBe('Call read_booking to see it, or quote_cancellation with the other segments only.');
  });

  test('refuses a used coupon and a segment that may not be cancelled, in the words of cancel_segment', async () => {
    const used = three();
    const coupons = [{ segmentRef: '1', number: '1', statusCode: 'F' }];
    const tickets = used.tickets.map((ticket) => ({ ...ticket, coupons }));
    const barred = three(RULES, { options: [option(segment('1', { permitted: [{ modificationType: '3' }] })), BACK] });
    for (const booking of [{ ...used, tickets }, barred]) {
      const told = await refusedWith(quoting(booking, { segment_refs: ['1'] }), 'E_NOT_PERMITTED');
      const desk = openDesk({ bookings: [booking] });
      const args = parsed(cancelSegment, { locator: 'ABC123', segment_refs: ['1'] });
      expect(WORDS(told)).toEqual(WORDS(await refusal(cancelSegment.preview(args, desk.ctx))));
      expect((await quote(booking, { segment_refs: ['2'] })).view.refund_now).toBe('966.00');
    }
  });

  test('refuses refs that do not exist, with those that do', async () => {
    const message = async (part: object) => (await refusedWith(quoting(three(), part), 'E_INPUT')).message;
    expect(await message({ segment_refs: ['9'] })).toContain('expected refs of this booking: 1, 2.');
    expect(await message({ passenger_refs: ['9'] })).toContain('1 (ADT), 2 (ADT), 3 (ADT)');
  });
});
