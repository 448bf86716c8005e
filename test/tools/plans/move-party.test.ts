import { describe, expect, test } from 'vitest';
import { boundFacts } from '../../../src/approvals/plans/bound.ts';
import { linesOf } from '../../../src/approvals/terms.ts';
import type { Airline } from '../../../src/domain/airline.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import type { Finding } from '../../../src/domain/booking/finding.ts';
import type { Traveler } from '../../../src/domain/people/traveler.ts';
import { ClerkError } from '../../../src/errors.ts';
import { expand } from '../../../src/tools/plans/expand.ts';
import { BACK, held, option, price, sar, segment, ticketed } from '../../support/bookings.ts';
import { bareTraveler, contactNamed, personName, traveler } from '../../support/people.ts';
import { offer, refusedWith, shelved } from '../support/tool-context.ts';
import { openPlanDesk, type ReadArguments, readArguments } from './plan-desk.ts';

const LATER = segment('1', {
  flightNumber: '105',
  operating: { carrier: 'HHR', number: '105' },
  departs: '2026-12-01T12:00:00.000+03:00',
  arrives: '2026-12-01T14:10:00.000+03:00',
});
const MOVE = { locator: 'ABC123', offer_ids: ['o000001'], payment: { type: 'invoice' } };

async function move(
  booking: Booking,
  over: object = {},
  shelf = shelved({ offer: offer({ options: [option(LATER)] }) }),
) {
  const desk = openPlanDesk({ bookings: [booking] });
  desk.shelf.set('o000001', shelf);
  const expanded = await expand([{ tool: 'move_party', arguments: { ...MOVE, ...over } }], desk.ctx, readArguments);
  const [line] = expanded.lines;
  const steps = line?.steps ?? [];
  return { ...expanded, line, steps, tools: steps.map(({ tool }) => tool), why: expanded.leftOut[0]?.why };
}

const gone = (ref: string) => segment(ref, { statusCode: '16' });
const people = (...travelers: Traveler[]) => ticketed({ travelers });

describe('move_party', () => {
  test('holds the offer for the same passengers, pays it, then cancels the old; a hold that was not paid is released', async () => {
    const { line, steps } = await move(ticketed(), { segment_refs: ['1'] });
    expect(line).toMatchObject({
      title: 'Move booking ABC123 to HHR105, Tue 1 Dec 12:00-14:10 (UTC+3)',
      locator: 'ABC123',
    });
    expect(steps[0]).toEqual({
      tool: 'create_booking',
      args: {
        offer_ids: ['o000001'],
        contact: {
          given_name: 'Amal',
          surname: 'Haddad',
          email: 'amal@example.com',
          phone: { country_code: '966', number: '551234567' },
        },
        passengers: [
          {
            type: 'ADT',
            given_name: 'Amal',
            surname: 'Haddad',
            gender: 'Female',
            birth_date: '1990-04-12',
            document: { type: 'passport', number: 'P1234567', nationality: 'SA', expires: '2031-01-01' },
          },
        ],
      },
    });
    const facts = boundFacts([LATER], ticketed().travelers);
    const [, pay, cancel, release] = steps;
    expect(pay).toMatchObject({
      tool: 'pay_booking',
      args: { payment: { type: 'invoice' } },
      locatorOf: 0,
      after: [0],
    });
    expect(pay?.bound).toMatchObject({
      act: 'Pay SAR 345.00',
      nature: 'payment',
      money: { direction: 'payment', amount: sar(34500) },
      facts,
    });
    expect(linesOf(pay?.bound?.sections ?? [])).toEqual([
      'Book the new trip for the same passengers, and pay SAR 345.00 for it.',
      'Old: Train HHR101: MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3), class Y, fare YOW',
      'New: Train HHR105: MED → JED, Tue 1 Dec 12:00-14:10 (UTC+3), class Y, fare YOW',
      'Passenger 1: “Amal Haddad”, adult',
      'New fare: refund rules not known.',
      'Payment: by invoice to the agency (invoice).',
      'Seats and special services of the old booking are not carried over.',
    ]);
    expect(cancel).toEqual({ tool: 'cancel_segment', args: { locator: 'ABC123', segment_refs: ['1'] }, after: [1] });
    expect(release).toMatchObject({
      tool: 'cancel_booking',
      args: {},
      locatorOf: 0,
      insteadOf: 1,
      bound: { act: 'Release hold the new booking', nature: 'cancellation', facts },
    });
  });

  test('replaces the whole booking where no segment is named, and releases an old hold', async () => {
    const whole = shelved({ refundNote: 'refundable until departure' });
    const paid = await move(ticketed(), {}, whole);
    expect(paid.steps[2]).toMatchObject({ tool: 'cancel_segment', args: { locator: 'ABC123', all: true } });
    expect(linesOf(paid.steps[1]?.bound?.sections ?? [])).toContain('New fare: refundable until departure.');
    expect(linesOf(paid.steps[1]?.bound?.sections ?? [])).toContain(
      'The new trip is between other stations than the old one.',
    );
    const unpaid = await move(held());
    expect(unpaid.steps[2]).toEqual({ tool: 'cancel_booking', args: { locator: 'ABC123' }, after: [1] });
    expect((await move(held(), { segment_refs: ['1'] })).why).toBe(
      'Booking ABC123 is not paid: a part of it cannot be cancelled',
    );
  });

  test('cancels only what the airline has not cancelled already', async () => {
    const half = ticketed({ options: [option(gone('1')), BACK] });
    expect((await move(half)).steps[2]).toMatchObject({ args: { locator: 'ABC123', all: true } });
    const named = await move(half, { segment_refs: ['1'] });
    expect(named.tools).toEqual(['create_booking', 'pay_booking', 'cancel_booking']);
    expect(linesOf(named.steps[1]?.bound?.sections ?? [])[1]).toContain('has cancelled the old trip already');
    const all = await move(ticketed({ options: [option(gone('1'))] }));
    expect(all.tools).toEqual(['create_booking', 'pay_booking', 'cancel_booking']);
  });

  test('leaves out a party that the airline has put on another train, so that no second trip is paid', async () => {
    const instead = {
      options: [option(gone('1')), option({ ...LATER, ref: '3' }), BACK],
      travelers: [traveler('1', 'Amal', 'Haddad', { segmentRefs: [] })],
    };
    const { lines, why } = await move(ticketed(instead), { segment_refs: ['1'] });
    expect(lines).toEqual([]);
    expect(why).toBe('Booking ABC123 has train HHR105, Tue 1 Dec 12:00-14:10 (UTC+3), in place of HHR101');
    expect((await move(ticketed(instead), { segment_refs: ['1', '3'] })).steps[2]).toMatchObject({
      args: { segment_refs: ['3'] },
    });
  });

  test('leaves out a party that the airline masks or does not give, and says what is missing', async () => {
    const masked = traveler('1', 'Amal', 'H****d', {
      birthDate: '****-04-12',
      gender: '',
      document: { number: 'XXXXX567', docType: '9', nationality: 'QQQ' },
    });
    expect((await move(people(masked))).why).toBe(
      'The airline does not give or masks: passenger 1: surname, gender, birth date, document type, document number, ' +
        'nationality of the document, last valid day of the document',
    );
    const { contact: _, ...silent } = people(bareTraveler('1'));
    expect((await move(silent)).why).toContain('contact: given name, surname, e-mail');
    const lost = traveler('2', 'Badr', 'Haddad', { type: 'INF', attendantRef: '9' });
    expect((await move(people(traveler('1', 'Amal', 'Haddad'), lost))).why).toContain('passenger 2: its adult');
  });

  test('writes names, documents and telephones as create_booking takes them', async () => {
    const adult = traveler('4', 'Amal', 'Haddad', {
      name: personName('Amal', 'Haddad', { middle: ['Bint'], title: ['MS'], suffix: ['JR'] }),
      gender: 'F',
      document: { number: 'P1234567', docType: '5', nationality: 'SAU', expires: '2031-01-01T00:00:00Z' },
      emails: ['amal@example.com'],
      phones: [{ countryCode: '+966', number: '55 123-4567' }],
    });
    const infant = traveler('5', 'Badr', 'Haddad', {
      type: 'INF',
      gender: 'unknown',
      birthDate: '2026-01-01',
      attendantRef: '4',
      phones: [{ countryCode: '966' }],
      document: { number: 'P7654321', docType: '2', nationality: 'SA', expires: '2031-01-01' },
    });
    const address = { city: 'Jeddah', countryCode: 'SA' };
    const booking = ticketed({
      travelers: [adult, infant],
      contact: contactNamed('Amal', 'Haddad', { addresses: [address] }),
    });
    const forBoth = shelved({ passengers: { adults: 1, children: 0, infants: 1 } });
    const { steps } = await move(booking, {}, forBoth);
    expect(steps[0]?.args).toMatchObject({
      contact: { city: 'Jeddah', country: 'SA' },
      passengers: [
        {
          middle_name: 'Bint',
          title: 'MS',
          suffix: 'JR',
          gender: 'Female',
          document: { type: 'national_id', nationality: 'SA', expires: '2031-01-01' },
          email: 'amal@example.com',
          phone: { country_code: '966', number: '551234567' },
        },
        { type: 'INF', gender: 'Unknown', with_adult: 1 },
      ],
    });
    expect(JSON.stringify(steps[0]?.args)).not.toContain('"phone":{}');
  });

  test('does not take the refund note of one leg for the whole trip', async () => {
    const desk = openPlanDesk({ bookings: [ticketed()] });
    const legs = [
      { from: 'MED', to: 'JED', date: '2026-12-01' },
      { from: 'JED', to: 'MED', date: '2026-12-05' },
    ];
    const refundNote = 'refundable until departure';
    desk.shelf.set('o000001', shelved({ legs, refundNote, offer: offer({ leg: 0, options: [option(LATER)] }) }));
    const back = option(segment('1', BACK.segments[0]));
    desk.shelf.set(
      'o000002',
      shelved({ legs, refundNote: 'not refundable', offer: offer({ leg: 1, options: [back] }) }),
    );
    const moving = { tool: 'move_party', arguments: { ...MOVE, offer_ids: ['o000001', 'o000002'] } };
    const { lines } = await expand([moving], desk.ctx, readArguments);
    const terms = linesOf(lines[0]?.steps[1]?.bound?.sections ?? []);
    expect(terms).toContain('New fare: each leg has refund rules of its own, which are not known here.');
    expect(terms.join()).not.toContain('efundable');
  });

  test('leaves out what cannot be moved: some of the passengers, an offer without a price, data that cannot be sent', async () => {
    const apart = people(traveler('1', 'Amal', 'Haddad'), traveler('2', 'Badr', 'Haddad', { segmentRefs: ['2'] }));
    expect((await move(apart, { segment_refs: ['1'] })).why).toBe(
      'Passenger 2 does not travel on every segment that is replaced',
    );
    const everywhere = people(traveler('1', 'Amal', 'Haddad', { segmentRefs: [] }));
    expect((await move(everywhere)).why).toBeUndefined();
    const unpriced = shelved({ offer: offer({ pricing: { refunds: [], fares: [], perType: [] } }) });
    expect((await move(ticketed(), {}, unpriced)).why).toBe('The price of the offer is not known');
    const odd = people(traveler('1', 'Amal', 'Haddad', { emails: ['no address'] }));
    expect((await move(odd)).why).toBe('What the airline gives of the party cannot be sent again as it is');
    expect((await move(ticketed(), { offer_ids: ['o000009'] })).why).toContain('Offer o000009 is not known here');
  });

  test('refuses a way to pay that the server does not offer, an unknown segment and a tool that is not offered', async () => {
    const desk = openPlanDesk({ bookings: [ticketed()], settings: { paymentTypes: ['external'] } });
    const steps = [{ tool: 'move_party', arguments: MOVE }];
    const error = await refusedWith(expand(steps, desk.ctx, readArguments), 'E_INPUT');
    expect(error.message).toContain('steps[0].arguments.payment.type: expected external');
    const unknown = await refusedWith(move(ticketed(), { segment_refs: ['7'] }), 'E_INPUT');
    expect(unknown.message).toContain('steps[0].arguments.segment_refs');
    const all = openPlanDesk({ bookings: [ticketed()] });
    all.shelf.set('o000001', shelved());
    const withheld: ReadArguments = (tool, args, at) =>
      tool === 'create_booking'
        ? Promise.reject(new ClerkError('E_CONFIG', 'It is not offered.', { next: 'Ask the operator.' }))
        : readArguments(tool, args, at);
    await refusedWith(expand(steps, all.ctx, withheld), 'E_CONFIG');
  });
});

describe('move_party of a train', () => {
  const TRAIN = { train: 'HHR101', date: '2026-12-01', offer_ids: ['o000001'], payment: { type: 'invoice' } };
  const named = (locator: string, over: Partial<Booking> = {}) =>
    ticketed({ locator, references: [{ id: locator, type: '14', system: 'HHR', segmentRefs: [] }], ...over });
  const couple = { travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Badr', 'Haddad')] };
  /** On another train, and on this one the day after. */
  const elsewhere = {
    options: [
      option(segment('1', { departs: '2026-12-02T08:00:00.000+03:00', arrives: '2026-12-02T10:10:00.000+03:00' })),
      BACK,
    ],
  };
  const found = (locator: string, over: Partial<Finding> = {}): Finding => ({
    ...{ id: `f-${locator}`, tenant: 'desk', locator, kind: 'segment_cancelled', seenAt: 0, since: 0 },
    segment: { from: 'MED', to: 'JED', number: '0101', departs: '2026-12-01T08:00:00.000+03:00' },
    ...over,
  });
  const moved = { options: [option(LATER)] };
  const forTwo = offer({ ...moved, pricing: { ...offer().pricing, total: price(sar(69000)) } });
  const dearer = offer({ options: [option({ ...LATER, fareBasis: 'YFLEX' })] });

  function open(
    bookings: readonly Booking[],
    findings: readonly Finding[],
    searchFares: Airline['searchFares'] = async () => ({ form: 'itineraries', offers: [dearer, forTwo], soldOut: [] }),
  ) {
    const desk = openPlanDesk({ bookings, airline: { searchFares } });
    desk.shelf.set('o000001', shelved({ offer: offer(moved) }));
    const entry = { madeHere: true, seenAt: 0, state: 'ticketed' };
    for (const { locator } of bookings) desk.ledger.set(locator, { ...entry, locator });
    const reader = { open: async () => findings, list: async () => [], close: async () => 0 };
    const ctx = { ...desk.ctx, state: { ...desk.ctx.state, findings: reader } };
    const run = (args: object = {}) =>
      expand([{ tool: 'move_party', arguments: { ...TRAIN, ...args } }], ctx, readArguments);
    return { ...desk, run, searches: () => desk.asked.filter(([method]) => method === 'searchFares') };
  }

  test('moves every party with an open finding about it, with one search for each other size of party', async () => {
    const bookings = [named('ABC001'), named('ABC002', couple), named('ABC003', couple), named('ABC004')];
    const other = found('ABC004', {
      segment: { from: 'MED', to: 'JED', number: '999', departs: '2026-12-01T08:00:00.000+03:00' },
    });
    const desk = open(bookings, [...['ABC001', 'ABC002', 'ABC003', 'XYZ999'].map((one) => found(one)), other]);
    const { lines, leftOut } = await desk.run();
    expect(leftOut).toEqual([]);
    expect(lines.map(({ title }) => title)).toEqual(
      ['ABC001', 'ABC002', 'ABC003'].map((one) => `Move booking ${one} to HHR105, Tue 1 Dec 12:00-14:10 (UTC+3)`),
    );
    expect(desk.searches()).toHaveLength(1);
    expect(desk.searches()[0]?.[1]).toMatchObject({
      legs: [{ from: 'MED', to: 'JED', date: '2026-12-01', daysBefore: 0, daysAfter: 0 }],
      passengers: { adults: 2, children: 0, infants: 0 },
    });
    const [one, two, three] = lines.map(({ steps }) => steps);
    expect(one?.[0]?.args).toMatchObject({ offer_ids: ['o000001'] });
    expect(two?.[1]?.bound).toMatchObject({ act: 'Pay SAR 690.00', money: { amount: sar(69000) } });
    // The fare that was chosen, not the first that the airline lists.
    const { offer_ids: ids = [] } = (two?.[0]?.args ?? {}) as { offer_ids?: string[] };
    const again = desk.shelf.get(ids[0] ?? '');
    expect([again?.passengers.adults, again?.offer.options[0]?.segments[0]?.fareBasis]).toEqual([2, 'YOW']);
    expect(three?.[0]?.args).toMatchObject({ offer_ids: ids });
    // The way back stays.
    expect(one?.[2]).toMatchObject({ tool: 'cancel_segment', args: { locator: 'ABC001', segment_refs: ['1'] } });
  });

  test('moves only the named bookings, and leaves out those that are not on the train', async () => {
    const bookings = [named('ABC001'), named('ABC002', elsewhere), named('ABC003')];
    const desk = open(bookings, []);
    const { lines, leftOut } = await desk.run({ locators: ['ABC001', 'ABC002', 'NONE99'] });
    expect(lines.map(({ locator }) => locator)).toEqual(['ABC001']);
    expect(leftOut).toEqual([
      {
        title: 'Move booking ABC002',
        why:
          'Booking ABC002 has no segment of train HHR101 on Tue 1 Dec. ' +
          'It has HHR101, Wed 2 Dec 08:00-10:10 (UTC+3); HHR202, Sat 5 Dec 18:00-20:10 (UTC+3)',
      },
      { title: 'Move booking NONE99', why: 'There is no such booking' },
    ]);
    expect(desk.searches()).toEqual([]);
  });

  test('leaves out a party whose train got another number, with the old train listed as cancelled or not at all', async () => {
    const now = option({ ...LATER, ref: '3' });
    const bookings = [
      named('ABC001', { options: [option(gone('1')), now] }),
      named('ABC002', { options: [now] }),
      named('ABC003'),
      named('ABC004', { options: [option({ ...LATER, statusCode: '16' })] }),
    ];
    const changed = { kind: 'number_changed', after: { number: '105' } } as const;
    const { lines, leftOut } = await open(
      bookings,
      bookings.map(({ locator }) => found(locator, changed)),
    ).run();
    expect(lines.map(({ locator }) => locator)).toEqual(['ABC003']);
    expect(leftOut.map(({ why }) => why)).toEqual([
      'Booking ABC001 has train HHR105, Tue 1 Dec 12:00-14:10 (UTC+3), in place of HHR101',
      'Booking ABC002 has no segment of train HHR101 on Tue 1 Dec. It has HHR105, Tue 1 Dec 12:00-14:10 (UTC+3)',
      'Booking ABC004 has no segment of train HHR101 on Tue 1 Dec. No segment of it is active',
    ]);
  });

  test('reads no booking where more have a finding about the train than a plan has lines', async () => {
    const bookings = Array.from({ length: 51 }, (_, i) => named(`ABC${100 + i}`));
    const desk = open(
      bookings,
      bookings.map(({ locator }) => found(locator)),
    );
    const error = await refusedWith(desk.run(), 'E_INPUT');
    expect(error.message).toContain('51 bookings have an open finding about train HHR101 on Tue 1 Dec');
    expect(error.next).toContain('at most 50 of them in locators');
    expect(desk.asked).toEqual([]);
  });

  test('leaves out a party of a size that the airline does not offer the chosen fare to', async () => {
    const bookings = [named('ABC001'), named('ABC002', couple)];
    const only = async () => ({ form: 'itineraries' as const, offers: [dearer], soldOut: [] });
    const { lines, leftOut } = await open(
      bookings,
      bookings.map(({ locator }) => found(locator)),
      only,
    ).run();
    expect(lines.map(({ locator }) => locator)).toEqual(['ABC001']);
    expect(leftOut[0]?.why).toContain('The airline does not offer this trip in this fare to 2 adults');
  });

  test('says that no booking has an open finding about the train, and which arguments it takes', async () => {
    const desk = open([named('ABC001')], []);
    const none = await refusedWith(desk.run(), 'E_NOT_FOUND');
    expect(none.message).toBe(
      'No booking of yours has an open finding about train HHR101 on Tue 1 Dec. Nothing was sent.',
    );
    for (const wrong of [{ locator: 'ABC001' }, { train: undefined, date: undefined }, { date: undefined }]) {
      const error = await refusedWith(desk.run(wrong), 'E_INPUT');
      expect(error.message).toContain('steps[0].arguments: expected either locator, or train and date');
    }
  });

  test('finds an offer for the size of a single party too', async () => {
    const desk = open([named('ABC001', couple)], []);
    const args = { tool: 'move_party', arguments: { ...MOVE, locator: 'ABC001' } };
    const { lines } = await expand([args], desk.ctx, readArguments);
    expect(lines[0]?.steps[1]?.bound).toMatchObject({ act: 'Pay SAR 690.00' });
  });
});
