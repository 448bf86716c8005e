import { describe, expect, test } from 'vitest';
import type { FareComponent } from '../../src/domain/pricing/fare.ts';
import type { FareSearchResult, Offer } from '../../src/domain/pricing/fare-search.ts';
import { searchFares } from '../../src/tools/search-fares.ts';
import { BACK, fare, NOW, OUT, option, price, row, rule, sar, segment } from '../support/bookings.ts';
import { inputProblems, offer, openDesk, parsed, refusedWith } from './support/tool-context.ts';

const CHILD_ALONE = 'A child must travel with an adult: the airline sells no ticket for a child alone.';
const LEG = { from: 'med', to: 'JED', date: '2026-12-01' };
const ARGS = { legs: [LEG], passengers: { adults: 1 } };

function result(over: Partial<FareSearchResult> = {}): FareSearchResult {
  return { form: 'itineraries', offers: [offer()], soldOut: [], ...over };
}

async function search(found: FareSearchResult, args: object = ARGS, settings = {}) {
  const desk = openDesk({ airline: { searchFares: async () => found }, settings });
  const given = parsed(searchFares, args);
  const output = searchFares.output().parse(await searchFares.run(given, desk.ctx));
  return { desk, output, text: searchFares.text(output, given) };
}

const cheap = (minor: number, over: Partial<Offer> = {}) =>
  offer({
    pricing: { total: price(sar(minor)), refunds: [], fares: [], perType: [row('ADT', 1, sar(minor))] },
    ...over,
  });

describe('search_fares', () => {
  test('searches with codes in upper case and returns offers with handles', async () => {
    const full = offer({
      options: [OUT, BACK],
      notes: ['Bring your *passport*'],
      pricing: {
        total: price(sar(69000), {
          base: sar(60000),
          taxes: sar(8000),
          fees: sar(1000),
          lines: [{ kind: 'tax', code: 'VAT', amount: sar(8000), vatHundredths: 1500 }],
        }),
        refunds: [],
        fares: [fare('1', 'MED', 'JED'), fare('2', 'JED', 'MED')],
        perType: [row('ADT', 1, sar(69000))],
        quoteId: 'Q1',
      },
    });
    const args = {
      legs: [LEG, { from: 'JED', to: 'MED', date: '2026-12-05', days_after: 1 }],
      passengers: { adults: 1 },
    };
    const { output, text, desk } = await search(result({ offers: [full] }), { ...args, detail: 'full' });
    expect(desk.asked[0]?.[1]).toEqual({
      legs: [
        { from: 'MED', to: 'JED', date: '2026-12-01', daysBefore: 0, daysAfter: 0 },
        { from: 'JED', to: 'MED', date: '2026-12-05', daysBefore: 0, daysAfter: 1 },
      ],
      passengers: { adults: 1, children: 0, infants: 0 },
      bookingClasses: [],
      includeSoldOut: false,
      most: 10,
    });
    expect(output).toMatchObject({
      currency: 'SAR',
      searched_at: '2026-11-29T05:00:00Z',
      total_found: 1,
      sold_out: [],
      offers: [
        {
          offer_id: 'o000001',
          total: '690.00',
          base: '600.00',
          taxes: '80.00',
          fees: '10.00',
          per_type: [{ type: 'ADT', count: 1, total: '690.00' }],
          legs: [
            {
              from: 'MED',
              to: 'JED',
              departs: '2026-12-01T08:00:00.000+03:00',
              duration_minutes: 130,
              segments: [{ ref: '1', flight: 'HHR101', class: 'Y' }],
            },
            { from: 'JED', to: 'MED', segments: [{ ref: '2', flight: 'HHR202' }] },
          ],
          fare_basis: ['YOW'],
          refundable: true,
          refund_note: 'Keeps SAR 172.50 per person and segment, tax included, until Mon 30 Nov 08:00 (UTC+3)',
          baggage: '1 PC',
          pay_by: '2026-11-29T05:25:00Z',
          cancel_until: '2026-12-01T02:00:00Z',
          names_until: '2026-11-30T00:00:00Z',
          quote_id: 'Q1',
          notes: ['Bring your passport'],
          price_lines: [{ kind: 'tax', code: 'VAT', amount: '80.00', vat: '15' }],
        },
      ],
    });
    const { options, pricing } = full;
    expect(desk.shelf.get('o000001')).toMatchObject({
      offer: { options, pricing: { total: { total: pricing.total?.total } } },
      passengers: { adults: 1 },
      shownAt: NOW,
    });
    expect(text).toContain('o000001  690.00  HHR101 Tue 1 Dec 08:00-10:10 (2h10) class Y');
    expect(text).toContain('    then HHR202 Sat 5 Dec 18:00-20:10 (2h10) class Y');
  });

  test('stores the refund note only if the airline states a rule with the offer', async () => {
    const kept = async (fares: FareComponent[]) => {
      const pricing = { total: price(sar(34500)), refunds: [], fares, perType: [] };
      const desk = openDesk({ airline: { searchFares: async () => result({ offers: [offer({ pricing })] }) } });
      await searchFares.run(parsed(searchFares, { legs: [LEG], passengers: { adults: 1 } }), desk.ctx);
      return desk.shelf.get('o000001')?.refundNote;
    };
    expect(await kept([fare('1', 'MED', 'JED')])).toMatch(/^Keeps SAR 172\.50/);
    expect(await kept([fare('1', 'MED', 'JED', { refundRules: [] })])).toBeUndefined();
  });

  test('names intermediate stops in full detail', async () => {
    const stopping = option(segment('1', { stops: 1 }), segment('2', { stops: 0 }), segment('3', { stops: 2 }));
    const found = result({ offers: [offer({ options: [stopping], notes: ['Saver'] })] });
    const full = await search(found, { legs: [LEG], passengers: { adults: 1 }, detail: 'full' });
    expect(full.output.offers[0]?.notes).toEqual(['HHR101 stops once.', 'HHR101 stops 2 times.', 'Saver']);
    expect((await search(found)).output.offers[0]).not.toHaveProperty('notes');
  });

  test('shows remarks of the price as notes in full detail, once each', async () => {
    const pricing = { ...offer().pricing, total: price(sar(34500), { remarks: ['No *smoking*', 'Saver', ' '] }) };
    const found = result({ offers: [offer({ pricing, notes: ['Saver'] })] });
    expect((await search(found, { ...ARGS, detail: 'full' })).output.offers[0]?.notes).toEqual(['Saver', 'No smoking']);
    expect((await search(found)).output.offers[0]).not.toHaveProperty('notes');
  });

  test('leaves out notes and price lines in concise detail', async () => {
    const { output } = await search(result({ offers: [offer({ notes: ['long'] })] }));
    expect(output.offers[0]).not.toHaveProperty('notes');
    expect(output.offers[0]).not.toHaveProperty('price_lines');
  });

  test('counts offers that were not read', async () => {
    const { output, text } = await search(result({ offers: [cheap(10000)], unread: 41 }), { ...ARGS, max_results: 1 });
    expect(output.total_found).toBe(42);
    expect(text).toContain('1 of 42 offers');
  });

  test('lists the cheapest offers first, up to max_results, without offers that have no price', async () => {
    const unpriced = offer({ pricing: { refunds: [], fares: [], perType: [] } });
    const found = result({ offers: [cheap(30000), unpriced, cheap(10000), cheap(20000)] });
    const { output, desk } = await search(found, { ...ARGS, max_results: 2 });
    expect(output.offers.map((each) => each.total)).toEqual(['100.00', '200.00']);
    expect(output.total_found).toBe(3);
    expect(desk.shelf.size).toBe(2);
  });

  test('shows an availability record as one offer per leg, with UTC times and local dates', async () => {
    const bare = ({ operating: _, ...each }: ReturnType<typeof segment>) => each;
    const out = option(
      bare(
        segment('1', {
          departs: '2026-12-01T22:30:00Z',
          arrives: '2026-12-02T00:40:00Z',
          journeyDate: '2026-12-02',
          availability: [
            { bookingClass: 'C', quantity: '2' },
            { bookingClass: 'Y', quantity: '9+' },
          ],
        }),
      ),
    );
    const found: FareSearchResult = {
      form: 'availability',
      offers: [
        cheap(20000, { leg: 0, options: [out] }),
        cheap(21000, { leg: 0, options: [out] }),
        cheap(50000, { leg: 1, options: [BACK] }),
      ],
      soldOut: [
        {
          segment: segment('9', { flightNumber: '303', operating: { carrier: 'HHR', number: '303' } }),
          bookingClass: 'C',
        },
      ],
      validUntil: '2026-11-29T05:30:00Z',
    };
    const args = {
      legs: [LEG, { from: 'JED', to: 'MED', date: '2026-12-05' }],
      passengers: { adults: 1 },
      include_sold_out: true,
      max_results: 2,
    };
    const { output, text, desk } = await search(found, args);
    expect(output.offers.map((each) => [each.leg, each.total])).toEqual([
      [1, '200.00'],
      [2, '500.00'],
    ]);
    expect(output.offers[0]).toMatchObject({
      legs: [{ duration_minutes: 130, segments: [{ journey_date: '2026-12-02', seats_left: 9, flight: '101' }] }],
      refund: { known: false, text: 'Refund known once held; holding is free.' },
      notes: [expect.stringContaining('FARECLERK_CARRIER')],
    });
    expect(output.offers[0]).not.toHaveProperty('refundable');
    expect(output.offers[1]).not.toHaveProperty('notes');
    expect(output.sold_out).toMatchObject([{ flight: 'HHR303', class: 'C' }]);
    expect(output.valid_until).toBe('2026-11-29T05:30:00Z');
    expect(desk.shelf.get('o000001')?.validUntil).toBe('2026-11-29T05:30:00Z');
    expect(text).toContain(
      'leg 1: 101 Tue 1 Dec 22:30-00:40 Wed 2 Dec (UTC) (2h10) local date 2026-12-02 class Y fare YOW 9 seats left',
    );
    expect(text).toContain('one offer_id per leg');
    const known = await search(found, args, { carrier: 'HHR' });
    expect(known.output.offers[0]?.legs[0]?.segments[0]?.flight).toBe('HHR101');
    expect(known.output.offers[0]).not.toHaveProperty('notes');
  });

  test('names the stations and the zone once, and offers the split of a group of 11', async () => {
    const found = result({ offers: [cheap(20000), cheap(30000)] });
    const desk = openDesk({ airline: { searchFares: async () => found } });
    const args = parsed(searchFares, { ...ARGS, passengers: { adults: 2 } });
    const output = searchFares.output().parse(await searchFares.run(args, desk.ctx));
    const placeName = (code: string) => ({ MED: 'Madinah', JED: 'Jeddah' })[code];
    const text = searchFares.text(output, args, { ...desk.ctx, airline: { ...desk.ctx.airline, placeName } });
    expect(text.split('\n').slice(0, 2)).toEqual([
      '2 of 2 offers, cheapest first, for 2 adults; totals for all in SAR.',
      'Madinah (MED) → Jeddah (JED). Times are local (UTC+3).',
    ]);
    const many = parsed(searchFares, { ...ARGS, passengers: { adults: 11 } });
    const error = await refusedWith(searchFares.run(many, desk.ctx), 'E_INPUT');
    expect(error.next).toBe(
      'Split the party into 2 bookings, such as 9 + 2. Call search_fares for each: an offer is only for the party it was searched for.',
    );
  });

  test('shows a sold-out departure in the clock time of its country if the airline sent UTC only', async () => {
    const place = (code: string, country: string) => ({ code, name: code, city: code, cityCode: code, country });
    const times = {
      departs: '2026-11-30T22:35:00.000Z',
      arrives: '2026-11-30T23:22:00.000Z',
      journeyDate: '2026-12-01',
    };
    const found = result({ offers: [], soldOut: [{ segment: segment('1', times), bookingClass: 'Y' }] });
    const inCountry = async (country: string) => {
      const routes = async () => [{ from: place('MED', country), to: [place('JED', country)] }];
      const desk = openDesk({ airline: { searchFares: async () => found, routes } });
      const output = await searchFares.run(parsed(searchFares, { ...ARGS, include_sold_out: true }), desk.ctx);
      return output.sold_out[0]?.departs;
    };
    expect(await inCountry('SA')).toBe('2026-12-01T01:35:00.000+03:00');
    expect(await inCountry('SAU')).toBe('2026-12-01T01:35:00.000+03:00');
    // Zones of several offsets, and an unknown country.
    expect(await inCountry('US')).toBe('2026-11-30T22:35:00.000Z');
    expect(await inCountry('Arabia')).toBe('2026-11-30T22:35:00.000Z');
  });

  test('returns sold-out flights alone, and points to the calendar if nothing was found', async () => {
    const soldOut = [{ segment: segment('1'), bookingClass: 'Y' }];
    const { output } = await search(result({ offers: [], soldOut }));
    expect(output).toMatchObject({ offers: [], total_found: 0, sold_out: [{ class: 'Y' }] });
    const error = await refusedWith(search(result({ offers: [] })), 'E_NO_AVAILABILITY');
    expect(error.next).toContain('get_calendar_dates');
    const narrow = { legs: [LEG], passengers: { adults: 1 }, booking_classes: ['z'], include_sold_out: true };
    const inClass = await refusedWith(search(result({ offers: [] }), narrow), 'E_NO_AVAILABILITY');
    expect(inClass.message).toContain('in class Z.');
    expect(inClass.next).toMatch(
      /^Call search_fares without booking_classes or without include_sold_out.*get_calendar_dates/,
    );
  });

  test('names the fare of each leg by code and family', async () => {
    const of = (fareBasis: string, fareName: string) =>
      cheap(20000, { options: [option(segment('1', { fareBasis, fareName }))] });
    const { output, text } = await search(result({ offers: [of('LOW1', 'Eco Light'), of('FLEX1', 'Eco Flex')] }));
    expect(output.offers.map(({ legs }) => legs[0]?.fare)).toEqual([
      { code: 'LOW1', name: 'Eco Light' },
      { code: 'FLEX1', name: 'Eco Flex' },
    ]);
    expect(text).toContain('class Y fare LOW1 “Eco Light”');
    expect(text).toContain('class Y fare FLEX1 “Eco Flex”');
    const mixed = option(segment('1', { fareBasis: 'LOW1' }), segment('2', { fareBasis: 'FLEX1' }));
    const { output: joined } = await search(result({ offers: [cheap(20000, { options: [mixed] })] }));
    expect(joined.offers[0]?.legs[0]?.fare).toEqual({ code: 'LOW1+FLEX1' });
    const { fareBasis: _, ...unknown } = segment('1');
    const { output: none } = await search(result({ offers: [cheap(20000, { options: [option(unknown)] })] }));
    expect(none.offers[0]?.legs[0]).not.toHaveProperty('fare');
  });

  test('shows the refund if a rule is in force, and otherwise says that it is known once held', async () => {
    const rules = [fare('1', 'MED', 'JED', { refundRules: [rule()] })];
    const ruled = offer({ pricing: { total: price(sar(1)), refunds: [], fares: rules, perType: [] } });
    const { output, text } = await search(result({ offers: [ruled, cheap(2)] }));
    expect(output.offers[0]?.refund).toEqual({ known: true, text: output.offers[0]?.refund_note });
    expect(output.offers[1]?.refund).toEqual({ known: false, text: 'Refund known once held; holding is free.' });
    expect(output.offers[1]).not.toHaveProperty('refund_note');
    expect(text).toContain('Refund known once held; holding is free');
  });

  test('accepts a train whose offer names only the seller', async () => {
    const { operating: _, ...sold } = segment('1', { marketing: { carrier: 'RR' } });
    const { output } = await search(result({ offers: [cheap(20000, { options: [option(sold)] })] }));
    expect(output.offers[0]).not.toHaveProperty('notes');
  });

  test('names the connection and another operator', async () => {
    const connection = option(
      segment('1', { to: 'RUH', operating: { carrier: 'ZR', number: '7' }, marketing: { carrier: 'HHR' } }),
      segment('2', { from: 'RUH' }),
    );
    const { text } = await search(result({ offers: [cheap(20000, { options: [connection] })] }));
    expect(text).toContain('HHR101+HHR101 via RUH operated by ZR7 Tue 1 Dec');
  });

  test('leaves refundable out if passenger types have different rules', async () => {
    const rules = [rule(), rule({ passengerType: 'CHD', refundable: false })];
    const mixed = offer({
      pricing: {
        total: price(sar(1)),
        refunds: [],
        fares: [fare('1', 'MED', 'JED', { refundRules: rules })],
        perType: [],
      },
    });
    const { output } = await search(result({ offers: [mixed] }));
    expect(output.offers[0]).not.toHaveProperty('refundable');
    expect(output.offers[0]?.refund_note).toContain('CHD: not refundable');
  });

  test.each([
    ['the same origin and destination', { legs: [{ ...LEG, to: 'MED' }] }, 'legs[0].to'],
    ['a past date', { legs: [{ ...LEG, date: '2026-11-27' }] }, 'nearest valid: 2026-11-29'],
    ['legs out of order', { legs: [LEG, { from: 'JED', to: 'MED', date: '2026-11-29' }] }, 'nearest valid: 2026-12-01'],
    ['more infants than adults', { passengers: { adults: 1, infants: 2 } }, 'passengers.infants'],
    ['too many passengers', { passengers: { adults: 8, children: 2 } }, 'expected 1 to 9 travellers in all, found 10'],
    ['no passengers', { passengers: { adults: 0 } }, 'expected 1 to 9 travellers in all, found 0'],
    ['a child alone', { passengers: { adults: 0, children: 1 } }, CHILD_ALONE],
    ['a child without a number of adults', { passengers: { children: 1 } }, CHILD_ALONE],
  ])('refuses %s before it sends a request', async (_, over, told) => {
    const desk = openDesk();
    const error = await refusedWith(searchFares.run(parsed(searchFares, { ...ARGS, ...over }), desk.ctx), 'E_INPUT');
    expect(error.message).toContain(told);
    expect(desk.asked).toEqual([]);
  });

  test.each([
    [{ legs: [] }, 'legs: expected 1 to 6 items, found 0'],
    [
      { legs: [{ ...LEG, date: '2026-02-30' }] },
      'legs.0.date: expected a day that exists; ask the person which one; nearest valid: 2026-02-28',
    ],
    [{ legs: [{ ...LEG, from: ' ' }] }, 'legs.0.from: expected an IATA code such as JED, or the name of a city'],
    [{ legs: [{ ...LEG, days_before: 9 }] }, 'legs.0.days_before: expected 0 to 7; nearest valid: 7'],
    [{ passengers: { adults: -1 } }, 'passengers.adults: expected 0 or more'],
    [{ booking_classes: ['economy'] }, 'booking_classes.0: expected one letter'],
    [{ max_results: 51 }, 'max_results: expected 1 to 50; nearest valid: 50'],
  ])('rejects invalid search_fares arguments, case %#', (over, told) =>
    expect(inputProblems(searchFares, { ...ARGS, ...over })[0]).toContain(told),
  );
});
