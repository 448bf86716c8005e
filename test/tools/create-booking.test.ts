import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../src/core/errors.ts';
import { keptRules } from '../../src/domain/refund/rules-in-force.ts';
import { BACK, fare, held, NOW, OUT, option, pricing, rule, sar, segment, ticketed } from '../support/bookings.ts';
import { CONTACT, contactNamed, passenger, personName, traveler } from '../support/people.ts';
import {
  type Airline,
  type Booking,
  callsOf,
  type DeskOptions,
  expectRefusals,
  expectTexts,
  offer,
  openDesk,
  type ShelvedOffer,
  shelved,
} from './support/desk.ts';

const passport = (number: string, over: object = {}) => ({
  ...{ type: 'passport', number, nationality: 'sa', expires: '2031-01-01' },
  ...over,
});
const person = (given: string, number: string, over: object = {}) =>
  passenger(number, { given_name: given, document: passport(number), ...over });
const AMAL = person('Amal', 'P1000001');
const NOOR = person('Noor', 'P2000002');
const infant = (given: string, number: string, over = {}) =>
  person(given, number, { type: 'INF', birth_date: '2026-01-01', ...over });
const ARGS = { offer_ids: ['o000001'], contact: CONTACT, passengers: [AMAL] };
const GROUP = { offer_ids: ['o000001'], contact: CONTACT, passenger_counts: { adults: 2 }, group_name: 'Choir' };
const create = callsOf('create_booking', ARGS);
const group = callsOf('create_booking', GROUP);

const party = (adults: number, children = 0, infants = 0) => ({ adults, children, infants });
const [back = segment('2')] = BACK.segments;
const of = (...segments: ReturnType<typeof segment>[]) => offer({ options: segments.map((one) => option(one)) });
const on = (...offers: Partial<ShelvedOffer>[]) => ({ offers: offers.map((one) => shelved(one)) });
const forParty = (...counts: Parameters<typeof party>) => on({ passengers: party(...counts) });

/** The airline makes what it was sent, but for what is `over`. */
const making = (over: Partial<Booking> = {}): Pick<DeskOptions, 'airline'> => ({
  airline: {
    create: async ({ options, travelers }) => held({ options, travelers, ...over }),
    createFromCounts: async ({ options }) => held({ travelers: [], options, ...over }),
  },
});
const made = (args: object = {}, options: DeskOptions = on({}), over: Partial<Booking> = {}) =>
  create.done(undefined, args, { ...making(over), ...options });
const refused = (args: object = {}, options: DeskOptions = on({})) => create.refused(undefined, args, options);
type New = Parameters<Airline['create']>[0];

describe('what is sent', () => {
  test.each(['Ann <ann@one.example>', 'mailto:ann@one.example'])(
    'is the address alone of the contact given as %s',
    async (email) => {
      const { sent } = await made({ contact: { ...CONTACT, email } });
      expect(sent.contact.emails).toEqual(['ann@one.example']);
    },
  );

  test('numbers segments and travellers itself, and gives each traveller the address of the contact', async () => {
    const { sent, operation, view } = await made({}, on({ offer: of(segment('7'), segment('9', back)) }));
    expect(sent.options).toMatchObject([
      { ref: '1', segments: [{ ref: '1', optionRef: '1' }] },
      { ref: '2', segments: [{ ref: '2', optionRef: '2' }] },
    ]);
    expect(sent.travelers).toEqual([
      {
        ...{ ref: '1', type: 'ADT', name: personName('Amal', 'Haddad'), gender: 'Female', birthDate: '1990-04-12' },
        document: { number: 'P1000001', docType: '2', nationality: 'SA', expires: '2031-01-01' },
        ...{ emails: ['amal@example.com'], phones: [], addresses: [], segmentRefs: ['1', '2'], comments: [] },
      },
    ]);
    expect(sent.contact).toMatchObject({ emails: ['amal@example.com'], phones: [], addresses: [] });
    expect(operation).toMatchObject({ subject: { kind: 'create' }, assurance: 'none' });
    expect(view).not.toHaveProperty('warnings');
  });

  test('has the document of the contact, for named travellers and for a group', async () => {
    const contact = { ...CONTACT, document: passport('p3000003') };
    const document = { number: 'P3000003', docType: '2', nationality: 'SA', expires: '2031-01-01' };
    const named = await made({ contact });
    expect(named.sent.contact).toMatchObject({ document });
    const counted = await group.done(undefined, { contact }, { ...forParty(2), ...making() });
    expect(counted.sent.contact).toMatchObject({ document });
  });

  test('binds the booking to fare and price of the offer', async () => {
    const low = segment('1', { fareBasis: 'LOW1', fareName: 'Eco Light' });
    const { operation } = await made({}, on({ offer: of(low) }));
    expect(operation.subject).toMatchObject({
      until: expect.stringMatching(/^2026-12-\d\dT\d\d:00:00\.000Z$/),
      offer: { segments: [{ ref: '1', bookingClass: 'Y', fare: 'LOW1' }], total: sar(34500) },
    });
    expect(JSON.stringify(operation)).not.toContain('Haddad');
  });

  test('seats the nth infant with the nth adult, or with the adult that is named', async () => {
    const plain = { passengers: [AMAL, NOOR, infant('Lina', 'P30000'), infant('Sami', 'P40000')] };
    const attendants = ({ sent }: { sent: New }) => sent.travelers.map(({ attendantRef }) => attendantRef);
    expect(attendants(await made(plain, forParty(2, 0, 2)))).toEqual([undefined, undefined, '1', '2']);
    const named = { passengers: [AMAL, NOOR, infant('Lina', 'P30000', { with_adult: 2 })] };
    expect(attendants(await made(named, forParty(2, 0, 1)))).toEqual([undefined, undefined, '2']);
  });

  test('sends a title as a prefix in capitals', async () => {
    const { sent } = await made({ passengers: [{ ...AMAL, title: 'Miss' }] });
    expect(sent.travelers[0].name).toMatchObject({ prefix: ['MISS'], title: [] });
  });

  test('sends further first names and a suffix as parts of the name', async () => {
    const { sent } = await made({ passengers: [{ ...AMAL, middle_name: 'Noor Lina', suffix: 'JR' }] });
    expect(sent.travelers[0].name).toMatchObject({ given: ['Amal'], middle: ['Noor Lina'], suffix: ['JR'] });
  });

  test('makes a group from passenger counts, without names', async () => {
    const { sent, desk } = await group.done(undefined, {}, { ...forParty(2), ...making() });
    expect(sent).toMatchObject({ passengers: party(2), groupName: 'Choir' });
    expect([desk.methods()[0], desk.sent().length]).toEqual(['createFromCounts', 1]);
    const mixed = { passenger_counts: { adults: 2, children: 1, infants: 1 } };
    const family = await group.done(undefined, mixed, { ...forParty(2, 1, 1), ...making() });
    expect(family.sent).toMatchObject({ passengers: party(2, 1, 1), groupName: 'Choir' });
  });

  const LEGS = [
    { from: 'MED', to: 'JED', date: '2026-12-01' },
    { from: 'JED', to: 'MED', date: '2026-12-05' },
  ];
  const out = { legs: LEGS, offer: offer({ leg: 0, options: [OUT] }) };
  const home = { legs: LEGS, offer: offer({ leg: 1, options: [option(segment('1', back))] }) };
  const alone = (leg: number, over: Partial<ShelvedOffer> = {}, flight = leg === 0 ? segment('1') : back) => ({
    ...{ legs: LEGS.slice(leg, leg + 1), offer: of(flight) },
    ...over,
  });
  const both = { offer_ids: ['o000002', 'o000001'] };

  test.each<[string, DeskOptions]>([
    ['one offer per leg, in the order of the trip', on(out, home)],
    ['one-way offers, in the order of departure', on(alone(0), alone(1))],
  ])('joins %s', async (_title, options) => {
    const { sent } = await made(both, options);
    expect(sent.options).toMatchObject([
      { segments: [{ ref: '1', from: 'MED' }] },
      { segments: [{ ref: '2', from: 'JED' }] },
    ]);
    expect(sent.travelers[0].segmentRefs).toEqual(['1', '2']);
  });

  test('names a carrier that the offer lacks if the setting does, and takes an offer without a fare in the airline dialect', async () => {
    const { operating: _, ...nameless } = segment('1');
    const { sent } = await made({}, { ...on({ offer: of(nameless) }), settings: { carrier: 'HHR' } });
    expect(sent.options[0].segments[0].operating).toEqual({ carrier: 'HHR', number: '101' });
    const { fareBasis: __, ...bare } = segment('1');
    const airline = { ...on({ offer: of(bare) }), settings: { dialect: 'airline' } } as const;
    expect((await made({}, airline)).desk.sent()).toHaveLength(1);
  });

  test('refuses offers that make no trip, or no longer', async () => {
    const { operating: _, ...nameless } = segment('1');
    const { fareBasis: __, ...bare } = segment('1');
    const utc = { departs: '2026-12-01T05:00:00.000Z', arrives: '2026-12-01T07:10:00.000Z', journeyDate: '2026-12-01' };
    const soon = { ...back, departs: '2026-12-01T09:00:00+03:00' };
    const others = { passengers: party(2) };
    const limited = (payBy: string) =>
      on({ offer: offer({ pricing: pricing(1, { perType: [], fares: [fare('1', 'MED', 'JED', { payBy })] }) }) });
    const again = alone(0, {}, segment('1', { departs: '2026-12-02T08:00:00+03:00' }));
    await expectRefusals('create_booking_offers', {
      'an unknown offer': refused({ offer_ids: ['oNOTHERE'] }),
      'an offer that has expired': refused({}, on({ validUntil: '2026-11-29T05:00:00Z' })),
      'an offer whose time limit for payment passes now': refused({}, limited('2026-11-29T05:00:00Z')),
      'one leg of two': refused({}, on(out, home)),
      'a leg twice': refused({ offer_ids: ['o000001', 'o000001'] }, on(out, home)),
      'legs of two searches': refused(both, on(out, { ...home, legs: [...LEGS].reverse() })),
      'two trips on one way': refused(both, on({}, {})),
      'offers for other parties': refused(both, on(alone(0), alone(1, others))),
      'a way back before the arrival': refused(both, on(alone(0), alone(1, {}, soon))),
      'the same way twice': refused(both, on(alone(0), again)),
      'a segment before the one before arrives': refused({}, on({ offer: of(segment('1'), segment('2', soon)) })),
      'no fare basis in the rail dialect': refused({}, on({ offer: of(bare) })),
      'times in UTC alone': refused({}, on({ offer: of(segment('1', utc)) })),
      'no carrier': refused({}, on({ offer: of(nameless) })),
    });
    expect((await made({}, limited('2026-11-29T05:01:00Z'))).view.status).toBe('done');
  });
});

describe('the party', () => {
  const there = { offer: offer({ options: [OUT, BACK] }) };
  /** An adult and one passenger `over`, out and back. */
  const misfit = (over: Record<string, unknown>, ...counts: Parameters<typeof party>) =>
    refused({ passengers: [NOOR, person('Lina', 'P3000003', over)] }, on({ ...there, passengers: party(...counts) }));
  const withDocument = (over: object, number = 'P1000001') =>
    person('Amal', number, { document: passport(number, over) });

  test('refuses passengers who do not fit, with everything that is wrong at once', async () => {
    const nine = Array.from({ length: 10 }, (_, i) => person(`G${'abcdefghij'[i]}`, `P100000${i}`));
    const lap = (with_adult: number) => ({
      passengers: [AMAL, NOOR, infant('Lina', 'P30000', { with_adult: 2 }), infant('Sami', 'P40000', { with_adult })],
    });
    const two = forParty(2);
    await expectRefusals('create_booking', {
      'a child of 12': misfit({ type: 'CHD', birth_date: '2014-12-01' }, 1, 1),
      'an infant who turns two on the way back': misfit({ type: 'INF', birth_date: '2024-12-03' }, 1, 0, 1),
      'an adult of 11': misfit({ birth_date: '2014-12-02' }, 2),
      'born on the day of travel': misfit({ type: 'INF', birth_date: '2026-12-01' }, 1, 0, 1),
      'born after it': misfit({ type: 'INF', birth_date: '2027-01-01' }, 1, 0, 1),
      'a child alone': refused({ passengers: [person('Lina', 'P3000003', { birth_date: '2016-05-01' })] }),
      'an infant with no such adult': refused(lap(3), forParty(2, 0, 2)),
      'two infants with one adult': refused(lap(2), forParty(2, 0, 2)),
      'a document that expires on the way': refused({ passengers: [withDocument({ expires: '2026-12-01' })] }),
      'one document for two': refused(
        { passengers: [withDocument({}, 'P 1000001'), withDocument({}, 'p1000001')] },
        two,
      ),
      'letters that cannot be written otherwise, a child as an adult, and half the party': refused(
        { passengers: [person('花', 'P1000001', { birth_date: '2020-01-01' })] },
        two,
      ),
      'ten passengers': refused({ passengers: nine }, forParty(10)),
      'passengers and counts': refused({ passenger_counts: { adults: 1 } }),
      'neither passengers nor counts': refused({ passengers: undefined }),
      'a group name for named passengers': refused({ group_name: 'Choir' }),
    });
  });

  test('refuses arguments that cannot be sent, with the field and what is expected there', async () => {
    const amal = (over: object) => ({ passengers: [{ ...AMAL, ...over }] });
    const contact = (over: object) => ({ contact: { ...CONTACT, ...over } });
    const near = 'document.number: expected 3 to 30 letters and digits, without separators';
    const wrong: [object, string][] = [
      ...['id 123', 'P-1000/001', 'A'.repeat(28).concat('-1')].map((number): [object, string] => [
        amal({ document: passport(number) }),
        `passengers[0].${near}`,
      ]),
      ...['- /', '١٢٣٤'].map((number): [object, string] => [
        amal({ document: passport(number) }),
        'passengers[0].document.number: expected 3 to 30 letters and digits, without separators.',
      ]),
      [contact({ email: 'amal' }), 'contact.email: expected an e-mail address'],
      [contact({ phone: { country_code: '+966', number: 'x' } }), 'contact.phone.number: expected 4 to 15 digits'],
      [contact({ country: 'XYZ' }), 'contact.country: expected an ISO country code of two letters'],
      [contact({ document: passport('P-3000/003') }), `contact.${near}`],
      [
        { ...contact({ document: passport('P3000003') }), customer: 'p3000003' },
        'customer: this looks like the number of a document',
      ],
      [amal({ type: 'STU' }), 'passengers[0].type'],
      [amal({ birth_date: '1990-02-30' }), 'ask the person which day is meant. Nothing was sent.'],
      [amal({ surname: ' ' }), 'passengers[0].surname'],
      [amal({ document: { ...AMAL.document, nationality: 'XYZ' } }), 'two letters, such as SA'],
      [{ again_after: 'x y' }, 'again_after'],
    ];
    for (const [args, told] of wrong)
      expect(await refused(args)).toMatchObject({ code: 'E_INPUT', message: expect.stringContaining(told) });
  });

  test('refuses the document of the contact of a group where the airline takes none', async () => {
    const contact = { ...CONTACT, document: passport('P3000003') };
    const airline = { ...forParty(2), settings: { dialect: 'airline' } } as const;
    const { message } = await group.refused(undefined, { contact }, airline);
    expect(message).toContain(
      'contact.document: this airline takes no document of the contact of a group: leave it out',
    );
  });

  test('warns of a document that is valid for less than six months', async () => {
    const warnings = async (expires: string) =>
      (await made({ passengers: [withDocument({ expires })] })).view.warnings ?? [];
    expect(await warnings('2027-05-31')).toEqual([
      'The travel document of “Amal Haddad” expires on Mon 31 May 2027, less than 6 months after the last arrival; some countries refuse entry.',
    ]);
    expect(await warnings('2027-06-01')).toEqual([]);
  });
});

describe('the same trip', () => {
  test('is one booking whatever the offer and the order, and another by people or time', async () => {
    const later = { ...of(segment('1', { departs: '2026-12-01T09:00:00.000+03:00' })) };
    const two = { passengers: party(2) };
    const desk = await openDesk({ ...making(), ...on(two, two, { ...two, offer: later }) });
    const sendings = async (args: object) => {
      await desk.say('create_booking', { ...ARGS, passengers: [AMAL, NOOR], ...args });
      return desk.sent().length;
    };
    expect(await sendings({})).toBe(1);
    expect(await sendings({ offer_ids: ['o000002'], passengers: [NOOR, AMAL] })).toBe(1);
    // Another document may be another person, and the same one under another name is the same. Amal is on the trip already.
    for (const doubtful of [person('Noor', 'P2000003'), person('Nour', 'P2000002'), person('Nour', 'P3000003')]) {
      const { structured } = await desk.result('create_booking', { ...ARGS, passengers: [AMAL, doubtful] });
      expect(structured.error).toMatchObject({ code: 'E_ALREADY_DONE' });
    }
    expect(await sendings({ passengers: [person('Amina', 'P4000004'), person('Nour', 'P3000003')] })).toBe(2);
    expect(await sendings({ offer_ids: ['o000003'] })).toBe(3);
  });

  test('in another fare is refused with price and refund of the hold, whose release is free', async () => {
    const [light, flex] = ['LOW1', 'FLEX1'].map((fareBasis) => of(segment('1', { fareBasis })));
    const priced = {
      pricing: pricing(34500, { fares: [fare('1', 'MED', 'JED', { refundRules: [rule({ base: sar(4000) })] })] }),
    };
    const hold = held(priced);
    const desk = await openDesk({ ...making(priced), bookings: [hold], ...on({ offer: light }, { offer: flex }) });
    await desk.say('create_booking', ARGS);
    const { structured } = await desk.result('create_booking', { ...ARGS, offer_ids: ['o000002'] });
    const { code, message, next } = structured.error as { code: string; message: string; next: string };
    expect(code).toBe('E_ALREADY_DONE');
    expect(message).toMatch(
      /^You already hold ABC123 for this trip \(HHR101, HHR202\) at SAR 345\.00\. Refund if it is paid and then cancelled: .*comes back.* This offer is another fare or price\. Nothing was sent\.$/,
    );
    expect(next).toMatch(
      /^Ask the person: release ABC123 with cancel_booking, which is free, and call create_booking again/,
    );
  });

  test('is the same booking once its offers have gone, and nobody hears that it was not booked', async () => {
    const { desk, operation } = await made({}, { ...on({}), bookings: [held()] });
    desk.shelf.clear();
    const { view } = await desk.say('create_booking', ARGS);
    expect(view).toMatchObject({ status: 'already_done', booking: { locator: 'ABC123' } });
    expect(view.next).toContain(`pass again_after: "${operation.id}"`);
    expect(desk.sent()).toHaveLength(1);
    // A journal that was put back does not know of it.
    const lost = await create.refused();
    expect(lost.words).toMatch(/^E_OFFER_EXPIRED .* This call booked nothing, but an earlier one may have\.$/);
    expect(lost.next).toContain('list_bookings');
  });

  test('is booked again only if a person says so, and the first booking is named', async () => {
    const fared = of(segment('1', { fareBasis: 'LOW1', fareName: 'Eco Light' }));
    const { desk, operation } = await made({}, on({ offer: fared }));
    const again = { ...ARGS, again_after: operation.id };
    const question = await desk.ask('create_booking', again);
    await expectTexts('questions/create_booking', { 'Another booking of the same trip': Promise.resolve(question) });
    const second = await desk.say('create_booking', again);
    expect(second.operation).toMatchObject({ supersedes: operation.id });
    expect(desk.sent()).toHaveLength(2);
    // The locator, which the result has, names the same booking.
    const third = await desk.say('create_booking', { ...ARGS, again_after: 'abc123' });
    expect([operation.id, second.operation.id]).toContain(third.operation.supersedes);
    const others = { again_after: operation.id, passengers: [person('Sara', 'P9000009')] };
    for (const wrong of [{ again_after: 'op-8' }, { again_after: 'XYZ789' }, others]) {
      const { structured } = await desk.result('create_booking', { ...ARGS, ...wrong });
      expect(structured.error).toMatchObject({ code: 'E_INPUT' });
    }
  });
});

describe('the result', () => {
  const aboveBooking = ({ text }: { text: string }) => ({ text: text.slice(0, text.indexOf('\nSegments')) });
  const lost = pricing(34500, { fares: [fare('1', 'MED', 'JED', { refundRules: [rule({ refundable: false })] })] });

  const free = keptRules([], [fare('1', 'MED', 'JED', { refundRules: [rule({ base: sar(0) })] })], NOW);

  test('names a changed price, another fare and another refund rule before anything else', async () => {
    const other = { options: [option(segment('1', { fareBasis: 'OTHER1' }))] };
    await expectTexts('results/create_booking', {
      'The price changed': made({ passengers: [person('Jörg', 'P1000001')] }),
      'The refund rule changed': made({}, on({ refundNote: 'Free cancellation', refundRules: free }), {
        pricing: lost,
      }).then(aboveBooking),
      'Held in another fare': made({}, on({}), other).then(aboveBooking),
    });
  });

  test('names no refund where only some of the flights are listed', async () => {
    const { view } = await made({}, on({}), { pricing: pricing(34500) });
    expect(view).not.toHaveProperty('not_as_offered');
    expect(view).toMatchObject({ refund: { note: 'The airline sent no refund rule.' } });
    expect(view).not.toHaveProperty('warnings');
    const half = await made({}, on({ offer: offer({ options: [OUT, BACK] }) }), { options: [OUT] });
    expect(half.view).not.toHaveProperty('refund');
  });

  const SENT = traveler('1', 'Amal', 'Haddad', {
    document: { number: 'P1000001', docType: '2', nationality: 'SA', expires: '2031-01-01' },
    emails: ['amal@example.com'],
  });
  /** A hold of OUT at the price of the offer, of whom it was asked for. */
  const asOffered = {
    ...{ options: [OUT], pricing: pricing(34500), contact: contactNamed('Amal', 'Haddad') },
    travelers: [SENT],
  };
  const payArgs = { locator: 'ABC123', payment: { type: 'invoice' } };
  const heldLate = { ...asOffered, options: [option(segment('1', { departs: '2026-12-01T10:00:00.000+03:00' }))] };

  test('names an address that nobody sent, in the result and in the question about the payment', async () => {
    const strange = { ...asOffered, contact: contactNamed('Amal', 'Haddad') };
    strange.contact = { ...strange.contact, emails: [...strange.contact.emails, 'eve@stranger.example'] };
    const desk = await openDesk({ ...on({}), ...making(strange), bookings: [held(strange)] });
    const said = 'NOT AS OFFERED: the other e-mail of the contact is not the one sent, but e***@stranger.example.';
    expect((await desk.say('create_booking', ARGS)).text).toContain(said);
    expect((await desk.ask('pay_booking', payArgs)).lines).toContain(said);
  });

  test('never makes the payment of a hold that is not as offered the next step, and its question says it again', async () => {
    const desk = await openDesk({ ...on({}), ...making(heldLate), bookings: [held(heldLate)] });
    const { view, text } = await desk.say('create_booking', ARGS);
    expect(text).toMatch(/^NOT AS OFFERED: train HHR101 leaves 10:00, offered 08:00\. Booking ABC123/);
    expect(view.next).toBe(
      'Tell the person what differs. If they still want it, call pay_booking, whose question says it again. If not, release it with cancel_booking.',
    );
    expect(view.not_as_offered).toEqual([
      { what: 'departure of train HHR101', asked: '2026-12-01T08:00+03:00', held: '2026-12-01T10:00+03:00' },
    ]);
    const again = await desk.say('create_booking', ARGS);
    expect([again.view.status, again.text]).toEqual(['already_done', expect.stringContaining('NOT AS OFFERED: train')]);
    const question = await desk.ask('pay_booking', payArgs);
    expect(question.lines).toContain('NOT AS OFFERED: train HHR101 leaves 10:00, offered 08:00.');
    const plan = await desk.read('propose_plan', { steps: [{ tool: 'pay_booking', arguments: payArgs }] });
    expect(plan.view.lines[0].caution).toBe('NOT AS OFFERED: train HHR101 leaves 10:00, offered 08:00.');
    expect(plan.text).toContain('; NOT AS OFFERED: train HHR101 leaves 10:00, offered 08:00.');
    const { lines } = await desk.ask('run_plan', { plan_id: plan.view.plan_id });
    expect(lines).toContain('NOT AS OFFERED: train HHR101 leaves 10:00, offered 08:00.');
  });

  test('is silent about a hold as offered, a part of it, and what was made elsewhere', async () => {
    const desk = await openDesk({ ...on({}), ...making(asOffered), bookings: [held(asOffered)] });
    const { view } = await desk.say('create_booking', ARGS);
    expect([view.summary, view.not_as_offered]).toEqual([expect.stringMatching(/^Booking/), undefined]);
    expect((await desk.ask('pay_booking', payArgs)).text).not.toContain('NOT AS OFFERED');
    const elsewhere = await openDesk({ bookings: [held(heldLate)] });
    expect((await elsewhere.ask('pay_booking', payArgs)).text).not.toContain('NOT AS OFFERED');
    // The reply lists one flight of two, and the booking cannot be read.
    const read = async () => {
      throw new ClerkError('E_AIRLINE_TIMEOUT', 'No answer.', { next: 'Wait.' });
    };
    const { airline } = making(heldLate);
    const part = await openDesk({ ...on({ offer: offer({ options: [OUT, BACK] }) }), airline: { ...airline, read } });
    expect((await part.say('create_booking', ARGS)).view).not.toHaveProperty('not_as_offered');
  });

  describe('people who are not those that were sent', () => {
    const other = { ...SENT, document: { ...SENT.document, number: 'P1000999' } };
    const shows = (...travelers: Booking['travelers']) => held({ ...asOffered, travelers });
    /** Holds what was sent, then reads what is shown. */
    const holding = async (shown: Booking) => {
      const desk = await openDesk({ ...on({}), ...making(asOffered), bookings: [shown] });
      expect((await desk.say('create_booking', ARGS)).view).not.toHaveProperty('not_as_offered');
      return desk;
    };

    test('stand in the question about its payment and in that of a plan, masked', async () => {
      const desk = await holding(shows(other));
      const line = 'NOT AS OFFERED: the document number of passenger 1 is not the one sent, but •••••999.';
      expect((await desk.ask('pay_booking', payArgs)).lines).toContain(line);
      const plan = await desk.read('propose_plan', { steps: [{ tool: 'pay_booking', arguments: payArgs }] });
      expect((await desk.ask('run_plan', { plan_id: plan.view.plan_id })).lines).toContain(line);
    });

    test('are nobody else if they are as sent, masked, renumbered or in capitals, or nothing is known of them any more', async () => {
      const masked = { ...SENT, name: personName('A***', 'H****D'), document: { number: '*****001' } };
      const capitals = { ...SENT, ref: '61', name: personName('AMALMRS', 'HADDAD') };
      for (const shown of [SENT, masked, capitals]) {
        const desk = await holding(shows(shown));
        expect((await desk.ask('pay_booking', payArgs)).text).not.toContain('NOT AS OFFERED');
      }
      const desk = await holding(shows(other));
      const [{ id }] = await desk.operations();
      expect((await desk.state.operations.askedPeople([id])).size).toBe(1);
      await desk.forget('ABC123');
      expect((await desk.state.operations.askedPeople([id])).size).toBe(0);
      expect((await desk.ask('pay_booking', payArgs)).text).not.toContain('NOT AS OFFERED');
    });

    test('are those of the newest change that was made', async () => {
      const sara = { ...SENT, name: personName('Sara', 'Haddad') };
      const bookings = [shows(SENT)];
      const modify = async () => {
        bookings[0] = shows(sara);
        return shows(sara);
      };
      const { airline } = making(asOffered);
      const desk = await openDesk({ ...on({}), airline: { ...airline, modify }, bookings });
      await desk.say('create_booking', ARGS);
      const changes = [{ passenger_ref: '1', given_name: 'Sara' }];
      const { view } = await desk.say('change_names', { locator: 'ABC123', changes });
      expect(view.status).toBe('done');
      expect((await desk.ask('pay_booking', payArgs)).text).not.toContain('NOT AS OFFERED');
      bookings[0] = shows(SENT);
      expect((await desk.ask('pay_booking', payArgs)).lines).toContain(
        'NOT AS OFFERED: the name of passenger 1 is not the one sent, but “Amal Haddad”.',
      );
    });
  });

  test('is made of a reply whose names are masked, and not of one with other names', async () => {
    const nameOf = (given: string, surname: string) => ({
      travelers: [traveler('1', given, surname, { document: undefined })],
      contact: undefined,
    });
    expect((await made({}, on({}), nameOf('A***', 'H****D'))).view.booking.locator).toBe('ABC123');
    expect((await made({}, on({}), nameOf('Amal', 'Haddad'))).view.booking.locator).toBe('ABC123');
    await expect(made({}, on({}), nameOf('Ursula', 'Quast'))).rejects.toThrow();
  });

  test('tells of a service and a limit that are not as they were asked and held', async () => {
    const services = (status: string) => [{ code: 'WCHR', status, travelerRefs: ['1'], segmentRefs: ['1'] }];
    const fares = (namesUntil: string) => ({
      pricing: pricing(34500, { fares: [fare('1', 'MED', 'JED', { namesUntil })] }),
    });
    const first = { ...asOffered, ...fares('2026-11-30T00:00:00Z'), services: services('NN') };
    const later = { ...first, ...fares('2026-11-29T12:00:00Z') };
    const [wish] = ARGS.passengers;
    const args = { ...ARGS, passengers: [{ ...wish, services: [{ code: 'WCHR' }] }] };
    const settings = { dialect: 'airline' } as const;
    const desk = await openDesk({ ...on({}), ...making(first), settings, bookings: [held(later)] });
    const { view } = await desk.say('create_booking', args);
    expect([view.not_as_offered, view.warnings]).toEqual([
      undefined,
      [expect.stringContaining('requested; the airline has not confirmed it yet')],
    ]);
    expect((await desk.ask('pay_booking', payArgs)).lines).toContain(
      'NOT AS OFFERED: passenger 1 has no confirmed WCHR wheelchair to the ramp: requested; the airline has not confirmed it yet; ' +
        'the time limit for names is Sun 29 Nov 15:00 (UTC+3), at first Mon 30 Nov 03:00 (UTC+3).',
    );
    const refused = await openDesk({ ...on({}), ...making({ ...first, services: services('UN') }), settings });
    const { text, view: second } = await refused.say('create_booking', args);
    expect(text).toMatch(
      /^NOT AS OFFERED: passenger 1 has no confirmed WCHR wheelchair to the ramp: refused by the airline\./,
    );
    expect(second.warnings).toBeUndefined();
  });

  test('is paid until the limit that it had, where a later reading leaves that out', async () => {
    const limit = { pricing: pricing(34500, { fares: [fare('1', 'MED', 'JED')] }) };
    const none = { pricing: pricing(34500, { fares: [fare('1', 'MED', 'JED', { payBy: undefined })] }) };
    const first = { ...asOffered, ...limit };
    const linesOf = async (later: object) => {
      const desk = await openDesk({ ...on({}), ...making(first), bookings: [held({ ...first, ...later })] });
      await desk.say('create_booking', ARGS);
      return (await desk.ask('pay_booking', payArgs)).text;
    };
    expect(await linesOf(limit)).toMatch(/Pay by Sun 29 Nov 08:25 \(UTC\+3\)\./);
    expect(await linesOf(none)).toContain(
      'Pay by Sun 29 Nov 08:25 (UTC+3), as the hold said; the airline names no limit now.',
    );
  });

  test('calls a hold made before only if it was, and says what it is else', async () => {
    const paid = ticketed({ ...asOffered, travelers: [traveler('1', 'Amal', 'Haddad')] });
    const { view } = await made({}, on({}), { ...asOffered, orders: paid.orders });
    expect(view.summary).toMatch(
      /^NOT AS OFFERED: the state is ticketed, offered held\. Booking ABC123 .* is ticketed/,
    );
  });

  test('tells what became of it when the call is repeated, and calls nothing held after the hold has lapsed', async () => {
    const soon = '2026-11-29T05:00:00Z';
    for (const [booking, told, at, status, sendings] of [
      [held(), / is held until .*, not paid\./, soon, 'already_done', 1],
      [ticketed(), /This booking was made before\. Booking ABC123 .* is ticketed\./, soon, 'already_done', 1],
      // The same trip is booked anew.
      [held(), /^(?![\s\S]*not paid\.)/, '2026-11-30T00:00:00Z', 'done', 2],
    ] as const) {
      const { desk } = await made({}, { ...on({}), bookings: [booking] });
      desk.moveTo(at);
      const { view, text } = await desk.say('create_booking', ARGS);
      expect([view.status, desk.sent().length, text]).toEqual([status, sendings, expect.stringMatching(told)]);
    }
  });

  test('says first that its payment is not settled when the call is repeated', async () => {
    const pay = async () => {
      throw new ClerkError('E_AIRLINE_TIMEOUT', 'No answer.', { next: 'Wait.', effect: 'unknown' });
    };
    const desk = await openDesk({ ...on({}), bookings: [held()], airline: { ...making().airline, pay } });
    await desk.say('create_booking', ARGS);
    await desk.say('pay_booking', { locator: 'ABC123', payment: { type: 'invoice' } });
    const { view, text } = await desk.say('create_booking', ARGS);
    expect(view.summary).toMatch(/^Already done before.*\. The payment on booking ABC123 is not settled/);
    expect(text).not.toMatch(/To pay now|min left|not paid|pay until|Pay with/);
  });
});
