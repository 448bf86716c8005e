/** search_fares with instead_of: what the change of a booked segment costs, before anybody is asked. */
import { describe, expect, test } from 'vitest';
import {
  BACK,
  fare,
  faresOf,
  held,
  OUT,
  option,
  permitting,
  price,
  pricing,
  row,
  rule,
  sar,
  segment,
  ticketed,
} from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import {
  type Airline,
  type Booking,
  callsOf,
  type DeskOptions,
  expectRefusals,
  expectTexts,
  offer,
  placeName,
} from './support/desk.ts';

type Found = Awaited<ReturnType<Airline['searchFares']>>;
type Trains = ReturnType<typeof segment>[];

const calls = callsOf('search_fares', { instead_of: { locator: 'ABC123', segment_ref: '1' } });
const train = (flightNumber: string, bookingClass: string, times: object = {}) =>
  segment('7', {
    ...{ flightNumber, operating: { carrier: 'HHR', number: flightNumber }, statusCode: '34' },
    ...{ bookingClass, fareBasis: `${bookingClass}OW` },
    ...{ departs: '2026-12-02T12:00:00.000+03:00', arrives: '2026-12-02T14:10:00.000+03:00', ...times },
  });
const [NOON, EVENING] = [train('105', 'C'), train('109', 'Y')];
const [OWN = NOON] = OUT.segments;
const [HOME = NOON] = BACK.segments;
/** The airline's words of the rule. */
const PENALTY = [{ says: 'Refund with a penalty.' }];
const FEE = faresOf({ changeRules: [rule({ base: sar(4000), texts: [] })], refundRules: [rule({ base: sar(4000) })] });
/** 345.00 was paid for each of the two legs. */
const perType = ['1', '2'].map((ref) => row('ADT', 1, sar(34500), { segmentRefs: [ref] }));
const changeable = (over: Partial<Booking> = {}) =>
  ticketed({ pricing: pricing(69000, { fares: FEE, perType }), ...over });
const at = (minor: number, ...trains: Trains) =>
  offer({ options: [option(...trains)], pricing: pricing(minor, { perType: [] }) });
const sells = (offers: ReturnType<typeof offer>[], over: DeskOptions = {}): DeskOptions => {
  const found: Found = { form: 'itineraries', offers };
  return { ...over, airline: { placeName, searchFares: async () => found, ...over.airline } };
};
const BOTH = [at(50000, NOON), at(30000, EVENING)];
/** What each offer says of the change, with what all of them share. */
async function changes(booking: Booking, options: DeskOptions, args: object = {}) {
  const { view, desk, text } = await calls.read(booking, args, options);
  const told = view.offers.map(({ total, change }: { total: string; change?: object }) => ({
    total,
    ...view.common?.change,
    ...change,
  }));
  return { told, desk, text, view };
}

test('says of each offer what the rule and the dearest fare of its class come to, the least first', async () => {
  const dearer = at(32000, { ...EVENING, fareBasis: 'YFLEX' });
  const { told, desk } = await changes(changeable(), sells([...BOTH, dearer]));
  const change = '1 adult × SAR 46.00 = SAR 46.00, tax included.';
  expect(told).toEqual([
    { total: '300.00', pays_at_most: '46.00', gets_back_at_most: '45.00', rule: change },
    { total: '320.00', pays_at_most: '46.00', gets_back_at_most: '45.00', rule: change },
    { total: '500.00', pays_at_most: '201.00', gets_back_at_most: '0.00', rule: change },
  ]);
  expect(desk.methods()).toEqual(['read', 'searchFares']);
});

test('quotes what the airline says of a change beside the sum', async () => {
  const says = 'Another cabin on the same flight is permitted, another flight is not.';
  const changeRules = [rule({ base: sar(0), vatHundredths: 0, texts: [{ locale: 'en', text: says }] })];
  const booking = changeable({ pricing: pricing(69000, { fares: faresOf({ changeRules }), perType }) });
  const { told, text } = await changes(booking, sells([at(30000, EVENING)]));
  expect(told).toMatchObject([{ pays_at_most: '0.00', airline_says: [says] }]);
  expect(text).toContain(`The airline says: “${says}”`);
});

test('asks the airline twice, for all fares of the leg, whatever else is wanted', async () => {
  const options = sells([at(30000, EVENING)], { settings: { dialect: 'airline' } });
  const days = { legs: [{ date: '2026-12-04', days_before: 1, days_after: 2 }] };
  for (const args of [{}, { detail: 'full' }, { max_results: 1, ...days }]) {
    const { desk } = await calls.read(changeable(), args, options);
    expect(desk.asked.map(([method]) => method)).toEqual(['read', 'searchFares']);
    const [, query] = desk.asked[1] ?? [];
    expect(query).toMatchObject({ most: undefined, passengers: { adults: 1, children: 0, infants: 0 } });
  }
  const none = await calls.refused(changeable(), {}, sells([]));
  expect(none.words).toMatch(/^E_NO_AVAILABILITY The airline offers nothing for Madinah \(MED\)/);
  expect(none.desk.asked.map(([method]) => method)).toEqual(['read', 'searchFares']);
});

test('takes party, stations and day from the booking', async () => {
  const args = { instead_of: { locator: 'abc123', segment_ref: '2' } };
  const back = train('209', 'Y', {
    ...{ from: 'JED', to: 'MED' },
    ...{ departs: '2026-12-05T20:00:00.000+03:00', arrives: '2026-12-05T22:10:00.000+03:00' },
  });
  const party = [traveler('1', 'A', 'B'), traveler('2', 'C', 'D', { type: 'CHD', birthDate: '2019-01-01' })];
  const { desk, view } = await changes(changeable({ travelers: party }), sells([at(30000, back)]), args);
  expect(desk.asked[1]?.[1]).toMatchObject({
    legs: [{ from: 'JED', to: 'MED', date: '2026-12-05', daysBefore: 0, daysAfter: 0 }],
    passengers: { adults: 1, children: 1, infants: 0 },
  });
  expect(view.summary).toBe(
    '1 of 1 offers for 1 adult, 1 child in place of segment 2 (HHR202) of booking ABC123, least cost in all first.',
  );
  const given = { legs: [{ from: 'Madinah', to: 'jed', date: '2026-12-03' }], passengers: { adults: 1, children: 0 } };
  const same = await calls.read(changeable(), given, sells(BOTH));
  expect(same.desk.asked[1]?.[1]).toMatchObject({ legs: [{ from: 'MED', to: 'JED', date: '2026-12-03' }] });
});

test('is for the local day of a segment that the airline shows in UTC', async () => {
  const [out] = changeable().options;
  const segments = (out?.segments ?? []).map((segment) => ({
    ...segment,
    ...{ departs: '2026-12-01T22:30:00Z', arrives: '2026-12-02T00:40:00Z', journeyDate: '2026-12-02' },
  }));
  const inUtc = changeable({ options: [{ ...out, ref: out?.ref ?? '', segments }] });
  const { desk } = await changes(inUtc, sells(BOTH));
  expect(desk.asked[1]?.[1]).toMatchObject({ legs: [{ from: 'MED', to: 'JED', date: '2026-12-02' }] });
});

test('asks for each flight of a connection on its own local day', async () => {
  const booked = option(
    segment('1', { to: 'RUH' }),
    segment('2', { ...{ optionRef: '1', from: 'RUH', to: 'JED' }, departs: '2026-12-03T12:00:00.000+03:00' }),
  );
  const ofParts = ['1', '2'].flatMap((ref) => row('ADT', 1, sar(17250), { segmentRefs: [ref] }));
  const changedByRule = [
    ...[fare('1', 'MED', 'RUH', { changeRules: [rule({ base: sar(4000) })] })],
    ...[fare('2', 'RUH', 'JED', { changeRules: [rule({ base: sar(4000) })] })],
  ];
  const trip = changeable({ options: [booked], pricing: pricing(34500, { fares: changedByRule, perType: ofParts }) });
  const inUtc = { departs: '2026-12-01T22:30:00Z', arrives: '2026-12-02T00:40:00Z', journeyDate: '2026-12-02' };
  const later = { departs: '2026-12-02T23:00:00Z', arrives: '2026-12-03T00:40:00Z', journeyDate: '2026-12-03' };
  const offered = [at(40000, train('301', 'C', { ...inUtc, to: 'RUH' }), train('302', 'C', { ...later, from: 'RUH' }))];
  const { desk } = await changes(trip, sells(offered));
  const dates = desk.asked.flatMap(([method, query]) =>
    method === 'searchFares' ? (query as { legs: { from: string; to: string; date: string }[] }).legs : [],
  );
  expect(dates.slice(1)).toMatchObject([
    { from: 'MED', to: 'RUH', date: '2026-12-02' },
    { from: 'RUH', to: 'JED', date: '2026-12-03' },
  ]);
});

test('orders by time where that is asked for', async () => {
  const early = train('101', 'C', {
    departs: '2026-12-02T06:00:00.000+03:00',
    arrives: '2026-12-02T08:10:00.000+03:00',
  });
  const offers = sells([at(30000, EVENING), at(50000, early)]);
  const { told, view } = await changes(changeable(), offers, { order_by: 'departure' });
  expect(told.map(({ total }: { total: string }) => total)).toEqual(['500.00', '300.00']);
  expect(view.summary).toContain(', earliest first.');
});

test('does not exchange the flight for one on which a passenger is no child any more', async () => {
  const boy = traveler('2', 'Omar', 'Haddad', { type: 'CHD', birthDate: '2014-12-02' });
  const family = changeable({ travelers: [traveler('1', 'Amal', 'Haddad'), boy] });
  const { told, desk } = await changes(family, sells([at(60000, EVENING)]));
  expect(desk.asked[1]?.[1]).toMatchObject({ passengers: { adults: 1, children: 1, infants: 0 } });
  expect(told).toMatchObject([{ not_rebooked: 'passenger 2 is no CHD any more on 2026-12-02' }]);
});

describe('where no sum of a rebooking is known', () => {
  const noRule = faresOf({ refundRules: [rule({ base: sar(4000) })] });
  const barred = faresOf({
    changeRules: [rule({ refundable: false, base: sar(0), texts: [] })],
    refundRules: [rule({ base: sar(4000) })],
  });
  const only = (fares: typeof FEE) => changeable({ pricing: pricing(69000, { fares, perType }) });
  const ANEW = { gets_back: '299.00', costs_at_most: '1.00', refund_condition: PENALTY };

  test.each<[string, Booking, DeskOptions, object]>([
    ['no rule', only(noRule), {}, { rule: 'The airline sent no rule for changing this flight.' }],
    ['a rule that permits none', only(barred), {}, { rule: '1 adult: no change permitted.' }],
    ['a dialect without it', changeable(), { settings: { assumedOperations: false } }, { not_rebooked: 'not offered' }],
    [
      'a segment that is not permitted',
      permitting(changeable(), ['3', '10']),
      {},
      { not_rebooked: 'the airline does not permit another flight for segment 1' },
    ],
  ])('says so for %s, and what a new booking costs with the old one cancelled', async (_what, booking, over, why) => {
    const { told } = await changes(booking, sells([at(30000, EVENING)], over));
    expect(told).toEqual([{ total: '300.00', ...why, anew: ANEW }]);
    const quoted = callsOf('quote_cancellation', { locator: 'ABC123', segment_refs: ['1'] });
    expect((await quoted.read(booking, {}, over)).view.refund_now).toBe(ANEW.gets_back);
  });

  test('says it of a connection, of a train that does not fit in, and of the train that is booked', async () => {
    const late = train('111', 'Y', {
      departs: '2026-12-05T16:00:00.000+03:00',
      arrives: '2026-12-05T18:10:00.000+03:00',
    });
    const [first, then] = [
      { ...EVENING, to: 'RUH' },
      { ...HOME, from: 'RUH', to: 'JED' },
    ];
    const offers = [at(28000, first, then), at(30000, EVENING), at(29000, late), at(34500, { ...OWN, ref: '9' })];
    const { told } = await changes(changeable(), sells(offers));
    expect(told.map(({ total: _, ...change }: { total: string }) => change)).toEqual([
      {
        not_rebooked: 'this is a connection, and the airline exchanges single segments',
        anew: { gets_back: '299.00', costs_at_most: '-19.00', refund_condition: PENALTY },
      },
      {
        not_rebooked: 'it arrives after segment 2 departs',
        anew: { gets_back: '299.00', costs_at_most: '-9.00', refund_condition: PENALTY },
      },
      { rule: '1 adult × SAR 46.00 = SAR 46.00, tax included.', pays_at_most: '46.00', gets_back_at_most: '45.00' },
      { not_rebooked: 'segment 1 has this number, day and class already' },
    ]);
  });

  test.each([
    ['HL', 'waitlisted (HL)'],
    ['US', 'waitlisted (US)'],
  ])('gives up no confirmed train for one that the airline sends as %s', async (statusCode, words) => {
    const { told, view } = await changes(changeable(), sells([at(30000, { ...EVENING, statusCode })]));
    expect(told[0].not_rebooked).toBe(
      `the airline sends it as ${words}, and a confirmed flight would be given up for it`,
    );
    expect(view.common?.notes ?? view.offers[0].notes).toEqual([
      `The airline sends HHR109 as ${words}: it may not confirm it.`,
    ]);
  });

  test('gives one up for a train whose code is not known, and says so', async () => {
    const { told, view } = await changes(changeable(), sells([at(30000, { ...EVENING, statusCode: 'QQ' })]));
    expect(told[0].not_rebooked).toBeUndefined();
    expect(view.common?.notes ?? view.offers[0].notes).toEqual([
      'The airline sends HHR109 as unknown (QQ): it may not confirm it.',
    ]);
  });

  test('searches for all of a booked connection, which is cancelled as a whole', async () => {
    const connection = option(segment('1', { to: 'RUH' }), segment('2', { optionRef: '1', from: 'RUH', to: 'JED' }));
    const { told, desk } = await changes(changeable({ options: [connection] }), sells([at(30000, EVENING)]));
    expect(desk.asked[1]?.[1]).toMatchObject({ legs: [{ from: 'MED', to: 'JED' }] });
    expect(told[0].not_rebooked).toBe('segments 1+2 are one connection, and this offer does not have their stations');
  });

  test('gives limits of what comes back, a reason why a sum is missing, or nothing for an unpaid hold', async () => {
    const bounds = await changes(ticketed(), sells([at(30000, EVENING)]));
    expect(bounds.told[0].anew.between).toEqual({ at_least: '0.00', at_most: '517.50' });
    const late = changeable({
      pricing: pricing(69000, { fares: faresOf({ cancelUntil: '2026-11-01T00:00:00Z' }), perType }),
    });
    expect((await changes(late, sells([at(30000, EVENING)]))).told[0].anew).toMatchObject({
      note: expect.stringMatching(/^the old one cannot be cancelled here: the time limit for cancelling passed/),
      costs_at_most: '300.00',
    });
    const unpaid = await changes(held(), sells([at(30000, EVENING)]));
    expect(unpaid.told[0]).toMatchObject({
      not_rebooked: 'it is not paid yet',
      anew: { gets_back: '0.00', costs_at_most: '300.00' },
    });
    expect(unpaid.view.next).toBe('Release it with cancel_booking, and make another with create_booking.');
  });

  test('says that a refund is on a condition where the new price is in another currency, too', async () => {
    const refundRules = [rule({ until: '2026-12-05T15:00:00Z', texts: [{ locale: 'en', text: 'To members only' }] })];
    const booking = ticketed({
      pricing: pricing(69000, { fares: faresOf({ changeRules: [], refundRules }), perType }),
    });
    const euros = pricing(30000, { total: price({ minor: 30000, currency: 'EUR' }), perType: [] });
    const { told } = await changes(booking, sells([offer({ options: [option(EVENING)], pricing: euros })]));
    expect(told[0].anew).toMatchObject({
      refund_condition: [{ says: 'To members only' }],
      note: expect.stringMatching(/ comes back, on a condition$/),
    });
  });

  test("quotes the airline's words where the rules are only text", async () => {
    const fareRules = [{ text: 'Changes at the *desk* only' }];
    const words = ticketed({ options: [option({ ...OWN, fareRules }), BACK] });
    const { told, text } = await changes(words, sells([at(30000, EVENING)]));
    expect(told[0].rule).toBe('The airline sent the rules of this flight as text only.');
    expect(told[0].airline_says).toEqual(['Changes at the desk only']);
    expect(text).toContain('The airline says: “Changes at the desk only”');
  });
});

test('reads well as text', async () => {
  const [first, then] = [
    { ...EVENING, to: 'RUH' },
    { ...HOME, from: 'RUH', to: 'JED' },
  ];
  await expectTexts('search_instead', {
    'Two trains, a cheaper one and a dearer one': calls.read(changeable(), {}, sells(BOTH)),
    'A connection beside them': calls.read(changeable(), {}, sells([...BOTH, at(28000, first, then)])),
    'No change rule, and no rows of prices': calls.read(ticketed(), {}, sells(BOTH)),
    'An unpaid hold': calls.read(held(), {}, sells(BOTH)),
  });
});

test('refuses by name what contradicts the booking, and a segment that nothing can replace', async () => {
  const refused = (args: object, booking = changeable(), over?: DeskOptions) =>
    calls.refused(booking, args, sells(BOTH, over));
  const legs = [{ from: 'MED', to: 'JED', date: '2026-12-03' }];
  await expectRefusals('search_instead', {
    'another station': refused({ legs: [{ from: 'RUH', to: 'Riyadh', date: '2026-12-03' }] }),
    'two legs': refused({ legs: [...legs, ...legs] }),
    'another party': refused({ passengers: { adults: 2, infants: 1 } }),
    'a day that is past': refused({ legs: [{ date: '2026-01-03' }] }),
    'another segment than the booking has': refused({ instead_of: { locator: 'ABC123', segment_ref: '8' } }),
    'another booking': refused({ instead_of: { locator: 'NONE99', segment_ref: '1' } }),
    'a train that has departed': refused({}, changeable(), { now: Date.parse('2026-12-02T00:00:00Z') }),
    'a cancelled booking': refused({}, changeable({ cancelled: true })),
  });
  const desk = (await refused({ legs: [...legs, ...legs] })).desk;
  expect(desk.methods()).toEqual(['read']);
});

test('needs legs and passengers without instead_of', async () => {
  const plain = callsOf('search_fares', {});
  const both = await plain.refused(changeable(), {}, sells(BOTH));
  expect(both.words).toBe(
    'E_INPUT legs: is required (a list of objects with from, to, date). passengers: is required (an object with adults, children, infants). Nothing was sent.',
  );
  const half = await plain.refused(
    changeable(),
    { legs: [{ date: '2026-12-03' }], passengers: { adults: 1 } },
    sells(BOTH),
  );
  expect(half.message).toMatch(/^legs\[0\]\.from: is required \(text\)\. legs\[0\]\.to: is required \(text\)\./);
});

describe('stations of the booking', () => {
  const there = [segment('1', { to: 'RUH' }), segment('2', { optionRef: '1', from: 'RUH', to: 'JED' })];

  test('are taken by code and by the name that readings show, without a list', async () => {
    for (const from of ['med', 'madinah']) {
      const { desk } = await calls.read(changeable(), { legs: [{ from, to: 'JED' }] }, sells([at(30000, EVENING)]));
      expect(desk.methods()).toEqual(['read', 'searchFares']);
    }
  });

  test('another place is refused with all segments of the connection', async () => {
    const connection = changeable({ options: [option(...there)] });
    const { words } = await calls.refused(connection, { legs: [{ from: 'Jeddah', to: 'JED' }] }, sells([]));
    expect(words).toContain('legs[0].from: expected MED, as segments 1, 2 have it, or none');
  });
});

describe('a boy who is twelve on 2 December', () => {
  const boy = traveler('2', 'Omar', 'Haddad', { type: 'CHD', birthDate: '2014-12-02' });
  const rows = ['1', '2'].flatMap((ref) =>
    ['ADT', 'CHD'].map((type) => row(type, 1, sar(17250), { segmentRefs: [ref] })),
  );
  const family = changeable({
    travelers: [traveler('1', 'Amal', 'Haddad'), boy],
    pricing: pricing(69000, {
      fares: faresOf({ refundRules: [rule({ base: sar(1000), passengerType: '' })], changeRules: [] }),
      perType: rows,
    }),
  });
  const next = { departs: '2026-12-01T20:00:00.000+03:00', arrives: '2026-12-01T22:10:00.000+03:00' };
  const on = (legs: object, passengers?: object) =>
    changes(family, sells([at(60000, EVENING), at(50000, train('111', 'Y', next))]), { legs: [legs], passengers });
  const party = ({ desk }: Awaited<ReturnType<typeof on>>) =>
    (desk.asked[1]?.[1] as { passengers: object } | undefined)?.passengers;
  const costing = ({ told }: Awaited<ReturnType<typeof on>>, wanted: string) =>
    told.find(({ total }: { total: string }) => total === wanted);

  test('is priced as an adult then, and as a child before, with the booked or the corrected party as an argument', async () => {
    const then = await on({ date: '2026-12-02' });
    expect(party(then)).toEqual({ adults: 2, children: 0, infants: 0 });
    expect(costing(then, '600.00')).toMatchObject({
      not_rebooked: 'passenger 2 is no CHD any more on 2026-12-02',
      anew: { gets_back: '322.00', costs_at_most: '278.00' },
    });
    expect(then.view.summary).toContain(' offers for 2 adults in place of segment 1');
    expect(party(await on({ date: '2026-12-01' }))).toEqual({ adults: 1, children: 1, infants: 0 });

    for (const passengers of [{ adults: 2 }, { adults: 2, children: 0 }, { adults: 1, children: 1 }])
      expect(party(await on({ date: '2026-12-02' }, passengers))).toEqual({ adults: 2, children: 0, infants: 0 });
    const args = { legs: [{ date: '2026-12-02' }], passengers: { adults: 3 } };
    const { words } = await calls.refused(family, args, sells(BOTH));
    expect(words).toContain(
      'passengers.adults: expected 1, the party of booking ABC123, or 2, by their ages then, or none',
    );
  });

  test('has no sum of a new booking where the days of the search are on both sides of the birthday', async () => {
    const both = await on({ date: '2026-12-02', days_before: 1 });
    expect(party(both)).toEqual({ adults: 1, children: 1, infants: 0 });
    expect(costing(both, '500.00').anew).toMatchObject({ gets_back: '322.00', costs_at_most: '178.00' });
    expect(costing(both, '600.00').anew).toEqual({
      note: 'priced for the passengers as booked; search for that day alone to price them by their age then',
    });
  });

  test('keeps a type that ages do not decide', async () => {
    const youth = { ...family, travelers: [traveler('1', 'Amal', 'Haddad'), { ...boy, type: 'YTH' }] };
    const asBooked = await changes(youth, sells([at(60000, EVENING)]), { legs: [{ date: '2026-12-02' }] });
    expect(party(asBooked)).toEqual({ adults: 1, children: 0, infants: 0 });
  });
});

describe('a booking in business', () => {
  const business = (bookingClass = 'C') => changeable({ options: [option({ ...OWN, bookingClass }), BACK] });
  const early = train('101', 'Y', {
    departs: '2026-12-02T06:00:00.000+03:00',
    arrives: '2026-12-02T08:10:00.000+03:00',
  });
  const totals = ({ told }: Awaited<ReturnType<typeof changes>>) => told.map(({ total }: { total: string }) => total);

  test('has offers in business first, a lower cabin says so, and none is left out', async () => {
    const found = await changes(business(), sells([at(20000, early), ...BOTH]));
    expect(totals(found)).toEqual(['500.00', '200.00', '300.00']);
    expect(found.told.map(({ lower_cabin }: { lower_cabin?: string }) => lower_cabin)).toEqual([
      undefined,
      'economy, booked in business',
      'economy, booked in business',
    ]);
    expect(found.text.match(/LOWER CABIN: economy, booked in business/g)).toHaveLength(2);
    expect(found.view.summary).toMatch(/^3 of 3 .*, least cost in all first, lower cabins than the booked one last\.$/);
    const byTime = await changes(business('J'), sells([at(20000, early), ...BOTH]), { order_by: 'departure' });
    expect(totals(byTime)).toEqual(['500.00', '200.00', '300.00']);
    // An earlier one is not listed, and the summary does not hide it.
    const first = await changes(business(), sells([at(20000, early), ...BOTH]), {
      order_by: 'departure',
      max_results: 1,
    });
    expect(totals(first)).toEqual(['500.00']);
    expect(first.view.summary).toMatch(/^1 of 3 .*, earliest first, lower cabins than the booked one last\.$/);
  });

  test('says nothing of cabins where they are equal, higher, or not known', async () => {
    for (const booking of [business('Y'), business('A')]) {
      const found = await changes(booking, sells(BOTH));
      expect([totals(found), found.text.includes('CABIN')]).toEqual([['300.00', '500.00'], false]);
    }
  });
});

describe('a fare of which nothing comes back', () => {
  const lost = (over: Partial<Booking> = {}, texts: ReturnType<typeof rule>['texts'] = []) => {
    const fares = faresOf({
      changeRules: [],
      refundRules: [rule({ refundable: false, until: '2026-12-05T15:00:00Z', texts })],
    });
    return ticketed({ pricing: pricing(69000, { fares, perType }), ...over });
  };

  test('says that nothing comes back beside each price, and does not advise to cancel it', async () => {
    const { told, view } = await changes(lost(), sells(BOTH));
    expect(told).toMatchObject([
      { anew: { gets_back: '0.00', costs_at_most: '300.00' } },
      { anew: { gets_back: '0.00' } },
    ]);
    expect(view.next).toBe(
      'Ask the person: only a new booking can be made, at its whole price. Nothing comes back of the old one.',
    );
    // An offer that cannot be booked anew decides nothing.
    const withOwn = await changes(lost(), sells([...BOTH, at(30000, { ...EVENING, ...OWN, bookingClass: 'Y' })]));
    expect(withOwn.view.next).toBe(view.next);
  });

  test('does not advise to cancel it where the airline has words beside the rule, either', async () => {
    const inWords = lost({}, [{ locale: 'en', text: 'See the conditions of carriage.' }]);
    const { view } = await changes(inWords, sells(BOTH));
    expect(view.next).toBe(
      "Ask the person: only a new booking can be made, at its whole price. By its rule nothing comes back of the old one; the airline's condition is beside each price.",
    );
  });

  test('that can no longer be cancelled here is not advised to be cancelled, either', async () => {
    const fares = faresOf({ cancelUntil: '2026-11-01T00:00:00Z' });
    const { view } = await changes(lost({ pricing: pricing(69000, { fares, perType }) }), sells(BOTH));
    expect(view.next).toMatch(/at its whole price\. The old one cannot be cancelled here\.$/);
  });

  test('has its end said without a second “nothing comes back”, in the question too', async () => {
    const { text } = await callsOf('cancel_booking').ask(lost());
    expect(text.match(/nothing comes back/gi)).toHaveLength(1);
    expect(text).toContain('Estimated; the airline decides.');
    expect(text).toMatch(/It can be cancelled until [^;]+\)\.\n/);
    const { text: quote } = await callsOf('quote_cancellation').read(lost());
    expect(quote.match(/nothing comes back/gi)).toHaveLength(1);
  });
});
