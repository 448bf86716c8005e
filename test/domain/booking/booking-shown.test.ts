/** What a reading of a booking makes of what the airline sends: state, time limits, what it owes, words for codes, masks. */
import { describe, expect, test } from 'vitest';
import { bookingOf, flight, itinerary, order, person, option as wireOption } from '../../ota/support/wire.ts';
import {
  BACK,
  type Booking,
  coupons,
  gone,
  held,
  OUT,
  option,
  partlyCancelled,
  type Segment,
  sar,
  segment,
  ticketed,
} from '../../support/bookings.ts';
import { callsOf, offer, openDesk } from '../../tools/support/desk.ts';

const reading = callsOf('read_booking', { locator: 'ABC123' });
const shown = async (booking: Booking, at?: string, args = {}) => {
  const { view, text } = await reading.read(booking, args, at === undefined ? {} : { now: Date.parse(at) });
  return { ...view.booking, text };
};
/** State and what it is based on. */
const state = async (booking: Booking, at?: string) => {
  const { state: is, state_basis: basis } = await shown(booking, at, { detail: 'full' });
  return [is, basis];
};
const coded = (statusCode: string, of = OUT) => option(...of.segments.map((each) => ({ ...each, statusCode })));
const noMoney = { refunds: [], fares: [], perType: [] };
const refund = { direction: 'REFUND', status: 'PAID', amount: sar(1) };
const locatorOf = (booking: Booking): Booking => ({ ...booking, locator: 'ABC123', references: held().references });

describe('the state', () => {
  const { pricing, ...bare } = held();
  const ordered = { ...bare, pricing: { ...noMoney, ...pricing, fares: [] }, orders: [{ status: 'PENDING' }] };
  const left = ticketed({ pricing: { ...noMoney, refunds: [{ amount: sar(1) }] } });
  const [held_, tickets] = ['unpaid, and the time limit for payment is known', 'tickets are issued'];
  const cancelled = 'every segment is cancelled';
  const missed = ticketed({ options: [coded('16'), coded('83', BACK)] });
  const owed = ticketed({ options: [option(segment('1', { statusCode: 'UN', owed: true })), BACK] });
  const over = held({ options: [], travelers: [], pricing: noMoney, orders: [refund] });

  test.each<[string, Booking, string, string]>([
    ['held until the time limit', held(), 'held', held_],
    ['held with an unknown segment code', held({ options: [coded('QQ')] }), 'held', held_],
    ['held with nothing but an order', ordered, 'held', 'an order is PENDING'],
    ['ticketed', ticketed(), 'ticketed', tickets],
    ['ticketed without an order', ticketed({ orders: [] }), 'ticketed', tickets],
    ['ticketed by a PAID order', ticketed({ tickets: [] }), 'ticketed', 'paid; no ticket is shown yet'],
    ['ticketed while the airline owes', owed, 'ticketed', 'the airline cancelled segment 1 and has not refunded it'],
    ['partly cancelled', partlyCancelled(), 'partly_cancelled', '1 of 2 segments cancelled'],
    ['partly cancelled with a segment that was not travelled', missed, 'partly_cancelled', '1 of 2 segments cancelled'],
    [
      'partly cancelled where a passenger left',
      left,
      'partly_cancelled',
      'a refund is recorded while segments stay active',
    ],
    ['cancelled', held({ options: [coded('16'), coded('16', BACK)] }), 'cancelled', cancelled],
    ['cancelled in the airline’s words', held({ cancelled: true }), 'cancelled', 'the airline says CANCELLED'],
    ['cancelled with a refund and no segment', over, 'cancelled', 'refunded, no segment is left'],
    ['unknown without any evidence', bare, 'unknown', 'no ticket, paid order or time limit is recorded'],
  ])('is %s', async (_title, booking, is, basis) => expect(await state(booking)).toEqual([is, basis]));

  test('ends with the time limit for payment, unless it is paid; a refund is no payment', async () => {
    const limit = '2026-11-29T05:25:00.000Z';
    expect((await state(held(), '2026-11-29T05:24:59.999Z'))[0]).toBe('held');
    expect(await state(held(), limit)).toEqual(['expired', 'the time limit for payment has passed']);
    expect((await state(ticketed(), limit))[0]).toBe('ticketed');
    // Also of what the airline left of it.
    const part = { options: [coded('UN'), BACK] };
    expect((await state(held(part), '2026-11-29T05:24:59.999Z'))[0]).toBe('partly_cancelled');
    expect((await state(held(part), limit))[0]).toBe('expired');
    for (const paid of [partlyCancelled(), held({ ...part, orders: [refund] })])
      expect((await state(paid, limit))[0]).toBe('partly_cancelled');
    const unlimited = held({ ...part, pricing: noMoney });
    expect((await state(unlimited, limit))[0]).toBe('partly_cancelled');
    expect(await shown(held({ orders: [refund] }))).not.toHaveProperty('paid');
    const none = { number: '', travelerRefs: [], segmentRefs: [], coupons: [], links: [] };
    const tickets = [{ ...none, timeLimit: '2026-11-29T05:10:00Z' }];
    const deadlines = { pay_by: '2026-11-29T08:10+03:00' };
    expect(await shown(held({ tickets }))).toMatchObject({ state: 'held', deadlines });
  });

  test('has the earliest time limit of several fares, and the next one while it matters', async () => {
    const limits = { names_until: '2026-11-30T03:00+03:00', cancel_until: '2026-12-01T05:00+03:00' };
    const now = await shown(held());
    expect(now.deadlines).toEqual({ ...limits, pay_by: '2026-11-29T08:25+03:00' });
    expect(now.text).toContain('held until Sun 29 Nov 08:25 (UTC+3) (25 min left)');
    expect((await shown(ticketed())).deadlines).not.toHaveProperty('pay_by');
    expect((await shown(held({ cancelled: true }))).text).not.toContain(' left');
  });
});

describe('a segment that the airline cancelled', () => {
  const segmentOf = (rph: string, status: string) => wireOption(rph, flight({ rph, status }));
  const due = { direction: 'REFUND', status: 'PENDING' };
  /** As the adapter reads it: statuses of segments, letters of their coupons, and so many refund orders. */
  const read = (statuses: string[], letters: string, refunds = 0, over = {}) =>
    bookingOf({
      airItinerary: itinerary(...statuses.map((status, i) => segmentOf(`${i + 1}`, status))),
      travelerInfo: { airTraveler: [person('1', 'ADA')] },
      ticketing: [...letters].map((status, i) => ({
        ...{ ticketDocumentNbr: `309000000000${i}`, travelerRefNumber: ['1'], flightSegmentRefNumber: [`${i + 1}`] },
        tpaextensions: { couponInfos: [{ flightRefRPH: `${i + 1}`, number: '1', status }] },
      })),
      offer: { priced: Array.from({ length: refunds }, (_, i) => order(`${i}`, { ...due, totalAmount: '345.00' })) },
      ...over,
    });
  const owed = (booking: Booking) => booking.options.flatMap(({ segments }) => segments).map((one) => one.owed);

  test.each<[string, Booking, ReturnType<typeof owed>]>([
    ['is owed while its coupon is open', read(['31', '30'], 'OO'), [true, undefined]],
    ['is not owed once its coupon is refunded', read(['16', '30'], 'RO', 1), [undefined, undefined]],
    ['is not owed in a cancelled booking', read(['31'], 'O', 0, { status: 'CANCELLED' }), [undefined]],
    ['may be refunded if a refund is recorded', read(['16', '30'], 'OO', 1), ['unclear', undefined]],
    ['is owed if another segment explains the refund', read(['16', '31'], 'RO', 1), [undefined, true]],
    ['may be refunded if there is a second refund', read(['16', '16'], 'RO', 2), [undefined, 'unclear']],
    ['may be refunded if either of two is', read(['31', '16'], 'OO', 1), ['unclear', 'unclear']],
  ])('%s', (_what, booking, expected) => expect(owed(booking)).toEqual(expected));

  test('may be refunded: a person must ask', async () => {
    const doubt = '; the airline may have refunded segment 1: a person must ask it';
    const basis = async (booking: Booking) => (await state(locatorOf(booking)))[1];
    expect(await basis(read(['16'], 'O', 1))).toBe(`every segment is cancelled${doubt}`);
    expect(await basis(read(['16', '30'], 'OO', 1))).toBe(`1 of 2 segments cancelled${doubt}`);
  });

  test('is not owed after an own cancellation of it, whatever coupons and orders show; else a person must ask', async () => {
    const lost = option(segment('1', { statusCode: '16', owed: true }));
    const before = ticketed({ options: [lost, BACK] });
    /** What the airline shows once the refund of this segment was confirmed. */
    const basisAfter = async (ref: string, after: Booking) => {
      const airline = { modify: async () => gone(ticketed(), [ref]) };
      const desk = await openDesk({ bookings: [before], after, airline });
      expect((await desk.say('cancel_segment', { locator: 'ABC123', segment_refs: [ref] })).view.status).toBe('done');
      return (await desk.read('read_booking', { locator: 'ABC123', detail: 'full' })).view.booking.state_basis;
    };
    expect(await basisAfter('1', before)).toBe('1 of 2 segments cancelled');
    // The first one is owed still.
    const bothGone = { ...before, options: [lost, coded('16', BACK)] };
    expect(await basisAfter('2', bothGone)).toBe('1 of 2 segments cancelled');
    // Pointers may have moved to other trains.
    expect(await basisAfter('1', { ...before, options: [lost] })).toContain('may have refunded segment 1');
  });
});

describe('words', () => {
  /** Code, what it is, and what a person reads: nothing of a segment that simply runs. */
  const SEGMENTS = [
    ...['30 active active', 'HK active active', '51 active schedule change'],
    ...['KK', 'KL', 'RR', 'SS', 'HS', 'FS', 'LK', 'hk'].map((code) => `${code} active active`),
    ...['34 other merely offered', 'TK active schedule change'],
    ...['16', 'XX', '31', 'HX', 'UN', 'UC', 'NO', 'WK', 'WL', 'WN'].map((code) => `${code} cancelled cancelled`),
    ...['46', 'HL', 'LL', 'UU', 'US'].map((code) => `${code} other waitlisted`),
    ...['HN', 'NN', 'PN'].map((code) => `${code} other requested`),
    ...['TL other waitlisted, schedule change', 'TN other requested, schedule change'],
    ...['80 other flown', '83 other no-show'],
    ...['999 other unknown (999)', 'constructor other unknown (constructor)'],
  ].map((line) => line.split(/ (.*?) (.*)/));
  const COUPONS = {
    ...{ O: 'open', R: 'refunded', E: 'exchanged', A: 'airport control', C: 'checked in', L: 'boarded', F: 'flown' },
    ...{ V: 'void', S: 'suspended', U: 'unavailable', X: 'print exchange', Z: 'closed', 999: 'unknown (999)' },
    ...{ 'a\u202e[b](c)': 'unknown (“a (b)(c)”)', '': 'unknown (none sent)' },
    ['x'.repeat(99)]: `unknown (“${'x'.repeat(11)}…”)`,
  };

  test('tell the codes of segments, coupons and orders, also unknown ones', async () => {
    const letters = Object.keys(COUPONS);
    const options = SEGMENTS.map(([statusCode = ''], i) => option(segment(`${i + 1}`, { statusCode })));
    const booking = ticketed({ options });
    const order = (status: string) => ({ direction: 'PAYMENT', status, amount: sar(1) });
    const { text, segments, passengers } = await shown({
      ...booking,
      tickets: coupons(booking, (_coupon, _ticket, i) => ({ statusCode: letters[i] ?? '' })),
      orders: ['PENDING', 'PAID', 'constructor', ''].map(order),
    });
    const words = text.split('\n').slice(2, 2 + options.length);
    for (const [i, [, status, word = '']] of SEGMENTS.entries()) {
      const told = status === word && status === 'active' ? undefined : word;
      expect(segments[i].status).toBe(told);
      expect(words[i]).toMatch(told === undefined ? / {2}Y YOW$/ : new RegExp(`  ${RegExp.escape(told)}$`));
    }
    const statuses = (all: { status?: string }[]) => all.map(({ status = 'open' }) => status);
    expect(statuses(passengers[0].tickets[0].coupons).slice(0, letters.length)).toEqual(Object.values(COUPONS));
    const told = text.split('\n').filter((line: string) => line.startsWith('  payment'));
    const payments = ['pending', 'paid', 'unknown (constructor)', 'unknown (none sent)'];
    expect(told.map((line: string) => line.slice(21))).toEqual(payments);
    const { statusCode: _, ...uncoded } = segment('1');
    expect((await shown(held({ options: [option(uncoded)] }))).segments[0]).not.toHaveProperty('status');
  });

  test('name a flight after its seller, the operator only if it differs, and nothing but a designator and a number', async () => {
    const { operating: _, ...bare } = segment('1');
    const named = async (over: Partial<Segment>, of: Segment = segment('1')) => {
      const { segments } = await shown(held({ options: [option({ ...of, ...over })] }));
      return [segments[0].flight, segments[0].operated_by];
    };
    expect(await named({})).toEqual(['HHR101', undefined]);
    const shared = { marketing: { carrier: 'LH' }, flightNumber: '9', operating: { carrier: 'UA', number: '77' } };
    expect(await named(shared)).toEqual(['LH9', 'UA77']);
    expect(await named({ flightNumber: 'HHR101' })).toEqual(['HHR101', undefined]);
    expect(await named({}, bare)).toEqual(['101', undefined]);
    expect((await named({ marketing: { carrier: 'www.evil' }, flightNumber: '_101_' }))[0]).toBe('WWWE101');
  });
});

test('shows the seats left in the segment’s own class if the airline states a number', async () => {
  const left = async (...availability: { bookingClass: string; quantity?: string }[]) => {
    const found = offer({ options: [option(segment('1', { availability }))] });
    const searchFares = async () => ({ form: 'itineraries' as const, offers: [found] });
    const desk = await openDesk({ airline: { searchFares } });
    const legs = [{ from: 'MED', to: 'JED', date: '2026-12-01' }];
    const { view } = await desk.read('search_fares', { legs, passengers: { adults: 1 } });
    return view.offers[0].legs[0].seats_left;
  };
  expect(await left({ bookingClass: 'C', quantity: '2' }, { bookingClass: 'Y', quantity: '9+' })).toBe(9);
  expect(await left({ bookingClass: 'T', quantity: '4' })).toBe(4);
  for (const none of [[{ bookingClass: 'Y', quantity: 'many' }], [{ bookingClass: 'C' }, { bookingClass: 'J' }], []])
    expect(await left(...none)).toBeUndefined();
});

test('masks all but the end of numbers and the first letter of a mailbox, blanks numbers in remarks, and shows no markup', async () => {
  const remarks = {
    'PAX PASSPORT X1234567 MOB +4755500111': 'PAX PASSPORT X••• MOB •••',
    'CALL +47 555 00 111 OR (555) 00-111': 'CALL ••• OR (555) 00-111',
    'ID AB12CD': 'ID AB12CD',
    'MAIL ada.berg@example.com NOW': 'MAIL ••• NOW',
    'ID ١٢٣٤٥٦': 'ID •••',
    'Gate 12, 2 bags at 0930, vegetarian': 'Gate 12, 2 bags at 0930, vegetarian',
    'Paid: USD 28892': 'Paid: USD 28892',
    'PAID 28,892.50 USD REF 28892': 'PAID 28,892.50 USD REF 28892',
    'REF 288921, BORN 1991-04-17': 'REF •••, BORN •••',
  };
  const numbers = {
    P1234567: '•••••567',
    12: '•••',
    'P 1234567, of Amal': '••••••••mal',
    ['1'.repeat(40)]: '••••••••111',
  };
  const emails = {
    ...{ 'amal@example.com': 'a***@example.com', '@example.com': '***', nobody: '***' },
    ...{ 'amal@<b>example.com': 'a***@bexample.com', '<b>@': 'b***@' },
  };
  const addresses = {
    ...{ "o'neil+x@example.com": "o'neil+x@example.com", 'a_b@example.com': 'a_b@example.com' },
    ...{ '<b>amal</b>@example.com': 'bamalb@example.com', '[x](https://evil.example)@a': 'xhttpsevil.example@a' },
    ...{ '<script>': '‹script›', '\u202eamal@example.com': 'amal@example.com' },
  };
  const [amal] = held().travelers as [Booking['travelers'][number]];
  const passport = (number: string, i: number) => ({
    ...amal,
    ref: `${i + 1}`,
    document: { ...amal.document, number },
  });
  const all = { remarks: Object.keys(remarks), travelers: Object.keys(numbers).map(passport) };
  const view = await shown(held(all), undefined, { detail: 'full' });
  expect(view.special_remarks).toEqual(Object.values(remarks));
  const masked = view.passengers.map((one: { document: { number_masked: string } }) => one.document.number_masked);
  expect(masked).toEqual(Object.values(numbers));
  const email = async (address: string, reveal_personal: boolean) => {
    const contact = { ...held().contact, emails: [address] } as NonNullable<Booking['contact']>;
    return (await shown(held({ contact }), undefined, { reveal_personal })).contact;
  };
  for (const [address, mask] of Object.entries(emails))
    expect(await email(address, false)).toMatchObject({ email_masked: mask, phone_masked: '••••••••567' });
  for (const [address, text] of Object.entries(addresses)) expect((await email(address, true)).email).toBe(text);
});
