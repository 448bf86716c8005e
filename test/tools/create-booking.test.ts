import { describe, expect, test } from 'vitest';
import { linesOf } from '../../src/approvals/terms.ts';
import type { NewBooking, NewGroupBooking } from '../../src/domain/booking/airline-requests.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import type { ShelvedOffer } from '../../src/domain/pricing/offer-store.ts';
import { omitUndefined } from '../../src/domain/time-and-text/omit-undefined.ts';
import { createBooking } from '../../src/tools/create-booking.ts';
import { bookable } from '../../src/tools/definition/fare-search.ts';
import { BACK, fare, held, NOW, OUT, option, price, row, rule, sar, segment, ticketed } from '../support/bookings.ts';
import { CONTACT, personName } from '../support/people.ts';
import {
  carryOut,
  inputProblems,
  offer,
  openDesk,
  operationOf,
  parsed,
  refusedWith,
  shelved,
} from './support/tool-context.ts';

function person(given: string, number: string, over: Record<string, unknown> = {}) {
  return {
    type: 'ADT',
    given_name: given,
    surname: 'Haddad',
    gender: 'Female',
    birth_date: '1990-04-12',
    document: { type: 'passport', number, nationality: 'sa', expires: '2031-01-01' },
    ...over,
  };
}

const AMAL = person('Amal', 'P1000001');
const ARGS = { offer_ids: ['o1'], contact: CONTACT, passengers: [AMAL] };

function desk(shelf: Record<string, ShelvedOffer> = { o1: shelved() }, options: Parameters<typeof openDesk>[0] = {}) {
  const opened = openDesk(options);
  for (const [id, each] of Object.entries(shelf)) opened.shelf.set(id, each);
  return opened;
}

const preview = (args: object, at = desk()) => createBooking.preview(parsed(createBooking, args), at.ctx);

const party = (adults: number, children = 0, infants = 0) => ({
  o1: shelved({ passengers: { adults, children, infants } }),
});

async function travelersOf(args: object, shelf: Record<string, ShelvedOffer>) {
  const { send } = await preview({ ...ARGS, ...args }, desk(shelf));
  return (send.booking as NewBooking).travelers;
}

/** The refusal of an adult and one passenger `over`, out and back. */
function misfit(over: Record<string, unknown>, passengers: { adults: number; children: number; infants: number }) {
  const both = [person('Noor', 'P2000002'), person('Lina', 'P3000003', over)];
  const trip = shelved({ offer: offer({ options: [OUT, BACK] }), passengers });
  return refusedWith(preview({ ...ARGS, passengers: both }, desk({ o1: trip })), 'E_INPUT');
}

describe('create_booking', () => {
  test('sends segments and travellers under refs that it numbers itself', async () => {
    const trip = shelved({ offer: offer({ options: [option(segment('7')), option(segment('9', BACK.segments[0]))] }) });
    const terms = await preview(ARGS, desk({ o1: trip }));
    expect(terms).toMatchObject({ ask: false, subject: { kind: 'create' }, warnings: [] });
    expect(terms.money).toBeUndefined();
    const { kind, booking } = terms.send as { kind: string; booking: NewBooking };
    expect(kind).toBe('named');
    expect(booking.options.map((each) => [each.ref, each.segments.map((s) => [s.ref, s.optionRef])])).toEqual([
      ['1', [['1', '1']]],
      ['2', [['2', '2']]],
    ]);
    expect(booking.travelers).toEqual([
      {
        ref: '1',
        type: 'ADT',
        name: personName('Amal', 'Haddad'),
        gender: 'Female',
        birthDate: '1990-04-12',
        document: { number: 'P1000001', docType: '2', nationality: 'SA', expires: '2031-01-01' },
        emails: ['amal@example.com'],
        phones: [],
        addresses: [],
        segmentRefs: ['1', '2'],
        comments: [],
      },
    ]);
    expect(booking.contact).toMatchObject({ emails: ['amal@example.com'], phones: [], addresses: [] });
  });

  test('sends a title as a prefix in capitals, and a traveller’s own e-mail instead of the contact’s', async () => {
    const [first] = await travelersOf({ passengers: [{ ...AMAL, title: 'Miss', email: 'own@example.com' }] }, party(1));
    expect(first?.name).toMatchObject({ prefix: ['MISS'], title: [] });
    expect(first?.emails).toEqual(['own@example.com']);
  });

  test('refuses an offer without a fare basis in the rail dialect, where the airline would choose a fare', async () => {
    const { fareBasis: _, ...bare } = segment('1');
    const nameless = { o1: shelved({ offer: offer({ options: [option(bare)] }) }) };
    const error = await refusedWith(preview(ARGS, desk(nameless)), 'E_AIRLINE_REPLY');
    expect(error).toMatchObject({ effect: 'none', message: expect.stringContaining('which fare') });
    expect(error.next).toContain('search_fares');
    await preview(ARGS, desk(nameless, { settings: { dialect: 'airline' } }));
  });

  test('refuses to book a segment whose times are known only in UTC', async () => {
    const utc = { departs: '2026-12-01T05:00:00.000Z', arrives: '2026-12-01T07:10:00.000Z', journeyDate: '2026-12-01' };
    const offered = { o1: shelved({ offer: offer({ options: [option(segment('1', utc))] }) }) };
    const error = await refusedWith(preview(ARGS, desk(offered)), 'E_AIRLINE_REPLY');
    expect(error.message).toContain('UTC');
  });

  test('shows the fare in the terms and binds the approval to it', async () => {
    const at = (fareBasis: string, fareName: string) =>
      desk({ o1: shelved({ offer: offer({ options: [option(segment('1', { fareBasis, fareName }))] }) }) });
    const low = await preview(ARGS, at('LOW1', 'Eco Light'));
    expect(linesOf(low.sections).join('\n')).toContain('class Y, fare LOW1 “Eco Light”');
    expect(low.subject).toMatchObject({
      until: expect.stringMatching(/^2026-12-\d\dT\d\d:00:00\.000Z$/),
      offer: { segments: [{ ref: '1', bookingClass: 'Y', fare: 'LOW1' }], total: sar(34500) },
    });
    const flex = await preview(ARGS, at('FLEX1', 'Eco Flex'));
    expect(flex.fingerprint).toBe(low.fingerprint);
    expect(flex.subject).not.toEqual(low.subject);
  });

  test('warns on the second line if the hold is in another fare than the chosen one', async () => {
    const other = held({ options: [option(segment('1', { fareBasis: 'OTHER1' }))] });
    const { output, text } = await carryOut(
      createBooking,
      ARGS,
      desk({ o1: shelved() }, { airline: { create: async () => other } }),
    );
    expect(output.warnings?.[0]).toMatch(/^segment 1 is held in fare OTHER1, not in YOW as chosen;/);
    expect(text.split('\n')[1]).toMatch(/^ANOTHER FARE: segment 1 is held in fare OTHER1.*before paying\.$/);
  });

  test('assigns the nth infant to the nth adult, or to the adult in with_adult', async () => {
    const infant = (given: string, number: string, over = {}) =>
      person(given, number, { type: 'INF', birth_date: '2026-01-01', ...over });
    const adults = [person('Amal', 'P1'.padEnd(6, '0')), person('Noor', 'P2'.padEnd(6, '0'))];
    const plain = await travelersOf(
      { passengers: [...adults, infant('Lina', 'P30000'), infant('Sami', 'P40000')] },
      party(2, 0, 2),
    );
    expect(plain.map((each) => each.attendantRef)).toEqual([undefined, undefined, '1', '2']);
    const named = await travelersOf(
      { passengers: [...adults, infant('Lina', 'P30000', { with_adult: 2 })] },
      party(2, 0, 1),
    );
    expect(named[2]?.attendantRef).toBe('2');
    for (const [with_adult, told] of [
      [3, 'expected the place of an adult'],
      [2, 'has a lap infant already'],
    ] as const) {
      const passengers = [
        ...adults,
        infant('Lina', 'P30000', { with_adult: 2 }),
        infant('Sami', 'P40000', { with_adult }),
      ];
      const error = await refusedWith(preview({ ...ARGS, passengers }, desk(party(2, 0, 2))), 'E_INPUT');
      expect(error.message).toContain(told);
    }
  });

  test('transliterates names, warns about it, and refuses letters that it cannot transliterate', async () => {
    const passengers = [person('Jörg', 'P1000001', { surname: 'Weiß', middle_name: 'Ñuño' })];
    const terms = await preview({ ...ARGS, passengers });
    expect((terms.send.booking as NewBooking).travelers[0]?.name).toMatchObject({
      given: ['Joerg'],
      middle: ['Nuno'],
      surname: 'Weiss',
    });
    expect(terms.warnings).toContain('passengers[0].given_name: “Jörg” is sent as “Joerg”.');
    const refused = await refusedWith(preview({ ...ARGS, passengers: [person('أمل', 'P1000001')] }), 'E_INPUT');
    expect(refused.message).toContain('passengers[0].given_name: expected letters A-Z');
  });

  test.each([
    ['a child of 12', { type: 'CHD', birth_date: '2014-12-01' }, [0, 1, 0], 'so of type ADT, not CHD'],
    ['an infant who turns two on the way back', { type: 'INF', birth_date: '2024-12-03' }, [0, 0, 1], 'segment 2'],
    ['an adult of 11', { birth_date: '2014-12-02' }, [1, 0, 0], '11 years old on Tue 1 Dec'],
  ])(
    'checks ages on every local departure date: %s',
    async (_, over, [adults = 0, children = 0, infants = 0], told) => {
      const error = await misfit(over, { adults: adults + 1, children, infants });
      expect(error.message).toContain('passengers[1].type: this passenger is ');
      expect(error.message).toContain(told);
      expect(error.message).toContain('Do not change the birth date unless it was mistyped.');
    },
  );

  test.each([
    ['born on the day of travel', '2026-12-01'],
    ['born tomorrow', '2027-01-01'],
  ])('refuses a birth date in the future: %s', async (_, birth_date) => {
    const error = await misfit({ type: 'INF', birth_date }, { adults: 1, children: 0, infants: 1 });
    expect(error.message).toContain('passengers[1].birth_date');
    expect(error.message).toContain('not born yet');
  });

  test('says which type a passenger of that age has, and does not ask for another birth date', async () => {
    const error = await misfit({ birth_date: '2016-05-01' }, { adults: 2, children: 0, infants: 0 });
    expect(error.message).toBe(
      'passengers[1].type: this passenger is 10 years old on Tue 1 Dec, the departure of segment 1, so of type CHD, not ADT (ADT from 12, CHD 2 to 11, INF under 2). Do not change the birth date unless it was mistyped. Nothing was sent.',
    );
    expect(error.next).toBe(
      'Call search_fares again for the right party, then this tool with type CHD for passengers[1]: an offer is only for the party it was searched for.',
    );
  });

  test('says that a child cannot travel alone where every adult is one by type only', async () => {
    const child = person('Lina', 'P3000003', { birth_date: '2016-05-01' });
    const error = await refusedWith(preview({ ...ARGS, passengers: [child] }), 'E_INPUT');
    expect(error.message).toMatch(
      /^passengers: A child must travel with an adult: the airline sells no ticket for a child alone\. passengers\[0\]\.type: this passenger is 10 years old/,
    );
    expect(error.next).toBe('Search again with an adult, or ask the airline how a child can travel.');
  });

  test('says that a birthday during the trip needs two bookings', async () => {
    const error = await misfit({ type: 'INF', birth_date: '2024-12-03' }, { adults: 1, children: 0, infants: 1 });
    expect(error.message).toContain('2 years old on Sat 5 Dec, the departure of segment 2');
    expect(error.next).toContain('book each direction alone');
  });

  test('refuses an expiring or repeated document, and warns of one valid for less than six months', async () => {
    const expiring = (expires: string, number = 'P1000001') =>
      person('Amal', number, { document: { type: 'passport', number, nationality: 'SA', expires } });
    const late = await refusedWith(preview({ ...ARGS, passengers: [expiring('2026-12-01')] }), 'E_INPUT');
    expect(late.message).toContain('passengers[0].document.expires');
    const soon = await preview({ ...ARGS, passengers: [expiring('2027-05-31')] });
    expect(soon.warnings?.[0]).toContain('less than 6 months');
    expect((await preview({ ...ARGS, passengers: [expiring('2027-06-01')] })).warnings).toEqual([]);
    const twice = [expiring('2031-01-01', 'P 1000001'), expiring('2031-01-01', 'p1000001')];
    const error = await refusedWith(preview({ ...ARGS, passengers: twice }, desk(party(2))), 'E_INPUT');
    expect(error.message).toContain('passengers[1].document.number: expected another number than passengers[0]');
  });

  test.each([
    ['id 123', true],
    ['P-1000/001', true],
    ['A'.repeat(28).concat('-1'), true],
    ['- /', false],
    ['١٢٣٤', false],
  ])('refuses a document number with other characters than letters and digits: %s', async (number, near) => {
    const document = { type: 'passport', number, nationality: 'SA', expires: '2031-01-01' };
    const told = `document.number: expected 3 to 30 letters and digits${near ? '; nearest valid: the same without its separators' : ''}.`;
    const passengers = [person('Amal', number, { document })];
    const error = await refusedWith(preview({ ...ARGS, passengers }), 'E_INPUT');
    expect(error.message).toContain(`passengers[0].${told}`);
    expect(error.next).toContain('Call the tool again with a valid value for passengers[0].document.number;');
    const contact = await refusedWith(preview({ ...ARGS, contact: { ...CONTACT, document } }), 'E_INPUT');
    expect(contact.message).toContain(`contact.${told}`);
  });

  test('reports all problems of the arguments at once', async () => {
    const wrong = person('花', 'P1000001', { birth_date: '2020-01-01' });
    const error = await refusedWith(preview({ ...ARGS, passengers: [wrong] }, desk(party(2))), 'E_INPUT');
    for (const field of ['passengers: expected the party', 'given_name', 'passengers[0].type'])
      expect(error.message).toContain(field);
    expect(error.message).toContain('Nothing was sent');
  });

  test('refuses more than nine named passengers, and requires either passengers or passenger_counts', async () => {
    const nine = Array.from({ length: 10 }, (_, i) => person(`G${'abcdefghij'[i]}`, `P100000${i}`));
    await refusedWith(preview({ ...ARGS, passengers: nine }, desk(party(10))), 'E_INPUT');
    await refusedWith(preview({ ...ARGS, passenger_counts: { adults: 1 } }), 'E_INPUT');
    await refusedWith(preview({ offer_ids: ['o1'], contact: CONTACT }), 'E_INPUT');
    await refusedWith(preview({ ...ARGS, group_name: 'Choir' }), 'E_INPUT');
  });

  test('books a group from passenger counts, without names', async () => {
    const args = { offer_ids: ['o1'], contact: CONTACT, passenger_counts: { adults: 2 }, group_name: 'Choir' };
    const group = held({ travelers: [] });
    const opened = desk(party(2), { airline: { createFromCounts: async () => group } });
    const { terms } = await carryOut(createBooking, args, opened);
    const { kind, booking } = terms.send as { kind: string; booking: NewGroupBooking };
    expect(kind).toBe('group');
    expect(booking).toMatchObject({ passengers: { adults: 2, children: 0, infants: 0 }, groupName: 'Choir' });
    expect(opened.asked.map(([method]) => method)).toEqual(['createFromCounts']);
  });

  test.each([
    ['has passed', '2026-11-29T05:00:00Z', '2026-11-29T05:25:00Z', 'this group cannot be named any more.'],
    [
      'ends before payment is due',
      '2026-11-29T05:20:00Z',
      '2026-11-29T05:25:00Z',
      'before its payment is due at Sun 29 Nov 08:25 (UTC+3).',
    ],
    ['ends after payment is due', '2026-11-29T05:26:00Z', '2026-11-29T05:25:00Z', undefined],
    ['ends with no known time limit for payment', '2026-11-29T05:20:00Z', undefined, undefined],
  ])('warns if names come too late for a group whose time limit for names %s', async (_, namesUntil, payBy, told) => {
    const { refunds, perType } = offer().pricing;
    const limits = omitUndefined({ namesUntil, payBy, references: [], refundRules: [], changeRules: [] });
    const kept = bookable(offer({ pricing: { total: price(sar(34500)), refunds, perType, fares: [limits] } }));
    const at = () => desk({ o1: shelved({ offer: kept }) });
    const args = { offer_ids: ['o1'], contact: CONTACT, passenger_counts: { adults: 1 } };
    const terms = await preview(args, at());
    expect(terms.warnings).toEqual(told === undefined ? [] : [expect.stringContaining(told)]);
    if (told !== undefined) expect(linesOf(terms.sections).join('\n')).toContain(told);
    // A booking with names has no such time limit.
    expect((await preview(ARGS, at())).warnings).toEqual([]);
    const opened = desk({ o1: shelved({ offer: kept }) }, { airline: { createFromCounts: async () => held() } });
    const { output, text } = await carryOut(createBooking, args, opened);
    expect(output.warnings).toEqual(terms.warnings);
    if (told !== undefined) expect(text).toContain(told);
  });

  test('refuses offers that are unknown or expired', async () => {
    const gone = await refusedWith(preview({ ...ARGS, offer_ids: ['oNOTHERE'] }), 'E_OFFER_EXPIRED');
    expect(gone.next).toContain('search_fares');
    const lapsed = shelved({ validUntil: '2026-11-29T05:00:00Z' });
    await refusedWith(preview(ARGS, desk({ o1: lapsed })), 'E_OFFER_EXPIRED');
    const unpaid = shelved({
      offer: offer({
        pricing: {
          total: price(sar(1)),
          refunds: [],
          perType: [],
          fares: [fare('1', 'MED', 'JED', { payBy: '2026-11-29T04:59:59Z' })],
        },
      }),
    });
    await refusedWith(preview(ARGS, desk({ o1: unpaid })), 'E_OFFER_EXPIRED');
  });

  test('joins one offer per leg in the order of the trip, and refuses any other combination', async () => {
    const legs = [
      { from: 'MED', to: 'JED', date: '2026-12-01' },
      { from: 'JED', to: 'MED', date: '2026-12-05' },
    ];
    const out = shelved({ legs, offer: offer({ leg: 0, options: [OUT] }) });
    const back = shelved({ legs, offer: offer({ leg: 1, options: [option(segment('1', BACK.segments[0]))] }) });
    const opened = desk({ o1: out, o2: back });
    const terms = await preview({ ...ARGS, offer_ids: ['o2', 'o1'] }, opened);
    const { options, travelers } = terms.send.booking as NewBooking;
    expect(options.flatMap((each) => each.segments.map((s) => [s.ref, s.from]))).toEqual([
      ['1', 'MED'],
      ['2', 'JED'],
    ]);
    expect(travelers[0]?.segmentRefs).toEqual(['1', '2']);
    expect((await refusedWith(preview({ ...ARGS, offer_ids: ['o1'] }, opened), 'E_INPUT')).message).toContain(
      'leg 2 has 0',
    );
    await refusedWith(preview({ ...ARGS, offer_ids: ['o1', 'o1'] }, opened), 'E_INPUT');
    const other = desk({ o1: out, o2: { ...back, legs: [...legs].reverse() } });
    await refusedWith(preview({ ...ARGS, offer_ids: ['o1', 'o2'] }, other), 'E_INPUT');
    await refusedWith(preview({ ...ARGS, offer_ids: ['o1', 'o2'] }, desk({ o1: shelved(), o2: shelved() })), 'E_INPUT');
  });

  test('joins offers of several one-way searches in the order of departure', async () => {
    const one = (from: string, to: string, date: string, flight: ReturnType<typeof segment>, over: object = {}) =>
      shelved({ legs: [{ from, to, date }], offer: offer({ options: [option(flight)] }), ...over });
    const [back = segment('1')] = BACK.segments;
    const out = one('MED', 'JED', '2026-12-01', segment('1'));
    const home = one('JED', 'MED', '2026-12-05', back);
    const joined = { ...ARGS, offer_ids: ['o2', 'o1'] };
    const terms = await preview(joined, desk({ o1: out, o2: home }));
    const { options } = terms.send.booking as NewBooking;
    expect(options.flatMap((each) => each.segments.map((s) => [s.ref, s.from]))).toEqual([
      ['1', 'MED'],
      ['2', 'JED'],
    ]);
    const others = { passengers: { adults: 2, children: 0, infants: 0 } };
    const error = await refusedWith(
      preview(joined, desk({ o1: out, o2: one('JED', 'MED', '2026-12-05', back, others) })),
      'E_INPUT',
    );
    expect(error.message).toContain('expected offers for the same passengers');
    const soon = one('JED', 'MED', '2026-12-01', { ...back, departs: '2026-12-01T09:00:00+03:00' });
    await refusedWith(preview(joined, desk({ o1: out, o2: soon })), 'E_INPUT');
    const again = one('MED', 'JED', '2026-12-02', segment('1', { departs: '2026-12-02T08:00:00+03:00' }));
    await refusedWith(preview(joined, desk({ o1: out, o2: again })), 'E_INPUT');
  });

  test('refuses a leg that departs before the previous one arrives', async () => {
    const early = shelved({
      offer: offer({ options: [OUT, option(segment('2', { departs: '2026-12-01T09:00:00+03:00' }))] }),
    });
    expect((await refusedWith(preview(ARGS, desk({ o1: early })), 'E_INPUT')).message).toContain(
      'segment 2 departs before',
    );
  });

  test('refuses an offer without a carrier unless FARECLERK_CARRIER supplies it', async () => {
    const { operating: _, ...bare } = segment('1');
    const nameless = shelved({ offer: offer({ options: [option(bare)] }) });
    const error = await refusedWith(preview(ARGS, desk({ o1: nameless })), 'E_CONFIG');
    expect(`${error.message} ${error.next}`).toContain('FARECLERK_CARRIER');
    const terms = await preview(ARGS, desk({ o1: nameless }, { settings: { carrier: 'HHR' } }));
    expect((terms.send.booking as NewBooking).options[0]?.segments[0]?.operating).toEqual({
      carrier: 'HHR',
      number: '101',
    });
  });

  test('computes one fingerprint for the same trip and people, whatever the offer and the order', async () => {
    const noor = person('Noor', 'P2000002');
    const two = { o1: party(2).o1, o2: party(2).o1 };
    const first = await preview({ ...ARGS, passengers: [AMAL, noor] }, desk(two));
    const again = await preview({ ...ARGS, offer_ids: ['o2'], passengers: [noor, AMAL] }, desk(two));
    expect(again.fingerprint).toBe(first.fingerprint);
    const renamed = await preview({ ...ARGS, passengers: [AMAL, person('Nour', 'P2000002')] }, desk(two));
    expect(renamed.fingerprint).toBe(first.fingerprint);
    const others = await preview({ ...ARGS, passengers: [AMAL, person('Noor', 'P2000003')] }, desk(two));
    expect(others.fingerprint).not.toBe(first.fingerprint);
    const later = shelved({
      passengers: { adults: 2, children: 0, infants: 0 },
      offer: offer({ options: [option(segment('1', { departs: '2026-12-01T09:00:00.000+03:00' }))] }),
    });
    const another = await preview({ ...ARGS, passengers: [AMAL, noor] }, desk({ o1: later }));
    expect(another.fingerprint).not.toBe(first.fingerprint);
    expect(first.fingerprint).not.toContain('Haddad');
  });

  test('asks a person to approve a second booking of the same trip, and names the first', async () => {
    const opened = desk();
    const terms = await preview(ARGS, opened);
    opened.operations.push(operationOf('create_booking', terms, { id: 'op-7' }));
    const second = await preview({ ...ARGS, again_after: 'op-7' }, opened);
    expect(second).toMatchObject({ ask: true, supersedes: 'op-7', act: 'Make another booking of the same trip' });
    expect(linesOf(second.sections)).toContain('An earlier booking of this trip exists or may exist: this is another.');
    for (const again_after of ['op-8', '']) {
      if (again_after === '') expect(inputProblems(createBooking, { ...ARGS, again_after })).toHaveLength(1);
      else await refusedWith(preview({ ...ARGS, again_after }, opened), 'E_INPUT');
    }
    const different = { ...ARGS, passengers: [person('Sara', 'P9000009')], again_after: 'op-7' };
    await refusedWith(preview(different, opened), 'E_INPUT');
  });

  test('reports the hold with its price change first', async () => {
    const dearer: Booking = { ...held(), options: [OUT] };
    const opened = desk({ o1: shelved() }, { airline: { create: async () => dearer } });
    const passengers = [person('Jörg', 'P1000001')];
    const { output, text } = await carryOut(createBooking, { ...ARGS, passengers }, opened);
    expect(output).toEqual({
      price_changed: { was: '345.00', now: '690.00' },
      refund: {
        text: 'SAR 517.50 back until Mon 30 Nov 08:00 (UTC+3).',
        amount: '517.50',
        until: '2026-11-30T05:00:00Z',
      },
      warnings: ['passengers[0].given_name: “Jörg” is sent as “Joerg”.'],
    });
    expect(text.split('\n').slice(0, 6)).toEqual([
      'Held, not paid. Pay with pay_booking before Sun 29 Nov 08:25 (UTC+3), or it expires.',
      'THE PRICE CHANGED: it was SAR 345.00, it is now SAR 690.00. Tell the person before paying.',
      'Refund if cancelled after payment: SAR 517.50 back until Mon 30 Nov 08:00 (UTC+3).',
      'If this is not wanted: release the hold with cancel_booking, then book another fare.',
      'Note: passengers[0].given_name: “Jörg” is sent as “Joerg”.',
      'Booking ABC123: held until Sun 29 Nov 08:25 (UTC+3) (25 min left), not paid. To pay now: SAR 690.00.',
    ]);
    expect(text).toContain('held until Sun 29 Nov 08:25 (UTC+3) (25 min left), not paid');
    expect(createBooking.wholeBooking).toBe(true);
  });

  test('reports the current state when the call is repeated later, not “held”', async () => {
    const late = Date.parse('2026-11-30T00:00:00Z');
    const args = parsed(createBooking, ARGS);
    const opened = desk();
    const operation = operationOf('create_booking', await createBooking.preview(args, opened.ctx));
    const told = (booking: Booking, now: number) =>
      createBooking.text({ warnings: [] }, { args, operation, booking, now }).split('\n')[0];
    expect(told(held(), NOW)).toMatch(/^Held, not paid\./);
    expect(told(ticketed(), NOW)).toBe('This booking was made before, and is ticketed now.');
    expect(told(held(), late)).toBe('This booking was made before, and is expired now.');
  });

  test('reports both refund rules if the hold has another rule than its offer', async () => {
    const lost = held({
      options: [OUT],
      pricing: {
        total: price(sar(34500)),
        refunds: [],
        fares: [fare('1', 'MED', 'JED', { refundRules: [rule({ refundable: false })] })],
        perType: [row('ADT', 1, sar(34500))],
      },
    });
    const offered = { ...shelved(), refundNote: 'Free cancellation' };
    const opened = desk({ o1: offered }, { airline: { create: async () => lost } });
    const { output, text } = await carryOut(createBooking, ARGS, opened);
    const told = 'Not refundable. The rule changed: the offer said “Free cancellation”.';
    expect(output.refund).toEqual({ text: told, amount: '0.00' });
    expect(text).toContain(`Refund if cancelled after payment: ${told}`);
  });

  test('names no refund if the reply of the airline lists only some of the flights', async () => {
    const both = shelved({ offer: offer({ options: [OUT, BACK] }) });
    const opened = desk({ o1: both }, { airline: { create: async () => held({ options: [OUT] }) } });
    expect((await carryOut(createBooking, ARGS, opened)).output).not.toHaveProperty('refund');
  });

  test('reports no price change if the price is the same', async () => {
    const same = held({
      pricing: { total: price(sar(34500)), refunds: [], fares: [], perType: [row('ADT', 1, sar(34500))] },
    });
    const { output } = await carryOut(
      createBooking,
      ARGS,
      desk({ o1: shelved() }, { airline: { create: async () => same } }),
    );
    expect(output).toEqual({ refund: { text: 'The airline sent no refund rule.' }, warnings: [] });
  });

  test.each([
    [{ contact: { ...CONTACT, email: 'amal' } }, 'contact.email: expected an e-mail address'],
    [
      { contact: { ...CONTACT, phone: { country_code: '+966', number: 'x' } } },
      'contact.phone.number: expected 4 to 15 digits',
    ],
    [{ passengers: [{ ...AMAL, type: 'STU' }] }, 'passengers.0.type'],
    [{ passengers: [{ ...AMAL, birth_date: '1990-02-30' }] }, 'nearest valid: 1990-02-28'],
    [{ passengers: [{ ...AMAL, surname: ' ' }] }, 'passengers.0.surname'],
    [
      { passengers: [{ ...AMAL, document: { ...AMAL.document, nationality: 'sau' } }] },
      'two letters; nearest valid: SA',
    ],
    [
      { contact: { ...CONTACT, country: 'XYZ' } },
      'contact.country: expected an ISO country code of two letters, such as',
    ],
  ])('rejects invalid create_booking arguments, case %#', (over, told) =>
    expect(inputProblems(createBooking, { ...ARGS, ...over })[0]).toContain(told),
  );

  test('compares the time limit of an offer with the clock it is given', async () => {
    const payBy = new Date(NOW + 60_000).toISOString();
    const pricing = { total: price(sar(1)), refunds: [], perType: [], fares: [fare('1', 'MED', 'JED', { payBy })] };
    const shelf = { o1: shelved({ offer: offer({ pricing }) }) };
    await preview(ARGS, desk(shelf));
    await refusedWith(preview(ARGS, desk(shelf, { now: NOW + 60_000 })), 'E_OFFER_EXPIRED');
  });
});
