import { describe, expect, test } from 'vitest';
import {
  BACK,
  faresOf,
  held,
  OUT,
  option,
  permitting,
  pricing,
  row,
  rule,
  sar,
  segment,
  ticketed,
  UNPRICED,
} from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import {
  type Booking,
  callsOf,
  expectRefusals,
  expectTexts,
  offer,
  type ShelvedOffer,
  shelved,
} from './support/desk.ts';

const rebook = callsOf('rebook_segment', { locator: 'ABC123', segment_ref: '1', offer_id: 'o000001' });

type Segment = ReturnType<typeof segment>;

/** The train a day later, as a search shows it. */
const LATER = segment('7', {
  ...{ flightNumber: '105', operating: { carrier: 'HHR', number: '105' } },
  ...{ bookingClass: 'C', fareBasis: 'COW', statusCode: '34' },
  ...{ departs: '2026-12-02T12:00:00.000+03:00', arrives: '2026-12-02T14:10:00.000+03:00' },
});
const [own = LATER] = OUT.segments;
const [back = LATER] = BACK.segments;

const FEE = pricing(69000, { fares: faresOf({ changeRules: [rule({ base: sar(4000) })] }) });
const changeable = (over: Partial<Booking> = {}) => ticketed({ pricing: FEE, ...over });
const offered = (segments: Segment[], over: Parameters<typeof offer>[0] = {}, more: Partial<ShelvedOffer> = {}) => {
  const found = offer({ options: [option(...segments)], pricing: pricing(50000, { perType: [] }), ...over });
  return { offers: [shelved({ ...more, offer: found })], ...sells(found) };
};
/** What a search for the leg finds. */
const sells = (...offers: ReturnType<typeof offer>[]) => ({
  airline: { searchFares: async () => ({ form: 'itineraries' as const, offers }) },
});
const LATE_PRICE = { pricing: pricing(50000, { perType: [] }) };
const failing = () => Promise.reject(new Error('down'));
const LATE = offered([LATER]);
const AIRLINE = { ...LATE, settings: { dialect: 'airline' } } as const;
const rebooked = (over: Partial<Segment> = {}): Booking => ({
  ...changeable(),
  options: [option({ ...LATER, ref: '1', optionRef: '1', statusCode: '30', ...over }), BACK],
});

describe('the question', () => {
  test('shows old and new train, fare, possible cost and what is not known', async () => {
    const perType = ['1', '2'].map((ref) => row('ADT', 1, sar(34500), { segmentRefs: [ref] }));
    const barred = faresOf({ changeRules: [rule({ refundable: false, base: sar(0) })] });
    const refundNote = 'Keeps SAR 86.25 per person and segment, tax included';
    const otherClass = offered([{ ...own, ref: '9', bookingClass: 'C' }], { pricing: UNPRICED });
    await expectTexts('questions/rebook_segment', {
      'With a change rule': rebook.ask(changeable(), {}, LATE),
      'Without a change rule': rebook.ask(ticketed(), {}, LATE),
      'No change permitted, a price by segment and a refund rule of the new fare': rebook.ask(
        ticketed({ pricing: pricing(69000, { fares: barred, perType }) }),
        {},
        offered([LATER], {}, { refundNote }),
      ),
      'Another class of the same flight, in the airline dialect': rebook.ask(
        changeable(),
        {},
        { ...AIRLINE, ...otherClass },
      ),
    });
    const { pricing: _, ...unpriced } = changeable({ orders: [] });
    expect((await rebook.ask(unpriced, {}, LATE)).text).toContain(
      'The airline does not say what was paid for the old one.',
    );
  });

  const fare = (segments: Segment[], total: Parameters<typeof offer>[0]) =>
    offer({ options: [option(...segments)], ...total });
  const dear = { pricing: pricing(90000, { perType: [] }) };
  const other = segment('8', { ...LATER, ref: '8', flightNumber: '107', operating: { carrier: 'HHR', number: '107' } });
  const among = (...more: ReturnType<typeof offer>[]) => ({ ...LATE, ...sells(fare([LATER], LATE_PRICE), ...more) });
  test.each<[string, Booking, ReturnType<typeof offered>, number | undefined]>([
    ['the change rule and the only fare', changeable(), LATE, 54600],
    ['the dearest fare of the class', changeable(), among(fare([LATER], dear), fare([LATER], LATE_PRICE)), 94600],
    ['no fare of another class', changeable(), among(fare([{ ...LATER, bookingClass: 'Y' }], dear)), 54600],
    ['no fare of another train', changeable(), among(fare([other], dear)), 54600],
    ['no trip with a change', changeable(), among(fare([LATER, other], dear)), 54600],
    ['nothing known without a rule', ticketed(), LATE, undefined],
    ['nothing known where a fare has no price', changeable(), among(fare([LATER], { pricing: UNPRICED })), undefined],
    ['nothing known where the search finds no such fare', changeable(), { ...LATE, ...sells() }, undefined],
    ['nothing known where the search fails', changeable(), { ...LATE, airline: { searchFares: failing } }, undefined],
  ])('counts against the limits %s', async (_title, booking, options, minor) => {
    const { operation } = await rebook.say(booking, {}, { ...options, after: rebooked() });
    expect([operation.direction, operation.amount?.minor, operation.subject.atMost?.minor]).toEqual([
      'payment',
      minor,
      minor,
    ]);
  });

  test('searches for every fare of that class on that day, for the same passengers', async () => {
    const { desk } = await rebook.ask(changeable(), {}, LATE);
    const searches = desk.asked.filter(([method]) => method === 'searchFares').map(([, query]) => query);
    expect(searches).toEqual([
      {
        legs: [{ from: 'MED', to: 'JED', date: '2026-12-02', daysBefore: 0, daysAfter: 0 }],
        passengers: { adults: 1, children: 0, infants: 0 },
        bookingClasses: ['C'],
      },
    ]);
    // Without a rule with sums no fare would say more.
    expect((await rebook.ask(ticketed(), {}, LATE)).desk.methods()).not.toContain('searchFares');
  });

  test('is refused under a limit where nothing limits the cost', async () => {
    const limits = { perAction: sar(1_000_000) };
    const refused = await rebook.refused(ticketed(), {}, { ...LATE, limits });
    expect(refused.words).toBe('E_LIMIT The amount is unknown, so limits cannot be checked. Nothing was sent.');
    expect((await rebook.ask(changeable(), {}, { ...LATE, limits })).kind).toBe('ask');
  });
});

describe('the change', () => {
  test('sends the new train in place of the old one, under a ref that is not used', async () => {
    const { sent, operation } = await rebook.say(changeable(), {}, { ...LATE, after: rebooked() });
    expect(sent).toMatchObject({
      ...{ kind: 'rebook_segment', replacedRef: '1' },
      option: { ref: '3', segments: [{ ref: '3', optionRef: '3', flightNumber: '105' }] },
    });
    expect(sent.option.segments[0]).not.toHaveProperty('statusCode');
    expect(operation.subject).toMatchObject({
      ...{ kind: 'rebook_segment', earlierPayments: [{}], refundsBefore: 0, kept: [{ from: 'JED', to: 'MED' }] },
    });
    const odd = changeable({ options: [option(segment('1')), option({ ...back, ref: 'B', optionRef: 'B' })] });
    expect((await rebook.say(odd, {}, LATE)).sent.option.ref).toBe('2');
  });

  test('reports the new train, what the airline charged and what it gave back, and another class than approved', async () => {
    const before = changeable();
    const order = (direction: string, minor: number, status: string) => ({ direction, status, amount: sar(minor) });
    const after = rebooked();
    const charged = {
      ...after,
      orders: [...after.orders, order('PAYMENT', 4600, 'PENDING'), order('REFUND', 100, 'PAID')],
    };
    const done = rebook.done(before, {}, { ...LATE, after: charged });
    const other = rebook.done(
      before,
      {},
      { ...AIRLINE, after: rebooked({ ref: '4', optionRef: '4', bookingClass: 'L' }) },
    );
    await expectTexts('results/rebook_segment', { 'Charged and refunded': done, 'Another class': other });
    expect((await done).view.assumption).toContain('does not document this request');
    const { view } = await other;
    expect(view.flight).toMatchObject({ ref: '4', class: 'L' });
    expect(view).not.toHaveProperty('assumption');
    expect(view).not.toHaveProperty('money');
  });

  test.each<[string, number, number | undefined, string | undefined]>([
    ['more than', 60000, undefined, 'SAR 600.00'],
    ['more than, less what came back,', 60000, 1000, 'SAR 590.00'],
    ['as much as', 54600, undefined, undefined],
    ['no more than, less what came back,', 60000, 5400, undefined],
  ])('says first that the airline charged %s what was approved', async (_what, charged, back, words) => {
    const after = rebooked();
    const order = (direction: string, minor: number) => ({ direction, status: 'PAID', amount: sar(minor) });
    const orders = [...after.orders, order('PAYMENT', charged), ...(back === undefined ? [] : [order('REFUND', back)])];
    const done = await rebook.done(changeable(), {}, { ...LATE, after: { ...after, orders } });
    const [first = ''] = done.lines;
    expect(
      /^The airline charged (.*), and at most SAR 546.00 was approved: tell the person first. Rebooked in/.exec(
        first,
      )?.[1],
    ).toBe(words);
  });

  describe('beside what the offer comes to', () => {
    const perType = ['1', '2'].map((ref) => row('ADT', 1, sar(34500), { segmentRefs: [ref] }));
    const priced = (fares = FEE.fares) => ticketed({ pricing: pricing(69000, { perType, fares }) });
    /** 500.00 in place of 345.00, and a fee of 46.00: 201.00, and at most 201.00 by parts. */
    const told = async (orders: object[], before = priced(), offers: object = LATE) => {
      const after = rebooked();
      return rebook.done(before, {}, { ...offers, after: { ...after, orders: [...after.orders, ...orders] } } as never);
    };
    const order = (direction: string, amount: object, status: string | undefined = 'PAID') => ({
      direction,
      status,
      amount,
    });
    const warningsOf = async (...args: Parameters<typeof told>) =>
      (await told(...args)).lines.filter((line) => line.startsWith('WARNING'));

    test('has no word of a charge that is so', async () => {
      const { operation, text } = await told([order('PAYMENT', sar(20100))]);
      expect(operation.subject.byOffer).toEqual({
        ...{ baggage: ['1 PC'], least: sar(20100), withFees: true, totals: [sar(84500), sar(89100)] },
      });
      expect(text).toContain('segment 1 is now HHR105.\n');
      expect(text).not.toContain('WARNING');
    });

    test.each<[string, object[], string]>([
      [
        'a charge below it',
        [order('PAYMENT', sar(19100))],
        'charged SAR 191.00, not as offered: by the offer and the change rule it costs SAR 201.00 at least',
      ],
      [
        'a refund in place of a charge',
        [order('REFUND', sar(20100))],
        'refunded SAR 201.00, not as offered: by the offer and the change rule it costs SAR 201.00 at least',
      ],
      [
        'a charge less a refund',
        [order('PAYMENT', sar(20100)), order('REFUND', sar(100))],
        'charged SAR 201.00 and refunded SAR 1.00, not as offered: by the offer and the change rule it costs SAR 201.00 at least',
      ],
    ])('tells %s', async (_what, orders, words) => {
      expect(await warningsOf(orders)).toEqual([
        `WARNING: The airline ${words}. Tell the person, and ask the airline.`,
      ]);
    });

    test('tells that the charge is not paid, or in another currency', async () => {
      expect(await warningsOf([order('PAYMENT', sar(20100), 'PENDING')])).toEqual([
        'WARNING: The charge of SAR 201.00 is pending instead of paid: tell the person, and read the booking later.',
      ]);
      const euros = order('PAYMENT', { minor: 20100, currency: 'EUR' });
      expect(await warningsOf([euros], priced(faresOf()))).toEqual([
        'WARNING: The airline charged EUR 201.00, in another currency than the SAR of the offer. Tell the person.',
      ]);
      expect(await warningsOf([{ ...order('PAYMENT', sar(20100)), status: undefined }])).toEqual([]);
    });

    test('tells more back than a cheaper flight can bring, and what lies within the most that was approved', async () => {
      const cheap = offered([LATER], { pricing: pricing(20000, { perType: [] }) });
      expect(await warningsOf([order('REFUND', sar(20000))], priced(faresOf()), cheap)).toEqual([
        'WARNING: The airline refunded SAR 200.00, not as offered: by the offer at most SAR 145.00 comes back. Tell the person, and ask the airline.',
      ]);
      expect(await warningsOf([order('REFUND', sar(14500))], priced(faresOf()), cheap)).toEqual([]);
      expect((await told([order('PAYMENT', sar(3000))], priced(), cheap)).lines[0]).not.toContain('The charge of');
    });

    test('says where in what was approved a charge above it lies', async () => {
      const dear = offer({ options: [option(LATER)], pricing: pricing(90000, { perType: [] }) });
      const sold = { ...LATE, ...sells(dear, offer({ options: [option(LATER)], ...LATE_PRICE })) };
      const [within = ''] = (await told([order('PAYMENT', sar(30000))], priced(), sold)).lines;
      expect(within).toMatch(
        /The charge of SAR 300.00 is within the SAR 601.00 that was approved; the offer and the change rule come to SAR 201.00.$/,
      );
      const [most = ''] = (await told([order('PAYMENT', sar(60100))], priced(), sold)).lines;
      expect(most).toContain(' The charge of SAR 601.00 is the most that was approved;');
    });
  });

  test('adds up no money of two currencies', async () => {
    const after = rebooked();
    const charge = { direction: 'PAYMENT', status: 'PAID', amount: sar(100) };
    const euros = { direction: 'REFUND', status: 'PAID', amount: { minor: 5, currency: 'EUR' } };
    const both = { ...after, orders: [...after.orders, charge, euros] };
    const { view, text } = await rebook.done(changeable(), {}, { ...LATE, after: both });
    expect(view.money).toEqual({ currency: 'SAR', charged: { amount: '1.00', order_status: 'paid' } });
    expect(text).not.toContain('Refunded');
  });
});

test('refuses a train that cannot take the place of the old one', async () => {
  const refused = (booking: Booking, options: object = LATE, args: object = {}) =>
    rebook.refused(booking, args, options);
  const connection = option(segment('1', { to: 'RUH' }), segment('2', { optionRef: '1', from: 'RUH', to: 'JED' }));
  const twice = option(segment('2', { departs: '2026-12-05T08:00:00.000+03:00' }));
  const lateNext = { ...LATER, departs: '2026-12-05T16:00:00.000+03:00', arrives: '2026-12-05T18:10:00.000+03:00' };
  const early = {
    ...back,
    ref: '9',
    departs: '2026-12-01T09:00:00.000+03:00',
    arrives: '2026-12-01T11:10:00.000+03:00',
  };
  const [barred = OUT] = permitting(changeable(), ['3', '10']).options;
  const [, free = BACK] = permitting(changeable(), ['30']).options;
  const people = (over: object) => changeable({ travelers: [traveler('1', 'A', 'B', over)] });
  await expectRefusals('rebook_segment', {
    'a segment that does not exist': refused(changeable(), LATE, { segment_ref: '9' }),
    'a connection in its place': refused(
      changeable(),
      offered([LATER, { ...back, departs: '2026-12-03T08:00:00.000+03:00' }]),
    ),
    'another station': refused(changeable(), offered([{ ...LATER, to: 'RUH' }])),
    'an arrival after the next departure': refused(changeable(), offered([lateNext])),
    'a departure before the arrival before': refused(changeable(), offered([early]), { segment_ref: '2' }),
    'another number of passengers': refused(
      changeable({ travelers: [traveler('1', 'A', 'B'), traveler('2', 'C', 'D')] }),
    ),
    'an age that does not fit then': refused(people({ birthDate: '2015-01-01' })),
    'a document that has expired then': refused(people({ document: { number: 'P1', expires: '2026-12-05' } })),
    'a segment of a connection': refused(changeable({ options: [connection] })),
    'one of two between the same stations': refused(changeable({ options: [OUT, twice] })),
    'what the airline does not permit': refused(permitting(changeable(), ['3', '10'])),
    'what it permits on the other train alone': refused(changeable({ options: [barred, free] })),
    'the same train in the same class': refused(changeable(), offered([{ ...own, ref: '9' }])),
    'an unknown offer': refused(changeable(), LATE, { offer_id: 'o999999' }),
    'an unpaid hold': refused(held()),
  });
  const { birthDate: _, document: __, ...little } = traveler('1', 'A', 'B');
  expect((await rebook.ask(changeable({ travelers: [little] }), {}, LATE)).kind).toBe('ask');
  // An airline may list the way back first.
  expect((await rebook.ask(changeable({ options: [BACK, OUT] }), {}, LATE)).kind).toBe('ask');
});
