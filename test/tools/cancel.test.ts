/** cancel_segment, cancel_booking and cancel_passenger: what a person is asked, what is sent, and the refund that is reported. */
import { describe, expect, test } from 'vitest';
import type { Traveler } from '../../src/domain/people/traveler.ts';
import {
  type ADULT_RULES,
  BACK,
  coupons,
  fare,
  faresOf,
  fiveAdults,
  gone,
  halfLost,
  held,
  inStatus,
  NOW,
  OUT,
  option,
  partlyCancelled,
  permitting,
  pricing,
  row,
  rule,
  sar,
  segment,
  ticketed,
} from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { type Booking, callsOf, expectRefusals, expectTexts, openDesk } from './support/desk.ts';

const segments = callsOf('cancel_segment');
const whole = callsOf('cancel_booking');
const passengers = callsOf('cancel_passenger');
const ALL = { all: true };
const at = (time: string) => ({ now: Date.parse(time) });
const PRICED = pricing(69000);
const refundOrder = (minor: number, status: string, currency = 'SAR') => ({
  ...{ action: 'OTHER', direction: 'REFUND', status, amount: { minor, currency } },
});

/** A connection of two trains, sold as one, and a train back. */
const connection = ticketed({
  options: [
    option(segment('1', { to: 'RUH' }), segment('2', { optionRef: '1', from: 'RUH', to: 'JED' })),
    option(segment('3', { from: 'JED', to: 'MED', departs: BACK.segments[0]?.departs ?? '' })),
  ],
});
const worded = ticketed({
  options: [option(segment('1', { fareRules: [{ text: `Refundable until\nboarding. ${'x'.repeat(400)}` }] }))],
  pricing: PRICED,
});
const { pricing: _, ...unpriced } = fiveAdults();
const ahead = { cancelUntil: '2027-11-29T12:00:00Z' };
const yearAhead = ticketed({ pricing: pricing(69000, { fares: faresOf(ahead) }) });
/** The first coupon is flown. */
const flown = {
  ...ticketed(),
  tickets: coupons(ticketed(), ({ segmentRef }) => ({ statusCode: segmentRef === '1' ? 'F' : 'O' })),
};
/** The airline cancelled the train out, whose coupon is open. */
const lostOut = (owed: true | 'unclear') => inStatus(OUT, '16', { owed });
const disturbed = ticketed({ options: [lostOut(true), BACK] });

test('asks a person with the rule in force, the estimated refund, what follows and what stays', async () => {
  await expectTexts('questions/cancel_segment', {
    'Every train, at a penalty for each person and segment': segments.ask(fiveAdults(), ALL),
    'One of two trains': segments.ask(ticketed(), { segment_refs: ['2'] }),
    'A rule that the airline sends as text': segments.ask(worded, ALL),
    'After the last departure': segments.ask(yearAhead, ALL, at('2026-12-05T16:00:00Z')),
  });
  expect((await segments.ask(disturbed, ALL)).lines).toContainEqual(
    expect.stringMatching(/^Train HHR101: .*; cancelled by the airline$/),
  );
});

test('tells two passengers with one name apart, and says who operates a train and that it stops', async () => {
  const booking = fiveAdults();
  const [first, second, third] = booking.travelers as [Traveler, Traveler, Traveler];
  const operated = segment('1', { stops: 1, operating: { carrier: 'XY', number: '12' } });
  const namesakes = {
    ...booking,
    travelers: [first, { ...second, name: first.name }, third],
    options: [option(operated), BACK],
  };
  const { text } = await passengers.done(namesakes, refs('1'), { after: without(namesakes, '1') });
  expect(text).toMatch(/^Removed from booking ABC123: “Givena Haddad”, adult, ticket …\d{4}\./);
  const { lines } = await passengers.ask(namesakes, { passenger_refs: ['1'] });
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Passenger 1: “Givena Haddad”, adult, ticket …\d{4}$/),
      expect.stringMatching(/^Train .*, operated by XY12, stops once$/),
      expect.stringMatching(
        /^Stays on the booking: Passenger 2: “Givena Haddad”, adult, ticket …\d{4}; Passenger 3: “Givenc Haddad”, adult$/,
      ),
    ]),
  );
});

test('asks the same an hour later if nothing changed', async () => {
  const timeless = ({ text }: { text: string }) => text.replace(/Answer by \d\d:\d\d/, 'Answer by');
  const first = await segments.ask(fiveAdults(), { segment_refs: ['2'] });
  const later = await segments.ask(fiveAdults(), { segment_refs: ['2'] }, at('2026-11-29T06:00:00Z'));
  expect(timeless(later)).toBe(timeless(first));
});

test.each<[string, Booking, object, readonly string[], readonly string[], number | undefined]>([
  ['every segment', fiveAdults(), ALL, ['1', '2'], [], 172500],
  ['one segment', ticketed(), { segment_refs: ['2'] }, ['2'], ['1'], 51750],
  ['a whole connection, in any order', connection, { segment_refs: ['2', '1'] }, ['1', '2'], ['3'], 51750],
  ['only what is active', partlyCancelled(), ALL, ['1'], [], 17250],
  ['the open coupon of two', flown, { segment_refs: ['2'] }, ['2'], ['1'], 51750],
  ['what the airline permits', permitting(ticketed(), ['10']), { segment_refs: ['2'] }, ['2'], ['1'], 51750],
  ['what has no price, so that its refund is unknown', { ...unpriced, orders: [] }, ALL, ['1', '2'], [], undefined],
  ['what only words state, with the price against the limits', worded, ALL, ['1'], [], 69000],
])('sends and counts %s', async (_title, booking, args, segmentRefs, keptRefs, minor) => {
  const { sent, operation } = await segments.say(booking, args, { after: gone(booking, segmentRefs) });
  expect(sent.kind).toBe('cancel_segments');
  expect(sent.options.flatMap((each: Booking['options'][number]) => each.segments.map(({ ref }) => ref))).toEqual(
    segmentRefs,
  );
  expect(operation).toMatchObject({ direction: 'refund', subject: { kind: 'cancel_segments', segmentRefs, keptRefs } });
  expect(operation.amount?.minor).toBe(minor);
});

test('refuses what cannot be cancelled', async () => {
  const noShow = ticketed({ options: [OUT, inStatus(BACK, '83')] });
  const one = { segment_refs: ['1'] };
  const two = { segment_refs: ['2'] };
  await expectRefusals('cancel_segment', {
    'neither refs nor all': segments.refused(ticketed(), {}),
    'refs and all': segments.refused(ticketed(), { ...one, ...ALL }),
    'all: false': segments.refused(ticketed(), { all: false }),
    'an unknown ref': segments.refused(ticketed(), { segment_refs: ['9'] }),
    'a part of a connection': segments.refused(connection, one),
    'a segment that is cancelled': segments.refused(partlyCancelled(), two),
    'a booking that is cancelled': segments.refused(ticketed({ cancelled: true }), ALL),
    'an unpaid hold': segments.refused(held(), ALL),
    'after the time limit': segments.refused(ticketed(), ALL, at('2026-12-01T02:00:00Z')),
    'a flown coupon': segments.refused(flown, one),
    'what the airline does not permit': segments.refused(permitting(ticketed(), ['30']), two),
    'a no-show': segments.refused(noShow, two),
    'a train that the airline cancelled, where a recorded refund may be for it': segments.refused(
      ticketed({ options: [lostOut('unclear'), BACK] }),
      one,
    ),
  });
});

test('reports the refund of this cancellation beside its estimate, and no other', async () => {
  const earlier = partlyCancelled();
  const refunds = [
    { amount: sar(17250), penalty: sar(15000), vat: sar(2250) },
    { amount: sar(20000), penalty: sar(13000), vat: sar(1950) },
  ];
  const five = fiveAdults();
  const back = (...orders: Booking['orders']) => ({
    after: gone(five, ['1', '2'], { orders: [...five.orders, ...orders] }),
  });
  const orders = [...earlier.orders, refundOrder(20000, 'PENDING')];
  const second = segments.done(earlier, ALL, {
    after: gone(earlier, ['1'], { pricing: pricing(69000, { refunds }), orders }),
  });
  const foreign = segments.done(five, ALL, back(refundOrder(10000, 'PAID', 'EUR')));
  await expectTexts('results/cancel_segment', {
    'A second cancellation': second,
    'No refund is stated': segments.done(five, ALL, back()),
    'A refund is stated': segments.done(five, ALL, back(refundOrder(10000, 'PAID'))),
    'In another currency than the estimate': foreign,
    'Nothing was to come back': segments.done(halfLost(), { segment_refs: ['1'] }, { after: gone(halfLost(), ['1']) }),
    'A refund of zero is stated': segments.done(five, ALL, back(refundOrder(0, 'PAID'))),
  });
  expect((await second).view.refund).toMatchObject({
    estimate: { between: { at_least: '0.00', at_most: '172.50' }, kept: '172.50', kept_includes_vat: true },
    stated: { back: '200.00', kept: '149.50', kept_includes_vat: true, order: 'pending' },
  });
  expect((await foreign).view.refund).toMatchObject({
    ...{ currency: 'EUR', stated: { back: '100.00', order: 'paid out' } },
    estimate: { currency: 'SAR', back: '1725.00', kept: '1725.00' },
  });
});

test('says at once, and as a finding, that a refund is in another currency than was approved: as an order, and as a row', async () => {
  const five = fiveAdults();
  const order = { orders: [...five.orders, refundOrder(10000, 'PAID', 'EUR')] };
  const row = { pricing: pricing(172500, { refunds: [{ amount: { minor: 10000, currency: 'EUR' } }] }) };
  for (const shown of [order, row]) {
    const { text, desk } = await segments.done(five, ALL, { after: gone(five, ['1', '2'], shown) });
    expect(text).toMatch(
      /NOT IN THE CURRENCY THAT WAS APPROVED\. The airline states: EUR 100\.00 comes back(?: \(paid out\))?\. Approved was: (?:between )?SAR /,
    );
    const [finding] = (await desk.state.findings?.list('desk', { limit: 9 })) ?? [];
    expect(finding).toMatchObject({
      kind: 'refunded',
      before: { currency: 'SAR' },
      after: { amount: '100.00', currency: 'EUR' },
    });
  }
});

test('says so too where nothing was estimated: what was paid was at stake', async () => {
  const after = gone(unpriced as Booking, ['1', '2'], {
    orders: [...unpriced.orders, refundOrder(10000, 'PAID', 'EUR')],
  });
  const { text } = await segments.done(unpriced as Booking, ALL, { after });
  expect(text).toMatch(
    /NOT IN THE CURRENCY THAT WAS APPROVED\..*EUR 100\.00.*Approved was: between SAR 0\.00 and SAR /,
  );
});

test('asks once for the refund of a train that the airline cancelled, however late the airline shows it', async () => {
  const modify = async () => gone(ticketed(), ['1']);
  const { desk, operation } = await segments.done(disturbed, { segment_refs: ['1'] }, { airline: { modify } });
  expect(operation.subject).toMatchObject({ segmentRefs: ['1'], owedRefs: ['1'] });
  const { structured } = await desk.result('cancel_segment', { locator: 'ABC123', segment_refs: ['1'] });
  expect(structured.error).toMatchObject({
    code: 'E_ALREADY_DONE',
    message: expect.stringContaining('Segment 1 is cancelled already.'),
  });
  expect((await desk.read('read_booking', { locator: 'ABC123' })).view.summary).toContain('1 of 2 segments cancelled');
  expect(desk.sent()).toHaveLength(1);
});

test('cancels a booking whole: a paid one by its segments, a hold by its release, which moves no money', async () => {
  const five = fiveAdults();
  const paid = await whole.done(five, {}, { after: gone(five, ['1', '2']) });
  expect(paid.sent).toMatchObject({ kind: 'cancel_segments', options: [{ ref: '1' }, { ref: '2' }] });
  expect(paid.view.cancelled_refs).toEqual(['1', '2']);
  expect(paid.operation).toMatchObject({ direction: 'refund', amount: sar(172500) });
  const part = await whole.say(partlyCancelled(), {}, { after: gone(partlyCancelled(), ['1']) });
  expect(part.sent.options).toMatchObject([{ ref: '1' }]);
  const released = await whole.done(held());
  expect(released).toMatchObject({ sent: { locator: 'ABC123' }, view: { cancelled_refs: ['1', '2'] } });
  expect(released.operation).toMatchObject({ subject: { kind: 'cancel_booking' } });
  expect(released.operation).not.toHaveProperty('direction');
  expect(released.desk.sent()).toHaveLength(1);
  await expectTexts('questions/cancel_booking', { 'A hold': whole.ask(held()) });
  await expectTexts('results/cancel_booking', { 'A hold': Promise.resolve(released) });
});

test('releases no hold of which nobody knows whether it is paid, and cancels nothing that is over', async () => {
  const noLimit = { ...PRICED, perType: [] };
  const order = (status?: string) => ({ direction: 'PAYMENT', amount: sar(69000), ...(status && { status }) });
  const cancelled = { cancelled: true } as const;
  const lapsed = at('2026-11-29T06:00:00Z');
  const unclear: [Booking, typeof lapsed?][] = [
    [held({ pricing: noLimit, orders: [] })],
    [held({ orders: [order('CONFIRMED')] })],
    [held({ orders: [order('PENDING'), order()] })],
    [held({ orders: [order()] }), lapsed],
  ];
  for (const [booking, options] of unclear)
    expect((await whole.refused(booking, {}, options)).message).toContain('does not say whether it is paid');
  for (const sure of [held({ pricing: noLimit, orders: [order('PENDING')] }), held({ orders: [] })])
    expect((await whole.ask(sure)).act).toBe('Release hold ABC123');
  // What the airline left of a hold, by the same proofs; not where it refunded something.
  const left = { options: [inStatus(OUT, 'UN'), BACK] };
  const { act, lines } = await whole.ask(held(left));
  expect(act).toBe('Release hold ABC123');
  expect(lines.filter((line: string) => line.includes('202') || line.includes('101'))).toHaveLength(1);
  for (const orders of [[refundOrder(100, 'PAID')], [order('CONFIRMED')]])
    expect((await whole.refused(held({ ...left, orders }))).message).toContain('does not say whether it is paid');
  await expectRefusals('cancel_booking', {
    'a hold that may be paid': whole.refused(held({ pricing: noLimit, orders: [] })),
    'a train that the airline cancelled, where a recorded refund may be for it': whole.refused(
      ticketed({ options: [lostOut('unclear')] }),
    ),
    'a hold that is cancelled': whole.refused(held(cancelled)),
    'a booking that is cancelled': whole.refused(ticketed(cancelled)),
    'a hold that has lapsed': whole.refused(held(), {}, lapsed),
    'after the first departure': whole.refused(ticketed(), {}, at('2026-12-02T00:00:00Z')),
  });
});

/** Two adults, the second with an infant on the lap. */
function family(): Booking {
  const refundRules = [rule(), rule({ passengerType: 'INF', base: sar(0) })];
  return ticketed({
    travelers: [
      traveler('1', 'Amal', 'Haddad'),
      traveler('2', 'Noor', 'Haddad', { birthDate: '1992-01-01' }),
      traveler('3', 'Lina', 'Haddad', { type: 'INF', birthDate: '2026-01-01', attendantRef: '2' }),
    ],
    pricing: pricing(145000, {
      fares: faresOf({ refundRules }),
      perType: [row('ADT', 2, sar(140000)), row('INF', 1, sar(5000))],
    }),
  });
}
const refs = (...passenger_refs: string[]) => ({ passenger_refs });
const without = (booking: Booking, ...left: string[]): Booking => ({
  ...booking,
  travelers: booking.travelers.filter(({ ref }) => !left.includes(ref)),
  tickets: booking.tickets.filter(({ travelerRefs }) => !travelerRefs.some((ref) => left.includes(ref))),
});

test('removes passengers: the question, what is sent and counted, and digests instead of names in the journal', async () => {
  const child = ticketed({
    travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad', { type: 'CHD' })],
  });
  await expectTexts('questions/cancel_passenger', {
    'One of five': passengers.ask(fiveAdults(), refs('2', '2')),
    'An adult with the infant on the lap': passengers.ask(family(), refs('2', '3')),
  });
  expect((await passengers.ask(family(), refs('3'))).act).toBe('Cancel 1 passenger of ABC123, refund about SAR 50.00');
  expect((await passengers.ask(child, refs('1'))).lines).toContain('No adult stays: the airline may refuse this.');
  const alone = await passengers.done(child, refs('1'), { after: without(child, '1') });
  expect(alone.view.warnings).toEqual(['No adult travels with those who stay: tell the person to ask the airline.']);
  const five = fiveAdults();
  const { sent, operation } = await passengers.done(five, refs('2', '2'), { after: without(five, '2') });
  expect(sent).toMatchObject({ kind: 'cancel_passengers', travelers: [{ ref: '2' }] });
  expect(sent.travelers).toHaveLength(1);
  expect(operation).toMatchObject({ direction: 'refund', amount: sar(34500), subject: { refundsBefore: 0 } });
  expect([operation.subject.gone.length, new Set([...operation.subject.gone, ...operation.subject.kept]).size]).toEqual(
    [1, 5],
  );
  expect(JSON.stringify(operation)).not.toMatch(/Given|Haddad/);
  const two = await passengers.say(family(), refs('2', '3'), { after: without(family(), '2', '3') });
  expect(two.operation.amount).toEqual(sar(70000 + 5000 - 2 * 17250));
});

test('reports who left and who stays, even if the airline renumbered the passengers', async () => {
  const five = fiveAdults();
  const left = without(five, '1');
  const after: Booking = {
    ...left,
    travelers: five.reading.travelers.slice(1).map((each, i) => ({ ...each, ref: String(i + 1) })),
    tickets: [],
    pricing: pricing(345000, { refunds: [{ amount: sar(34500) }], perType: [] }),
  };
  await expectTexts('results/cancel_passenger', {
    'One of five, renumbered': passengers.done(five, refs('1'), { after }),
  });
});

test('refuses passengers who cannot be removed', async () => {
  const checkedIn = {
    ...family(),
    tickets: coupons(family(), (_coupon, ticket) => ({ statusCode: ticket === 0 ? 'C' : 'O' })),
  };
  const late = at('2026-12-01T02:00:00Z');
  await expectRefusals('cancel_passenger', {
    'an adult without the infant on the lap': passengers.refused(family(), refs('2')),
    everybody: passengers.refused(family(), refs('1', '2', '3')),
    'the only passenger': passengers.refused(ticketed(), refs('1')),
    'a coupon that is checked in': passengers.refused(checkedIn, refs('1')),
    'an unknown passenger beside the only one': passengers.refused(ticketed(), refs('2')),
    'an unknown passenger': passengers.refused(family(), refs('1', '9')),
    'an unpaid hold': passengers.refused(held({ travelers: family().travelers }), refs('1')),
    'after the time limit': passengers.refused(family(), refs('1'), late),
  });
  expect((await passengers.ask(checkedIn, refs('2', '3'))).act).toContain('Cancel 2 passengers');
});

test('shows every later refund before the yes, and that the rules change again after the last', async () => {
  const hour = (i: number) => new Date(NOW + i * 3_600_000).toISOString().replace('.000', '');
  const hourly = (count: number) =>
    Array.from({ length: count }, (_, i) => rule({ base: sar(1000 + 100 * i), from: hour(i), until: hour(i + 1) }));
  const asked = async (refundRules: typeof ADULT_RULES) => {
    const fares = [fare('1', 'MED', 'JED', { refundRules, cancelUntil: refundRules.at(-1)?.until ?? '' })];
    const perType = [row('ADT', 1, sar(10_000), { segmentRefs: ['1'] })];
    return (await segments.ask(ticketed({ options: [OUT], pricing: pricing(10_000, { fares, perType }) }), ALL)).text;
  };
  const again = 'The rules change again later; only the first changes are listed.';
  expect(await asked(hourly(7))).not.toContain(again);
  expect(await asked(hourly(8))).toContain(again);
});

describe('a reason that the customer gives', () => {
  const REASON = 'My mother is ill”, she said\u202E: see http://a.example';
  const SHOWN = "“My mother is ill', she said: see (link)”";
  const paid = ticketed();
  test.each([
    ['cancel_segment', paid, ALL],
    ['cancel_passenger', fiveAdults(), { passenger_refs: ['2'] }],
    ['cancel_booking', paid, {}],
    ['cancel_booking', held(), {}],
  ] as const)(
    'stands in the question of %s and in the history, and the airline gets none of it',
    async (tool, booking, args) => {
      const desk = await openDesk({ bookings: [booking], after: { ...booking, options: [], cancelled: true } });
      const call = { locator: 'ABC123', ...args };
      const { lines } = await desk.ask(tool, { ...call, reason: REASON });
      expect(lines).toContain(`Reason given: ${SHOWN}`);
      const done = await desk.say(tool, { ...call, reason: REASON });
      expect(JSON.stringify([done.sent, done.operation, done.view])).not.toMatch(/mother|reason/);
      const history = { locator: 'ABC123', detail: 'history' };
      const { text } = await desk.read('read_booking', history);
      expect(text.match(/ of ann was sent \(operation [0-9a-f-]+\); reason given: (.*)/)?.[1]).toBe(SHOWN);
    },
  );

  test('is quoted by the question about the whole booking, in one line', async () => {
    expect((await whole.ask(paid, { reason: ' illness\nat home ' })).lines).toContain(
      'Reason given: “illness at home”',
    );
  });

  test('is part of what is asked: with another, or none, it is another question', async () => {
    const desk = await openDesk({ bookings: [paid] });
    const call = { locator: 'ABC123', ...ALL };
    const first = await desk.ask('cancel_segment', { ...call, reason: 'illness' });
    expect((await desk.ask('cancel_segment', { ...call, reason: ' illness ' })).handle).toBe(first.handle);
    const other = await desk.ask('cancel_segment', { ...call, reason: 'strike' });
    expect(other.handle).not.toBe(first.handle);
    const gone = { ...call, reason: 'illness', approval_id: first.handle };
    expect((await desk.refused('cancel_segment', gone)).code).toBe('E_APPROVAL_EXPIRED');
    expect((await desk.refused('cancel_segment', { ...call, approval_id: other.handle })).code).toBe(
      'E_APPROVAL_INVALID',
    );
    const without = await desk.ask('cancel_segment', { ...call, reason: '' });
    expect(without.handle).not.toBe(other.handle);
    expect(without.lines.join()).not.toContain('Reason');
  });

  test('is one short line without a card number', async () => {
    const refused = (reason: string) => segments.refused(paid, { ...ALL, reason });
    for (const reason of ['x'.repeat(141), '\u200B'])
      expect((await refused(reason)).words).toContain('reason: expected 1 to 140 characters');
    expect((await refused('paid with 4929 3813 3266 4295')).words).toContain('looks like a card number');
    expect((await segments.ask(paid, { ...ALL, reason: 'é'.repeat(140) })).lines).toContain(
      `Reason given: “${'é'.repeat(140)}”`,
    );
  });

  test('of a plan stands in each of its lines', async () => {
    const desk = await openDesk({ bookings: [paid] });
    const steps = [{ tool: 'cancel_bookings', arguments: { locators: ['ABC123'], reason: REASON } }];
    const { view } = await desk.read('propose_plan', { steps });
    const { text } = await desk.ask('run_plan', { plan_id: view.plan_id });
    expect(text).toContain(`Reason given: ${SHOWN}`);
  });
});
