/** Words of the airline that a refund depends on stand beside its amount wherever that is: in acts, quotes, plans and searches. */

import { describe, expect, test } from 'vitest';
import { actSentence } from '../../src/approvals/asked-act.ts';
import {
  fare,
  faresOf,
  held,
  NOW,
  OUT,
  option,
  pricing,
  row,
  rule,
  type Segment,
  sar,
  segment,
  ticketed,
} from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { type Booking, callsOf, offer, openDesk, shown } from './support/desk.ts';

const WORDS = 'Refund for health or weather reasons only';
const SENTENCE = `The airline's condition: “${WORDS}”`;
const ONLY = rule({ base: sar(0), until: '2026-12-01T02:00:00Z', texts: [{ locale: 'en', text: WORDS }] });
const FREE = rule({ base: sar(0), until: '2026-12-01T02:00:00Z', texts: [] });
/** One way at SAR 690.00. */
const oneWay = (refundRules = [ONLY], over: Partial<Booking> = {}) =>
  ticketed({ options: [OUT], pricing: pricing(69000, { fares: [fare('1', 'MED', 'JED', { refundRules })] }), ...over });
const CANCEL = { locator: 'ABC123', segment_refs: ['1'] };

describe('a condition in words', () => {
  test('stands with the estimate of an act, in its question, its result and the journal', async () => {
    const refunded = oneWay().tickets.map((ticket) => ({
      ...ticket,
      coupons: ticket.coupons.map((coupon) => ({ ...coupon, statusCode: 'R' })),
    }));
    const desk = await openDesk({
      bookings: [oneWay()],
      after: oneWay([ONLY], { options: [option({ ...segment('1'), statusCode: '16' })], tickets: refunded }),
    });
    const question = await desk.ask('cancel_segment', CANCEL);
    expect(question.act).toBe('Cancel train HHR101 of ABC123, refund about SAR 690.00, on a condition');
    expect(question.message).toContain(
      `SAR 690.00 comes back, on a condition, nothing is kept. At most SAR 690.00 is given up. This holds until Tue 1 Dec 05:00 (UTC+3).\n${SENTENCE}`,
    );
    expect(question.message).not.toMatch(/free cancellation/i);
    const done = await desk.say('cancel_segment', CANCEL);
    expect(done.view.refund.estimate).toMatchObject({ back: '690.00', refund_condition: [{ says: WORDS }] });
    expect(done.text).toContain(`Estimated: SAR 690.00 comes back, nothing is kept. ${SENTENCE}`);
    expect(done.operation.outcome.estimate.onCondition).toEqual(sar(69000));
    expect(done.operation.outcome.estimate.conditions).toEqual([{ says: WORDS }]);
  });

  test('is named in the list of open questions, and in none of what needs no condition', async () => {
    for (const [booking, act] of [
      [oneWay(), 'Cancel train HHR101 of ABC123, refund about SAR 690.00, on a condition'],
      [oneWay([FREE]), 'Cancel train HHR101 of ABC123, refund about SAR 690.00'],
    ] as const) {
      const desk = await openDesk({ bookings: [booking] });
      await desk.ask('cancel_segment', CANCEL);
      expect((await desk.state.approvals.waiting(NOW)).map((one) => actSentence(one.act))).toEqual([act]);
    }
  });

  test('is quoted in one language, in a result and in a question', async () => {
    const texts = [{ locale: 'ar', text: 'للأسباب الصحية فقط' }, ...ONLY.texts];
    const priced = pricing(69000, { fares: [fare('1', 'MED', 'JED', { refundRules: [{ ...ONLY, texts }] })] });
    const found = { form: 'itineraries' as const, offers: [offer({ options: [OUT], pricing: priced })] };
    const desk = await openDesk({ airline: { searchFares: async () => found } });
    const legs = [{ from: 'MED', to: 'JED', date: '2026-12-01' }];
    const { view } = await desk.read('search_fares', { legs, passengers: { adults: 1 } });
    expect(view.offers[0].refund.refund_condition).toEqual([{ says: WORDS }]);
    const question = await callsOf('cancel_segment', CANCEL).ask(oneWay([{ ...ONLY, texts }]));
    expect(question.message.match(/The airline's condition: “/g)).toHaveLength(1);
    expect(question.message).toContain(SENTENCE);
    expect(desk.shelf.values().next().value?.refundNote).toBe(
      `No fee until Tue 1 Dec 05:00 (UTC+3) (adult), “${WORDS}”`,
    );
  });

  test('stands once beside a plan, whose sums say which and how much of them depend on it', async () => {
    const named = (locator: string, rules: (typeof ONLY)[]) =>
      oneWay(rules, { locator, references: [{ id: locator, type: '14', system: 'HHR', segmentRefs: [] }] });
    const bookings = [named('ABC123', [ONLY]), named('ABC124', [FREE]), named('ABC125', [ONLY])];
    const desk = await openDesk({ bookings });
    const steps = ['ABC123', 'ABC124', 'ABC125'].map((locator) => ({
      tool: 'cancel_segment',
      arguments: { locator, segment_refs: ['1'] },
    }));
    const { view, text } = await desk.read('propose_plan', { steps });
    expect(view.lines.map(({ money }: { money: string }) => money)).toEqual([
      'about SAR 690.00 comes back, on a condition',
      'about SAR 690.00 comes back',
      'about SAR 690.00 comes back, on a condition',
    ]);
    expect(view.sums).toEqual([
      expect.stringMatching(/about SAR 2,070.00 comes back, of which SAR 1,380.00 on a condition$/),
    ]);
    expect(view.conditions).toEqual([{ says: WORDS, lines: [1, 3] }]);
    expect(text).toContain('about SAR 2,070.00 comes back, of which SAR 1,380.00 on a condition');
    expect(text.match(new RegExp(WORDS, 'g'))).toHaveLength(1);
    expect(text).toContain(`The airline's condition for lines 1, 3: “${WORDS}”`);
    const question = await desk.ask('run_plan', { plan_id: view.plan_id });
    expect(question.message).toContain('of which SAR 1,380.00 on a condition');
    expect(question.message).toContain(SENTENCE);
  });

  test('parts the sum that depends on it from the rest, in a quote, a question and a list', async () => {
    const travelers = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Lena', 'Haddad', { type: 'CNN' })];
    const perType = [
      row('ADT', 1, sar(46000), { travelerRefs: ['1'], segmentRefs: ['1'] }),
      row('CNN', 1, sar(23000), { travelerRefs: ['2'], segmentRefs: ['1'] }),
    ];
    const family = (ofChild: typeof ONLY) =>
      oneWay([FREE, { ...ofChild, passengerType: 'CNN' }], {
        travelers,
        pricing: pricing(69000, {
          fares: [fare('1', 'MED', 'JED', { refundRules: [FREE, { ...ofChild, passengerType: 'CNN' }] })],
          perType,
        }),
      });

    const quote = await callsOf('quote_cancellation').read(family(ONLY));
    expect(quote.view).toMatchObject({ refund_now: '690.00', on_condition: '230.00' });
    expect(quote.view.summary).toContain('SAR 690.00 comes back now, of which SAR 230.00 on a condition');

    const question = await callsOf('cancel_segment', CANCEL).ask(family(ONLY));
    expect(question.act).toBe(
      'Cancel train HHR101 of ABC123, refund about SAR 690.00, of which SAR 230.00 on a condition',
    );

    const desk = await openDesk({ bookings: [family(ONLY)] });
    const list = await desk.read('list_bookings', { locators: ['ABC123'] });
    expect(list.view.bookings[0].on_condition).toBe('230.00');
    expect(list.view.conditions).toEqual([{ says: WORDS }]);
    expect(list.text).toContain('SAR 690.00 comes back now, of which SAR 230.00 on a condition');

    // By its figures nothing comes back of the second fare: its words can say otherwise, and stand there.
    const lost = await callsOf('quote_cancellation').read(family({ ...ONLY, refundable: false }));
    expect(lost.view).toMatchObject({ refund_now: '460.00', on_condition: '0.00' });
    expect(lost.view.summary).toContain('SAR 460.00 comes back now, SAR 230.00 is kept');
  });

  test('is none where words only say again what the rule says, which are quoted all the same', async () => {
    const AGAIN = 'Free cancellation until departure';
    const again = { ...ONLY, until: '2026-12-01T05:00:00Z', texts: [{ locale: 'en', text: AGAIN }] };
    const question = await callsOf('cancel_segment', CANCEL).ask(oneWay([again]));
    expect(question.act).toBe('Cancel train HHR101 of ABC123, refund about SAR 690.00');
    expect(question.message).toContain(`The airline's condition: “${AGAIN}”`);

    const desk = await openDesk({ bookings: [oneWay([again])] });
    const { view } = await desk.read('propose_plan', { steps: [{ tool: 'cancel_segment', arguments: CANCEL }] });
    expect(view.sums).toEqual([expect.stringMatching(/about SAR 690.00 comes back$/)]);
    expect(view).not.toHaveProperty('conditions');
    const list = await desk.read('list_bookings', { locators: ['ABC123'] });
    expect(list.view.bookings[0]).not.toHaveProperty('on_condition');
    expect(list.view).not.toHaveProperty('conditions');
  });

  test('names the passengers and trains of its fare, where these are not all', async () => {
    const travelers = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Lena', 'Haddad', { type: 'CNN' })];
    const refundRules = [ONLY, { ...FREE, passengerType: 'CNN' }];
    const family = oneWay(refundRules, { travelers });
    const quote = await callsOf('quote_cancellation').read(family);
    const whose = quote.view.refund_condition[0].fare_of;
    expect(quote.view.refund_condition).toHaveLength(1);
    expect(quote.view.summary).toContain(`The airline's condition for ${whose}: “${WORDS}”`);
    expect(whose).toMatch(/^Amal Haddad/);
    const cancelling = await callsOf('cancel_segment', CANCEL).ask(family);
    expect(cancelling.message).toContain(`The airline's condition for 1 adult: “${WORDS}”`);
  });

  test('is quoted six times at most in a question, which counts the others', async () => {
    const texts = Array.from({ length: 8 }, (_, i) => ({ text: `Only for reason ${'abcdefgh'[i]}` }));
    const { message } = await callsOf('cancel_segment', CANCEL).ask(oneWay([{ ...ONLY, texts }]));
    expect(message.match(/The airline's condition: “/g)).toHaveLength(6);
    expect(message).toContain('The airline states 2 more in words: ask it.');
  });

  test('is never left out of a reading, or of a quote', async () => {
    const texts = Array.from({ length: 8 }, (_, i) => ({ text: `Only for reason ${'abcdefgh'[i]}` }));
    for (const tool of ['quote_cancellation', 'read_booking']) {
      const { view, text } = await callsOf(tool).read(oneWay([{ ...ONLY, texts }]));
      const refund = tool === 'read_booking' ? view.refund : view;
      expect(refund.refund_condition.map(({ says }: { says: string }) => says)).toEqual(texts.map((each) => each.text));
      expect(text.match(/The airline's condition: “/g)).toHaveLength(8);
    }
  });

  test('stands with a later step, which may differ by nothing else', async () => {
    const later = { ...ONLY, from: '2026-11-30T05:00:00Z' };
    const { view, text } = await callsOf('quote_cancellation').read(
      oneWay([{ ...FREE, until: '2026-11-30T05:00:00Z' }, later]),
    );
    expect(view).not.toHaveProperty('refund_condition');
    expect(view.later).toMatchObject([{ back: '690.00', refund_condition: [{ says: WORDS }] }]);
    expect(text).toContain(`nothing is kept. ${SENTENCE}`);
  });

  test('is part of the rule of an offer, which is then not free', async () => {
    const priced = pricing(69000, { fares: [fare('1', 'MED', 'JED', { refundRules: [ONLY] })] });
    const found = { form: 'itineraries' as const, offers: [offer({ options: [OUT], pricing: priced })] };
    const desk = await openDesk({ airline: { searchFares: async () => found } });
    const legs = [{ from: 'MED', to: 'JED', date: '2026-12-01' }];
    const { view, text } = await desk.read('search_fares', { legs, passengers: { adults: 1 } });
    expect(view.offers[0].refund).toMatchObject({ refund_now: '690.00', refund_condition: [{ says: WORDS }] });
    expect(text).toContain(SENTENCE);
    expect(desk.shelf.values().next().value?.refundNote).toBe(
      `No fee until Tue 1 Dec 05:00 (UTC+3) (adult), “${WORDS}”`,
    );
  });
});

describe('a search in place of a segment that comes back on a condition', () => {
  const train = (number: string, bookingClass: string) =>
    segment('7', {
      ...{ flightNumber: number, operating: { carrier: 'HHR', number }, bookingClass, fareBasis: `${bookingClass}OW` },
      ...{ departs: '2026-12-02T12:00:00.000+03:00', arrives: '2026-12-02T14:10:00.000+03:00' },
    });
  const at = (minor: number, ...trains: ReturnType<typeof segment>[]) =>
    offer({ options: [option(...trains)], pricing: pricing(minor, { perType: [] }) });
  const perType = ['1', '2'].map((ref) => row('ADT', 1, sar(34500), { segmentRefs: [ref] }));
  const booked = (refundRule: typeof ONLY, changeRules = [rule({ base: sar(4000) })]) =>
    ticketed({ pricing: pricing(69000, { fares: faresOf({ changeRules, refundRules: [refundRule] }), perType }) });
  const instead = async (booking: Booking, ...offers: ReturnType<typeof offer>[]) => {
    const found = { form: 'itineraries' as const, offers };
    const desk = await openDesk({ bookings: [booking], airline: { searchFares: async () => found } });
    return desk.read('search_fares', { instead_of: { locator: 'ABC123', segment_ref: '1' } });
  };
  const STOP = [
    { ...train('201', 'C'), to: 'RUH' },
    { ...train('202', 'C'), from: 'RUH', departs: '2026-12-02T16:00:00.000+03:00' },
  ];

  test('quotes it in both halves, and says that the most a new booking costs depends on it', async () => {
    const { view, text } = await instead(booked(ONLY, []), at(30000, train('109', 'Y')));
    expect(view.offers[0].change.anew).toEqual({
      gets_back: '345.00',
      on_condition: 'all',
      refund_condition: [{ says: WORDS }],
      costs_at_most: '-45.00',
    });
    expect(text).toContain(
      `SAR 345.00 comes back, on a condition, the airline's condition: “${WORDS}”, if so at least SAR 45.00 more than the new one costs`,
    );
  });

  test('orders offers by what they cost if the refund comes', async () => {
    const offers = [at(40000, ...STOP), at(36000, train('109', 'Y'))];
    const totals = (view: { offers: { total: string }[] }) => view.offers.map(({ total }) => total);
    // A new booking for 400.00 less 345.00, or a rebooking for 46.00 and 15.00 more.
    expect(totals((await instead(booked(FREE), ...offers)).view)).toEqual(['400.00', '360.00']);
    expect(totals((await instead(booked(ONLY), ...offers)).view)).toEqual(['400.00', '360.00']);
    // All alike: the cheapest first, with the refund or without.
    expect(totals((await instead(booked(ONLY, []), ...offers)).view)).toEqual(['360.00', '400.00']);
  });

  test('says why the airline rebooks no single segment to a connection', async () => {
    const { view } = await instead(booked(ONLY), at(40000, ...STOP));
    expect(view.offers[0].change.not_rebooked).toBe('this is a connection, and the airline exchanges single segments');
  });
});

describe('a condition that the airline states in words', () => {
  const CONDITION = 'Refund for health or weather reasons only';
  const says = (
    text: string,
    over: Parameters<typeof rule>[0] = { base: sar(0) },
    fareRules?: Segment['fareRules'],
  ) => {
    const refundRules = [rule({ until: '2026-12-01T02:00:00Z', texts: [{ locale: 'en', text }], ...over })];
    return held({
      options: [option(segment('1', fareRules && { fareRules }))],
      pricing: pricing(69000, { fares: [fare('1', 'MED', 'JED', { refundRules })] }),
    });
  };
  const ifPaid = ({ options, pricing: price = pricing(1) }: Booking) => ticketed({ options, pricing: price });

  test('stands beside the sum in a reading, a quote, an offer and both questions', async () => {
    const free = says(CONDITION);
    for (const booking of [free, ifPaid(free)]) {
      const { refund, text } = await shown(booking);
      expect([refund.refund_now, refund.refund_condition]).toEqual(['690.00', [{ says: CONDITION }]]);
      expect(text).toMatch(
        new RegExp(`SAR 690.00 comes back, on a condition, nothing is kept. The airline's condition: “${CONDITION}”`),
      );
    }
    const inShort = await callsOf('quote_cancellation').read(ifPaid(free));
    expect(inShort.view.refund_condition).toEqual([{ says: CONDITION }]);
    expect(inShort.view.summary).toContain(
      `SAR 690.00 comes back now, on a condition, nothing is kept. The airline's condition: “${CONDITION}”`,
    );
    const legs = [{ from: 'MED', to: 'JED', date: '2026-12-01' }];
    const found = {
      offers: [offer({ options: free.options, pricing: free.pricing ?? pricing(1) })],
      form: 'itineraries' as const,
    };
    const desk = await openDesk({ airline: { searchFares: async () => found } });
    const { text: offers } = await desk.read('search_fares', { legs, passengers: { adults: 1 } });
    expect(offers).toMatch(
      new RegExp(
        `refund: SAR 690.00 comes back, on a condition, nothing is kept. The airline's condition: “${CONDITION}”`,
      ),
    );
    const payment = await callsOf('pay_booking', { locator: 'ABC123', payment: { type: 'invoice' } }).ask(free);
    const cancelling = await callsOf('cancel_segment', { locator: 'ABC123', segment_refs: ['1'] }).ask(ifPaid(free));
    for (const { lines } of [payment, cancelling]) {
      const at = lines.findIndex((line) => line.includes('SAR 690.00 comes back, '));
      expect(lines[at + 1]).toBe(`The airline's condition: “${CONDITION}”`);
      expect(lines.join(' ')).not.toContain('Free cancellation');
    }
  });

  test('stands there too where the text is of the segment', async () => {
    const { refund } = await shown(says('Free refund.', { base: sar(0) }, [{ text: CONDITION }]));
    expect(refund.refund_now).toBe('690.00');
    expect(refund.refund_condition).toEqual([{ says: 'Free refund.' }, { says: CONDITION }]);
  });

  test.each<[string, Parameters<typeof rule>[0]]>([
    ['Refund with a penalty.', {}],
    ['Refund for a fee of SAR 172.50 per passenger and segment', {}],
    ['Refund for a fee of SAR 15.00', {}],
    ['Free refund', { base: sar(0) }],
    ['Refund not permitted', { refundable: false, base: sar(0) }],
    ['استرداد مجاني', { base: sar(0) }],
    ['استرداد مجاني لأسباب صحية', { base: sar(0) }],
  ])('is any text, also one that only repeats the figures: %s, %o', async (text, over) => {
    const { refund } = await shown(says(text, over));
    expect(refund.refund_condition).toEqual([{ says: text }]);
  });

  test('is cut where it is long, says so, and is whole in a full reading', async () => {
    const fee = 'An administration fee is charged for a refund.';
    const seats = 'This fare is sold together with a seat. '.repeat(8).trim();
    const booking = ifPaid(says(`${fee} ${seats}`));
    const { text, refund } = await shown(booking);
    expect(refund.refund_condition[0].says).toMatch(/^An administration fee .* …$/);
    expect(text).toMatch(
      /“An administration fee [^”]* …” \(shortened; a full reading of the booking quotes up to 1,000 characters\)/,
    );
    const question = await callsOf('cancel_segment', { locator: 'ABC123', segment_refs: ['1'] }).ask(booking);
    expect(question.message).toContain('…” (shortened; a full reading of the booking quotes up to 1,000 characters)');
    const full = await callsOf('read_booking', { locator: 'ABC123', detail: 'full' }).read(booking);
    expect(full.view.booking.rules[0].text).toBe(`${fee} ${seats}`);
    expect(full.text).toContain(`${fee} ${seats}`);
  });
});
