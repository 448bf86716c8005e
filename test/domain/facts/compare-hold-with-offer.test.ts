/** In what a hold differs from what was asked for: each row tells its difference, and no honest form of a hold is one. */
import { describe, expect, test } from 'vitest';
import { type AddedToHold, addedService, askedPeople, askedService } from '../../../src/domain/facts/asked-people.ts';
import {
  chosenOffer,
  firstSaid,
  heldDifferences,
  listsAllOf,
  sameOffer,
} from '../../../src/domain/facts/compare-hold-with-offer.ts';
import { flightKey } from '../../../src/domain/facts/pair.ts';
import { identityText } from '../../../src/domain/people/identity-text.ts';
import { keptRules } from '../../../src/domain/refund/rules-in-force.ts';
import {
  BACK,
  type Booking,
  faresOf,
  NOW,
  OUT,
  option,
  type PenaltyRule,
  price,
  pricing,
  rule,
  type Segment,
  sar,
  segment,
} from '../../support/bookings.ts';
import { bareTraveler, personName, type Traveler } from '../../support/people.ts';
import {
  AMAL,
  type Case,
  CONTACT,
  digest,
  document,
  hold,
  KEPT,
  OFFER,
  OMAR,
  people,
  tell,
} from '../booking/support/asked-hold.ts';

const PRICED = pricing(69000, { fares: faresOf() });
const flights = (out: Partial<Segment>, back: Partial<Segment> = {}): Partial<Booking> => ({
  options: [option({ ...segment('1'), ...out }), option({ ...(BACK.segments[0] as Segment), ...back })],
});
const UTC = { departs: '2026-12-01T05:00:00Z', arrives: '2026-12-01T07:10:00Z' };
const operating = (carrier: string, number: string) => ({ operating: { carrier, number } });

describe('no difference', () => {
  const NONE: Readonly<Record<string, Partial<Booking>>> = {
    'the hold as it was asked for': {},
    'other pointers': flights({ ref: '7' }, { ref: '9' }),
    'another order of flights and people': { options: [BACK, OUT], travelers: [OMAR, AMAL] },
    'the same instant in UTC, and a time without its zone': flights(UTC, {
      departs: '2026-12-05T18:00:00',
      arrives: '',
    }),
    'another zone at the same clock of the station': flights({ departs: '2026-12-01T08:00:00.000+02:00' }),
    'codes with blanks, and in small letters': flights({
      bookingClass: 'Y ',
      fareBasis: ' yow',
      ...operating('hhr', '101'),
    }),
    'zeros before a number': flights({ flightNumber: '0101', ...operating('HHR', '0101') }),
    'no number, class, fare, carrier and arrival': flights({
      ...{ flightNumber: '', bookingClass: undefined, fareBasis: undefined, operating: undefined, arrives: '' },
    }),
    'a marketing number beside the operating one': flights({
      ...{ flightNumber: '5101', marketing: { carrier: 'SV', number: '5101' }, ...operating('HHR', '101') },
    }),
    'one leg that is held as two with a stop': {
      options: [
        option(
          segment('1', { to: 'RUH', arrives: '2026-12-01T09:00:00.000+03:00' }),
          segment('3', { from: 'RUH', departs: '2026-12-01T09:20:00.000+03:00' }),
        ),
        BACK,
      ],
    },
    'a cancelled flight beside the one that runs': {
      options: [option(segment('8', { statusCode: '16' })), OUT, BACK],
    },
    'no flights': { options: [] },
    'no people, price and contact': { travelers: [], pricing: undefined, contact: undefined },
    'passengers on flights with other pointers': people({ segmentRefs: ['x'] }, { segmentRefs: [] }),
    'people without a type': people({ type: '' }),
    'names in capitals, with titles glued, and a merged middle name': people({
      name: personName('AMALNOORMRS', 'ALZEIN'),
    }),
    'masked people': people({
      name: personName('A***', 'Z***'),
      document: { number: '•••4567', nationality: 'S*', expires: '****-**-**' },
      birthDate: 'xxxx-04-12',
      emails: ['a***@example.com'],
      phones: [{ number: '••••567' }],
    }),
    'a masked telephone, and names in other letters': people(
      { name: personName('أمل', 'الزين') },
      { phones: [{ number: '••••567' }] },
    ),
    'a country in three letters, an expiry with its time, no number': people(
      document({ nationality: 'SAU', expires: '2031-01-01T00:00:00', number: undefined }),
    ),
    'people without document, birth date and name': people({
      document: undefined,
      birthDate: undefined,
      name: undefined,
    }),
    "a passenger's e-mail and telephone that are the contact's": people(
      { emails: [' AMAL@example.com'], phones: [{ countryCode: '+966', number: '0551234567' }] },
      { emails: ['amal@example.com'], phones: [{ number: '00966551234567' }] },
    ),
    'a telephone without its country': people({}, { phones: [{ number: '01001234567' }, {}] }),
    'a telephone in one field, with plus and zero': people({}, { phones: [{ number: '+2001001234567' }] }),
    'an order to pay the total beside one of nothing': {
      orders: [{ direction: 'PAYMENT', amount: sar(69000) }, { action: 'CHANGE_NAME', amount: sar(0) }, {}],
    },
    'orders of parts': { orders: [{ amount: sar(60000) }, { amount: sar(9000) }] },
    'an order that is listed twice': { orders: [{ amount: sar(69000) }, { amount: sar(69000) }] },
  };

  for (const [title, over] of Object.entries(NONE)) {
    test(title, () => {
      expect([tell(over).text, tell(over, { layers: KEPT }).text]).toEqual([undefined, undefined]);
      expect(tell(over).fields).toBeUndefined();
    });
  }

  test('what the offer left out, and what was not kept', () => {
    const other = { ...flights({ from: 'RUH', departs: '2027-01-01T08:00:00+03:00' }), pricing: pricing(1) };
    expect(tell(other, { offer: undefined, layers: [] }).text).toBeUndefined();
    const bare = { travelers: [bareTraveler('1'), bareTraveler('2')] };
    const layers = [{ people: askedPeople(bare) }];
    expect(tell({ contact: undefined, ...people({ type: 'ADT' }, { type: 'ADT' }) }, { layers }).text).toBeUndefined();
    const nameless = chosenOffer([option(segment('1', { operating: undefined })), BACK], {});
    expect(tell({}, { offer: nameless, layers: [] }).text).toBeUndefined();
  });
});

describe('a difference of the flights and the price', () => {
  const TOLD: readonly (readonly [over: Partial<Booking>, told: string, options?: Case])[] = [
    [flights({ from: 'RUH' }), 'flight HHR101 leaves from RUH, offered MED'],
    [flights({ to: 'RUH' }), 'flight HHR101 goes to RUH, offered JED'],
    [
      flights({ departs: '2026-12-01T10:00:00.000+03:00', arrives: '2026-12-01T12:10:00.000+03:00' }),
      'flight HHR101 leaves 10:00, offered 08:00; flight HHR101 arrives 12:10, offered 10:10',
    ],
    [
      flights({ departs: '2026-12-02T08:00:00.000+03:00' }),
      'flight HHR101 leaves Wed 2 Dec 08:00, offered Tue 1 Dec 08:00',
    ],
    [
      flights({ departs: '2026-12-01T09:00:00.000+02:00' }),
      'flight HHR101 leaves Tue 1 Dec 09:00 (UTC+2), offered Tue 1 Dec 08:00 (UTC+3)',
    ],
    [flights({ departs: 'soon' }), 'flight HHR101 leaves (no time), offered Tue 1 Dec 08:00 (UTC+3)'],
    [
      flights({ flightNumber: '9999', ...operating('HHR', '9999') }),
      'flight HHR101 has number 9999, offered 101; flight HHR101 is operated as 9999, offered 101',
    ],
    [flights(operating('HHR', '9999')), 'flight HHR101 is operated as 9999, offered 101'],
    [flights(operating('SV', '101')), 'flight HHR101 is operated by SV, offered HHR'],
    [flights({ bookingClass: 'B' }), 'flight HHR101 is in class B, offered Y'],
    [flights({ fareBasis: 'OTHER1' }), 'train HHR101 is in fare OTHER1, offered YOW', { dialect: 'rail' }],
    [
      flights({ fareName: 'Saver' }),
      'flight HHR101 is in the fare “Saver”, offered “Refundable Saver”',
      { offer: chosenOffer([option(segment('1', { fareName: 'Refundable Saver' })), BACK], {}) },
    ],
    [
      flights({ stops: 2 }),
      'flight HHR101 stops on the way: 2, offered 0',
      { offer: chosenOffer([option(segment('1', { stops: 0 })), BACK], {}) },
    ],
    [flights({}, { statusCode: '16' }), 'flight HHR202 is cancelled'],
    [{ options: [OUT] }, 'flight HHR202 JED → MED, Sat 5 Dec 2026 is not held'],
    [
      { options: [OUT, BACK, option(segment('3', { from: 'JED', to: 'RUH', departs: '2026-12-02T08:00:00+03:00' }))] },
      'flight HHR101 JED → RUH, Wed 2 Dec 2026 is held and was not offered',
    ],
    [people({ segmentRefs: ['1'] }), 'passenger 1 is not on HHR202'],
    [
      { options: [OUT], ...people({}, { segmentRefs: [] }) },
      'passenger 2 is not on HHR101',
      { offer: { ...OFFER, segments: OFFER.segments.slice(0, 1) } },
    ],
    [{ pricing: pricing(70000) }, 'the total is SAR 700.00, offered SAR 690.00'],
    [{ orders: [{ direction: 'PAYMENT', amount: sar(1) }] }, "the hold's order is SAR 0.01, offered SAR 690.00"],
    [
      { orders: [{ amount: sar(69000) }, { amount: sar(1000) }] },
      "the hold's order is SAR 690.00 and SAR 10.00, offered SAR 690.00",
    ],
    [
      flights({ departs: '' }, { departs: '2026-12-07T08:00:00+03:00' }),
      'flight HHR202 leaves Mon 7 Dec 08:00, offered Sat 5 Dec 18:00',
    ],
  ];

  test.each(TOLD.map(([over, told, options = {}]) => [told, over, options] as const))('%s', (told, over, options) => {
    expect(tell(over, options).text).toBe(told);
  });

  test('takes the name of a fare in capitals, with other spaces or left out for the same', () => {
    const offer = chosenOffer([option(segment('1', { fareName: 'Économie Saver' })), BACK], {});
    for (const fareName of ['ÉCONOMIE  SAVER', 'Économie-Saver', undefined])
      expect(tell(flights({ fareName }), { offer }).text).toBeUndefined();
  });

  test('names a flight that the offer sold under another number by both', () => {
    const sold = segment('1', { flightNumber: '5101', marketing: { carrier: 'SV', number: '5101' } });
    const offer = chosenOffer([option(sold), BACK], {});
    const now = (over: Partial<Segment>) =>
      tell({ options: [option({ ...sold, ...over }), BACK] }, { offer, layers: [] }).text;
    expect(now({})).toBeUndefined();
    expect(now({ flightNumber: '101' })).toBeUndefined();
    expect(now({ marketing: { carrier: 'LH', number: '7' } })).toBe(
      'flight SV5101 is sold as 7, offered 5101; flight SV5101 is sold by LH, offered SV',
    );
  });

  test('knows an offer again by class, fare and price', () => {
    const other = chosenOffer([OUT, option({ ...(BACK.segments[0] as Segment), fareBasis: 'X' })], {
      total: sar(69000),
    });
    const untotalled = chosenOffer([OUT, BACK], {});
    expect(sameOffer(OFFER, { ...OFFER, rules: undefined, party: {} })).toBe(true);
    expect([other, untotalled, { ...OFFER, total: sar(1) }].map((one) => sameOffer(OFFER, one))).toEqual([
      false,
      false,
      false,
    ]);
    expect(sameOffer(untotalled, untotalled)).toBe(true);
  });

  test('pairs a flight that was replaced by another one, and says all that differs of it', () => {
    const [out] = OUT.segments;
    const replaced = { ...out, from: 'RUH', to: 'DMM', flightNumber: '7', operating: undefined } as Segment;
    const { text, fields } = tell({ options: [option(replaced), BACK] });
    expect(text).toBe(
      'flight HHR101 leaves from RUH, offered MED; flight HHR101 goes to DMM, offered JED; flight HHR101 has number 7, offered 101',
    );
    expect(fields?.map(({ what }) => what)).toEqual([
      'start of flight HHR101',
      'destination of flight HHR101',
      'number of flight HHR101',
    ]);
  });

  test('tells three in full, and groups the rest by flight and passenger', () => {
    const other = { bookingClass: 'B', fareBasis: 'BOW' };
    const { text, fields } = tell({
      ...flights({ departs: '2026-12-01T10:00:00.000+03:00', ...other }, other),
      ...people({ birthDate: '1991-04-12' }),
      ...{ contact: { ...CONTACT, emails: ['x@example.com'] }, pricing: pricing(1) },
    });
    expect(text).toBe(
      'flight HHR101 leaves 10:00, offered 08:00; flight HHR101 is in class B, offered Y; flight HHR101 is in fare BOW, offered YOW; ' +
        'and 5 more (flight HHR202, passenger 1, the contact, total)',
    );
    expect(fields).toHaveLength(8);
    expect(fields?.[0]).toEqual({
      what: 'departure of flight HHR101',
      asked: '2026-12-01T08:00+03:00',
      held: '2026-12-01T10:00+03:00',
    });
  });
});

describe('a difference of terms', () => {
  const rules = (...refundRules: readonly object[]): Partial<Booking> => ({
    pricing: pricing(69000, { fares: faresOf({ refundRules: refundRules as readonly PenaltyRule[] }) }),
  });
  const [UNTIL, SOON] = ['2026-11-30T05:00:00Z', '2026-11-29T06:00:00Z'];
  const LATER = rule({ refundable: false, base: sar(0), from: UNTIL, until: '2026-12-05T15:00:00Z' });
  const WHEN = 'until Mon 30 Nov 08:00 (UTC+3) (adult)';
  const PENALTY = '“Refund with a penalty.”';
  const worded = (text: string, over = {}) => ({ passengerType: '', texts: [{ text }], ...over });
  const texts = (...texts: readonly string[]) => flights({ fareRules: texts.map((text) => ({ text })) });
  const withTexts = (...said: readonly string[]) => keptRules(hold(texts(...said)).options, []);
  const first = firstSaid(hold(), NOW);

  const TOLD: readonly (readonly [over: Partial<Booking>, told: string | undefined, options?: Case])[] = [
    [
      { pricing: { ...PRICED, total: price(sar(69000), { baggage: ['2 PC', '1 PC'] }) } },
      'the baggage is “2 PC”, offered “1 PC”',
    ],
    [
      { pricing: { ...PRICED, total: price(sar(69000), { baggage: ['1 PC'] }) } },
      'the baggage is “1 PC”, offered “2 PC”',
      { offer: { ...OFFER, baggage: ['1 PC', '2 PC'] } },
    ],
    [{ pricing: { ...PRICED, total: price(sar(69000), { baggage: [] }) } }, undefined],
    [
      rules(rule({ base: sar(20000) }), LATER),
      `the refund rule is a fee of SAR 230.00 ${WHEN}, ${PENALTY}, not the one offered`,
    ],
    [
      rules(rule({ base: sar(20000) }), LATER),
      `the refund rule is a fee of SAR 230.00 ${WHEN}, ${PENALTY}, offered “Keeps SAR 172.50”`,
      { offer: { ...OFFER, ruleWords: 'Keeps SAR 172.50' } },
    ],
    [
      rules(rule({ refundable: false }), LATER),
      `the refund rule is no refund ${WHEN}, “Refund not permitted.”, not the one offered`,
    ],
    [rules(rule({ base: sar(0) }), LATER), `the refund rule is no fee ${WHEN}, “Free refund.”, not the one offered`],
    [
      rules(rule({ base: sar(-1) }), LATER),
      `the refund rule is unclear ${WHEN}, “Refund with a penalty.”, not the one offered`,
    ],
    [
      rules(rule({ until: undefined }), LATER),
      `the refund rule is a fee of SAR 172.50 (adult), ${PENALTY}, not the one offered`,
    ],
    [
      rules(rule({ texts: [{ text: 'For  health reasons only' }] }), LATER),
      `the refund rule is a fee of SAR 172.50 ${WHEN}, “For health reasons only”, not the one offered`,
    ],
    [rules(rule()), `the refund rule is a fee of SAR 172.50 ${WHEN}, ${PENALTY}, not the one offered`],
    [rules(rule({ texts: [] }), { ...LATER, texts: [] }), undefined],
    // An earlier version kept one digest of figures and words.
    [
      rules(rule({ base: sar(20000) }), LATER),
      undefined,
      { offer: { ...OFFER, rules: { ...OFFER.rules, rules: ['29933580.3Fa9c2d1', '29941380.b7Qe0xLw'], at: NOW } } },
    ],
    [rules(rule(), worded('Ask us')), 'the refund rule is unclear, “Ask us”, not the one offered'],
    [
      rules(worded('Ask us')),
      undefined,
      { offer: { ...OFFER, rules: keptRules([], [{ refundRules: [worded('Ask us')] }]) } },
    ],
    [
      rules(worded('Ask us')),
      'the refund rule is unclear, “Ask us”, not the one offered',
      { offer: { ...OFFER, rules: keptRules([], [{ refundRules: [worded('Ask us'), worded('Ask them')] }]) } },
    ],
    [rules(LATER, rule({ from: '2026-11-02T00:00:00Z' })), undefined],
    [rules(LATER), undefined, { now: Date.parse(UNTIL) }],
    [rules(), undefined],
    [
      rules(rule({ from: '2026-11-30T00:00:00Z' }), LATER),
      `the refund rule is a fee of SAR 172.50 from Mon 30 Nov 03:00 (UTC+3) ${WHEN}, ${PENALTY}, not the one at first`,
      { offer: undefined, first },
    ],
    [
      rules(rule(), { ...LATER, base: sar(1), refundable: true }),
      'the refund rule is a fee of SAR 0.01 from Mon 30 Nov 08:00 (UTC+3) until Sat 5 Dec 18:00 (UTC+3) (adult), “Refund not permitted.”, not the one offered',
    ],
    [texts('Fee  SAR 30.00', ' '), undefined],
    [
      texts('Fee SAR 90.00'),
      'the text of the refund rule is “Fee SAR 90.00”, not the one offered',
      { offer: { ...OFFER, rules: withTexts('Fee SAR 30.00') } },
    ],
    [
      texts('A'),
      'the text of the refund rule is “A”, not the one offered',
      { offer: { ...OFFER, rules: withTexts('A', 'B') } },
    ],
    [texts('A'), undefined, { offer: { ...OFFER, rules: withTexts('A') } }],
    [
      texts('A'),
      'the text of the refund rule is “A”, not the one at first',
      { first: { limits: {}, rules: withTexts('B') }, offer: { ...OFFER, rules: undefined } },
    ],
    ...(
      [
        ['payBy', 'payment', 'Sun 29 Nov 08:25 (UTC+3)'],
        ['namesUntil', 'names', 'Mon 30 Nov 03:00 (UTC+3)'],
        ['cancelUntil', 'cancelling', 'Tue 1 Dec 05:00 (UTC+3)'],
      ] as const
    ).map(
      ([field, what, before]) =>
        [
          { pricing: pricing(69000, { fares: faresOf({ [field]: SOON }, {}) }) },
          `the time limit for ${what} is Sun 29 Nov 09:00 (UTC+3), at first ${before}`,
          { first },
        ] as const,
    ),
    [
      { tickets: [{ number: '', travelerRefs: [], segmentRefs: [], coupons: [], links: [], timeLimit: SOON }] },
      'the time limit for tickets is Sun 29 Nov 09:00 (UTC+3), at first Mon 30 Nov 08:00 (UTC+3)',
      { first: { limits: { 'time limit for tickets': [UNTIL] } } },
    ],
    [
      { pricing: pricing(69000, { fares: faresOf({ namesUntil: '2026-11-30T10:00:00Z' }) }) },
      undefined,
      { first, now: Date.parse('2026-11-30T00:00:00Z') },
    ],
    [{ pricing: undefined }, undefined, { first }],
  ];

  const CASES = TOLD.map(([over, told, options = {}]) => [told ?? 'nothing', over, options] as const);
  test.each(CASES)('%s', (told, over, options) => {
    expect(tell(over, options).text ?? 'nothing').toBe(told);
  });
});

describe('a difference of services', () => {
  const ASKED = { ...OFFER, services: [digest(askedService('2', 'WCHR'))] };
  const line = (over: Partial<Booking['services'][number]>) => ({
    ...{ code: 'WCHR', status: 'HK', travelerRefs: ['2'], segmentRefs: ['1', '2'] },
    ...over,
  });
  const TOLD: readonly (readonly [services: Booking['services'], told: string | undefined, over?: Partial<Booking>])[] =
    [
      [[line({})], undefined],
      [[line({ segmentRefs: [] })], undefined],
      [
        [line({ code: 'FOID' })],
        'passenger 2 has no confirmed WCHR wheelchair to the ramp: the airline does not show it',
      ],
      [
        [line({ code: 'VGML' })],
        'passenger 2 has no confirmed WCHR wheelchair to the ramp: the airline does not show it, but VGML vegetarian meal',
      ],
      [
        [line({ travelerRefs: ['1'] })],
        'passenger 2 has no confirmed WCHR wheelchair to the ramp: the airline does not show it',
      ],
      [
        [line({ segmentRefs: ['2'] })],
        'passenger 2 has no confirmed WCHR wheelchair to the ramp on HHR101: the airline does not show it',
      ],
      [[line({ status: 'UN' })], 'passenger 2 has no confirmed WCHR wheelchair to the ramp: refused by the airline'],
      [[line({ quantity: 1 })], undefined],
      [[line({ quantity: 0 })], 'passenger 2 has 0 × WCHR wheelchair to the ramp, not 1'],
      [[line({ quantity: 2 })], 'passenger 2 has 2 × WCHR wheelchair to the ramp, not 1'],
      [[line({ quantity: 2, travelerRefs: ['1', '2'] })], undefined],
      [
        [line({ quantity: 2, segmentRefs: ['1'] }), line({ segmentRefs: ['2'] })],
        'passenger 2 has 2 × WCHR wheelchair to the ramp on HHR101, not 1',
      ],
      [
        [line({ status: 'HN', segmentRefs: ['1'] }), line({ segmentRefs: ['2'] })],
        'passenger 2 has no confirmed WCHR wheelchair to the ramp on HHR101: requested; the airline has not confirmed it yet',
      ],
      [
        [line({ travelerRefs: ['62'] })],
        undefined,
        {
          travelers: [
            { ...OMAR, ref: '62' },
            { ...AMAL, ref: '61' },
          ],
        },
      ],
      [[], undefined, flights({ statusCode: '16' }, { statusCode: '16' })],
    ];

  const CASES = TOLD.map(([services, told, over = {}]) => [told ?? 'nothing', services, over] as const);
  test.each(CASES)('%s: %j', (told, services, over) => {
    const { text } = tell({ services, ...over }, { offer: ASKED });
    expect(text?.startsWith('flight') === true ? 'nothing' : (text ?? 'nothing')).toBe(told);
  });

  test('none is compared where no party, no offer or nothing to read the digests with is kept', () => {
    expect(tell({ services: [] }, { offer: { ...ASKED, party: undefined } }).text).toMatch(/no confirmed WCHR/);
    expect(heldDifferences({ offer: ASKED, layers: [] }, hold(), NOW)).toEqual([]);
  });

  test('is found where two names are exchanged, and is none where the airline numbers its passengers anew', () => {
    const person = (ref: string, { name }: Traveler) => bareTraveler(ref, { name, segmentRefs: ['1', '2'] });
    const two = { travelers: [person('1', AMAL), person('2', OMAR)], contact: CONTACT };
    const layers = [{ people: askedPeople(two, digest), digest }];
    const offer = { ...ASKED, party: { ADT: 2 } };
    const anew = { travelers: [person('1', OMAR), person('2', AMAL)] };
    const missing = 'passenger 1 has no confirmed WCHR wheelchair to the ramp: the airline does not show it';
    expect(tell({ ...two, services: [line({})] }, { offer, layers }).text).toBeUndefined();
    expect(tell({ ...anew, services: [line({})] }, { offer, layers }).text).toBe(missing);
    expect(tell({ ...anew, services: [line({ travelerRefs: ['1'] })] }, { offer, layers }).text).toBeUndefined();
  });
});

describe('a difference of services that an act of ours added', () => {
  const line = (over: Partial<Booking['services'][number]> = {}) => ({
    ...{ code: 'WCHR', status: 'HK', travelerRefs: ['2'], segmentRefs: ['1', '2'] },
    ...over,
  });
  const FLIGHTS = [OUT, BACK].flatMap(({ segments }) => segments.map((flight) => ({ flight: flightKey(flight) })));
  const adds = (over: Partial<AddedToHold> = {}, of: Traveler = OMAR, code = 'WCHR'): AddedToHold => {
    const who = { travelerRef: of.ref, who: digest(identityText(of)), ...over };
    return { ...who, service: digest(addedService(who, code)), on: FLIGHTS, ...over };
  };
  const ADDED = [adds()];
  const MISSING = 'passenger 2 has no confirmed WCHR wheelchair to the ramp: the airline does not show it';
  const unnamed = (ref: string) => bareTraveler(ref);
  const told = (services: Booking['services'], over: Partial<Booking> = {}, options: Case = {}) =>
    tell({ services, ...over }, { offer: undefined, layers: [], added: ADDED, ...options }).text;

  test('names each flight', () => {
    expect(told([line()])).toBeUndefined();
    expect(told([])).toBe(MISSING);
    expect(told([line({ travelerRefs: ['1'] })])).toBe(MISSING);
    expect(told([line({ quantity: 2 })])).toBe('passenger 2 has 2 × WCHR wheelchair to the ramp, not 1');
    expect(told([line({ quantity: 2 })], {}, { added: [adds(), adds()] })).toBeUndefined();
    expect(told([line({ code: 'VGML' })])).toBe(`${MISSING}, but VGML vegetarian meal`);
    expect(told([line({ segmentRefs: ['2'] })])).toBe(MISSING.replace(':', ' on HHR101:'));
    expect(told([line({ status: 'UN' })])).toBe(MISSING.replace(/the airline.*/, 'refused by the airline'));
    expect(told([], {}, { added: [adds({ on: FLIGHTS.slice(0, 1) })] })).toBe(MISSING);
    expect(told([line({ segmentRefs: ['1'] })], {}, { added: [adds({ on: FLIGHTS.slice(0, 1) })] })).toBeUndefined();
  });

  test('is none of what nobody knows, and of a flight that is not held or does not run', () => {
    expect(told([], {}, { added: [adds({ service: 'of an unknown code' })] })).toBeUndefined();
    expect(heldDifferences({ layers: [], added: ADDED }, hold({ services: [] }), NOW)).toEqual([]);
    expect(told([line({ segmentRefs: ['2'] })], flights({ from: 'RUH' }))).toBeUndefined();
    expect(told([line({ segmentRefs: ['2'] })], flights({ to: 'RUH' }))).toBeUndefined();
    expect(told([line({ segmentRefs: ['2'] })], flights({ flightNumber: '9' }))).toBeUndefined();
    expect(told([line({ segmentRefs: ['2'] })], flights({ statusCode: '16' }))).toBeUndefined();
    const oneDayLater = option(segment('7', { departs: '2026-12-02T08:00:00.000+03:00' }));
    expect(told([line()], { options: [oneDayLater, OUT, BACK] })).toBeUndefined();
  });

  test('is looked for by the name of the passenger, else by the pointer', () => {
    const renumbered = {
      travelers: [
        { ...OMAR, ref: '7' },
        { ...AMAL, ref: '2' },
      ],
    };
    expect(told([line({ travelerRefs: ['7'] })], renumbered)).toBeUndefined();
    expect(told([line()], renumbered)).toBe(MISSING.replace('2', '7'));
    expect(told([line()], people({}, { name: personName('Sara', 'Haddad') }))).toBeUndefined();
    const twins = { travelers: [OMAR, { ...OMAR, ref: '3' }] };
    expect(told([line()], twins)).toBeUndefined();
    expect(told([], { travelers: [AMAL] })).toBeUndefined();
    // A group of which one person has a name meanwhile.
    const group = [adds({}, unnamed('2'))];
    const named = { travelers: [unnamed('1'), { ...AMAL, ref: '2' }] };
    expect(told([line()], named, { added: group })).toBeUndefined();
    expect(told([line({ travelerRefs: ['1'] })], named, { added: group })).toBe(MISSING);
    expect(told([line()], {}, { added: [adds({ who: '' })] })).toBeUndefined();
  });

  test('stands once, whoever asked for it how often', () => {
    const twice = [adds({ on: FLIGHTS.slice(0, 1) }), adds({ on: FLIGHTS.slice(1) }), adds()];
    expect(told([], {}, { added: twice })).toBe(MISSING);
    const offer = { ...OFFER, services: [digest(askedService('2', 'WCHR'))] };
    expect(told([], {}, { added: twice, offer })).toBe(MISSING);
    const meal = [...ADDED, adds({}, OMAR, 'VGML')];
    expect(told([line({ code: 'VGML' })], {}, { added: meal, offer })).toBe(MISSING);
    expect(told([line({ code: 'VGML', travelerRefs: ['1'] }), line()], {}, { added: meal })).toBe(
      MISSING.replace('WCHR wheelchair to the ramp', 'VGML vegetarian meal'),
    );
  });
});

test('a rule that was in force when a hold was made is the same, whenever the airline says that it began', () => {
  const since = (from: string): Partial<Booking> => ({
    pricing: pricing(69000, { fares: faresOf({ refundRules: [rule({ from })] }) }),
  });
  const first = firstSaid(hold(since('2026-11-28T09:00:00Z')), NOW);
  expect(tell(since('2026-11-29T00:00:00Z'), { first, offer: undefined }).text).toBeUndefined();
  expect(tell(since('2026-11-30T00:00:00Z'), { first, offer: undefined }).text).toMatch(/refund rule/);
});

test('a reply lists all of the offer with every flight and every traveller', () => {
  expect(listsAllOf(OFFER, hold())).toBe(true);
  expect(listsAllOf({ segments: [] }, hold())).toBe(true);
  for (const over of [{ options: [OUT] }, { travelers: [AMAL] }, { travelers: [] }])
    expect(listsAllOf(OFFER, hold(over))).toBe(false);
});
