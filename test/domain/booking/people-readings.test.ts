/** What changed of people, of their tickets and flights, and of what they pay, from one reading of a booking to the next. */

import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keptReading } from '../../../src/domain/facts/kept-reading.ts';
import { findingText } from '../../../src/domain/facts/words.ts';
import { identityText } from '../../../src/domain/people/identity-text.ts';
import { NO_REFUNDS, newOperation } from '../../store/support/new-operation.ts';
import {
  BACK,
  type Booking,
  type Coupon,
  faresOf,
  held,
  NOW,
  OUT,
  option,
  price,
  reread,
  rule,
  type Segment,
  sar,
  segment,
  type Ticket,
} from '../../support/bookings.ts';
import { bareTraveler, contactNamed, personName, type Traveler, traveler } from '../../support/people.ts';
import { readingDesk } from '../../support/reading-desk.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const desk = readingDesk();
const { see } = desk;

let bookings = 0;
/** What the readings after the first find, five minutes after each other. */
async function found(...readings: readonly Booking[]) {
  const locator = `P${++bookings}`;
  const all: Awaited<ReturnType<typeof see>>['found'][] = [];
  for (const [i, booking] of readings.entries()) all.push((await see(locator, booking, NOW + i * 5 * MINUTE)).found);
  return all.slice(1).flat();
}

const facts = async (...readings: readonly Booking[]) =>
  (await found(...readings)).map(({ kind, before, after }) => ({ kind, before, after }));
const kinds = async (...readings: readonly Booking[]) => (await found(...readings)).map(({ kind }) => kind);

const passport = (number: string) => ({ number, docType: '2', nationality: 'SA', expires: '2031-01-01' });
const AMAL = traveler('1', 'Amal', 'Haddad', { document: passport('P1'), emails: ['amal@example.com'] });
const NOOR = traveler('2', 'Noor', 'Haddad', {
  ...{ document: passport('P2'), type: 'CHD', birthDate: '2016-03-02' },
  phones: [{ countryCode: '966', number: '551234567' }],
});
const contact = contactNamed('Amal', 'Haddad', { phones: [{ countryCode: '966', number: '550000001' }] });

const coupon = (segmentRef: string, over: Partial<Coupon> = {}): Coupon => ({
  ...{ segmentRef, number: segmentRef, statusCode: 'O', ...over },
});
const ticket = (number: string, ref: string, ...coupons: Coupon[]): Ticket => ({
  ...{ number, travelerRefs: [ref], segmentRefs: ['1', '2'], coupons, links: [] },
});
const [T1, T2] = [ticket('T1', '1', coupon('1'), coupon('2')), ticket('T2', '2', coupon('1'), coupon('2'))];
const hold = (over: Partial<Booking> = {}): Booking =>
  held({ options: [OUT, BACK], travelers: [AMAL, NOOR], contact, ...over });
const paid = (over: Partial<Booking> = {}): Booking => hold({ tickets: [T1, T2], ...over });
const people = (...travelers: Traveler[]) => paid({ travelers });
const named = (given: string, surname: string, over: Parameters<typeof personName>[2] = {}) =>
  people({ ...AMAL, name: personName(given, surname, over) }, NOOR);
const flight = (over: Partial<Segment>) => paid({ options: [option(segment('1', over)), BACK] });

it('digests each text of a reading once, whoever it is about', () => {
  const digested: string[] = [];
  const alike = { ...contactNamed('Amal', 'Haddad'), emails: AMAL.emails };
  const kept = keptReading(paid({ contact: alike }), NOW, (text) => `digest of ${digested.push(text)}`);
  expect(digested).toEqual([...new Set(digested)]);
  expect(kept.contact?.emails).toEqual(kept.persons?.[0]?.emails);
});

describe('a passenger', () => {
  it('of another name is found, whatever tells that it is one person', async () => {
    const other = { kind: 'name_changed', before: {}, after: { person: '1', detail: 'name' } };
    expect(await facts(paid(), named('Zaid', 'Haddad'))).toEqual([other]);
    expect(await facts(paid(), named('Amal', 'Harbi'))).toEqual([other]);
    // Without a document, because nobody else is left.
    const bare = ({ document: _, ...one }: Traveler) => one;
    const nobody = people(bare({ ...AMAL, name: personName('Zaid', 'Harbi') }), bare(NOOR));
    expect(await facts(people(bare(AMAL), bare(NOOR)), nobody)).toEqual([other]);
  });

  it('in another spelling is no difference', async () => {
    const long = 'Wolfeschlegelsteinhausenberger';
    const spellings: readonly (readonly [Booking, Booking])[] = [
      [named('Anna Maria', 'Müller'), named('ANNAMARIA', 'MULLER')],
      [named('Anna', 'Müller', { middle: ['Maria'] }), named('ANNA MARIA MRS', 'MULLER')],
      [named('Anna', 'Müller', { middle: ['Maria'] }), named('ANNAMARIAMRS', 'MULLER')],
      [named('AMALMRS', 'HADDAD'), named('Amal', 'Haddad')],
      [named('Haddad', 'Amal'), named('Amal', 'Haddad')],
      [named('Amal', 'Al Haddad'), named('AMAL', 'ALHADDAD')],
      [named('Anneliese', long), named('ANNELIESE', long.toUpperCase().slice(0, 20))],
    ];
    for (const [before, after] of spellings) {
      expect(await kinds(before, after, before)).toEqual([]);
    }
  });

  it('whose values are left out, masked, or in another order under other pointers is no difference', async () => {
    const { document: _, birthDate: _b, ...bare } = AMAL;
    const masked = {
      ...AMAL,
      ...{ name: personName('A***', 'H*****'), birthDate: undefined as never, emails: ['a***@example.com'] },
      document: { ...passport('******'), nationality: 'SAU' },
    };
    const { name: _n, ...nameless } = bare;
    const noName = { ...nameless, emails: [], segmentRefs: [] };
    for (const one of [bare, masked, noName]) expect(await kinds(paid(), people(one, NOOR), paid())).toEqual([]);
    const unnumbered = people({ ...NOOR, ref: '7' }, { ...AMAL, ref: '8' });
    const tickets = [ticket('T2', '7', coupon('1'), coupon('2')), ticket('T1', '8', coupon('2'), coupon('1'))];
    expect(await kinds(paid(), { ...unnumbered, tickets }, paid())).toEqual([]);
    // One word is no name to compare, and neither are other letters.
    expect(await kinds(paid(), named('', 'HADDAD'), named('أمل', 'حداد'), paid())).toEqual([]);
    expect(await kinds(paid(), paid({ travelers: [] }), paid({ travelers: [], options: [] }), paid())).toEqual([]);
  });

  it('of another type, document or birth date is found; a type alone tells nothing of whom nothing else tells', async () => {
    const swapped = people({ ...AMAL, type: 'CHD' }, { ...NOOR, type: 'ADT' });
    expect(await facts(paid(), swapped)).toEqual([
      { kind: 'type_changed', before: { type: 'ADT' }, after: { type: 'CHD', person: '1' } },
      { kind: 'type_changed', before: { type: 'CHD' }, after: { type: 'ADT', person: '2' } },
    ]);
    const detail = (what: string) => [{ kind: 'document_changed', before: {}, after: { person: '1', detail: what } }];
    const document = (over: object) => people({ ...AMAL, document: { ...passport('P1'), ...over } }, NOOR);
    expect(await facts(paid(), document({ number: 'X9' }))).toEqual(detail('document number'));
    expect(await facts(paid(), document({ expires: '2030-01-01' }))).toEqual(detail('expiry of the document'));
    expect(await facts(paid(), people({ ...AMAL, birthDate: '1990-04-13' }, NOOR))).toEqual(detail('birth date'));
    expect(await kinds(paid(), document({ number: 'p-1', nationality: 'SAU' }))).toEqual([]);
  });

  it('with another e-mail address or telephone is found, and so is another contact', async () => {
    const emails = people({ ...AMAL, emails: ['eve@example.com'] }, NOOR);
    const other = (person: string, detail: string) => [
      { kind: 'contact_changed', before: {}, after: { person, detail } },
    ];
    expect(await facts(paid(), emails)).toEqual(other('1', 'e-mail'));
    expect(await facts(paid(), people(AMAL, { ...NOOR, phones: [{ number: '700' }] }))).toEqual(
      other('2', 'telephone'),
    );
    const ofBooking = (over: object) => paid({ contact: { ...contact, ...over } });
    expect(await facts(paid(), ofBooking({ emails: ['eve@example.com'] }))).toEqual(other('contact', 'e-mail'));
    expect(await facts(paid(), ofBooking({ phones: [{ number: '+966550000009' }] }))).toEqual(
      other('contact', 'telephone'),
    );
    const same = { emails: ['AMAL@example.com'], phones: [{ number: '00966550000001' }] };
    expect(await kinds(paid(), ofBooking(same), ofBooking({ emails: [], phones: [] }), paid())).toEqual([]);
    // The same number in another country is another telephone, once both say in which.
    const [there, nowhere] = [
      { phones: [{ countryCode: '44', number: '0550000001' }] },
      { phones: [{ number: '0550000001' }] },
    ];
    expect(await facts(paid(), ofBooking(there))).toEqual(other('contact', 'telephone'));
    expect(await kinds(paid(), ofBooking(nowhere), ofBooking(there))).toEqual([]);
    const { contact: _, ...without } = paid();
    expect(await kinds(paid(), without, ofBooking({ emails: ['eve@example.com'] }))).toEqual(['contact_changed']);
    expect(await kinds(without, paid())).toEqual([]);
  });

  it('with an e-mail address or a telephone beside the one before is found, unless somebody of the booking had it', async () => {
    const beside = (person: string, detail: string) => [
      { kind: 'contact_changed', before: { detail }, after: { person, detail } },
    ];
    const mails = (...more: readonly string[]) => people({ ...AMAL, emails: [...AMAL.emails, ...more] }, NOOR);
    expect(await facts(paid(), mails('eve@example.com'), paid())).toEqual(beside('1', 'e-mail'));
    const phones = (...more: Traveler['phones']) => people(AMAL, { ...NOOR, phones: [...NOOR.phones, ...more] });
    expect(await facts(paid(), phones({ countryCode: '44', number: '7700900123' }))).toEqual(beside('2', 'telephone'));
    const ofBooking = paid({ contact: { ...contact, phones: [...contact.phones, { number: '0700900123' }] } });
    expect(await facts(paid(), ofBooking)).toEqual(beside('contact', 'telephone'));
    expect(await kinds(paid(), mails(' AMAL@example.com', 'a***@example.com'))).toEqual([]);
    expect(await kinds(paid(), phones(...contact.phones, { number: '0551234567' }))).toEqual([]);
    expect(await kinds(people({ ...AMAL, emails: [] }, NOOR), mails('eve@example.com'))).toEqual([]);
  });

  it('with a document beside the one before is found, whichever of them comes first, unless somebody of the booking had it', async () => {
    const two = (...[document, other]: Traveler['otherDocuments'] & {}) =>
      people({ ...AMAL, document, otherDocuments: other && [other] }, NOOR);
    const [first, second] = [passport('P1'), { ...passport('X9'), docType: '5', expires: '2033-03-03' }];
    const found = { kind: 'document_changed', before: { detail: 'document number' } };
    const beside = [{ ...found, after: { person: '1', detail: 'document number' } }];
    expect(await facts(two(first), two(first, second), two(second, first))).toEqual(beside);
    expect(await facts(two(first), two(second, first))).toEqual(beside);
    expect(await kinds(two(first, second), two(first), two(second))).toEqual(['document_changed']);
    expect(await kinds(two(first), two(first, passport('P2')))).toEqual([]);
    expect(await kinds(two(first), two(first, { ...second, number: '••••9' }))).toEqual([]);
    expect(await kinds(two(first), two({ ...first, expires: '2032-02-02' }, second))).toEqual([
      'document_changed',
      'document_changed',
    ]);
  });

  it('with another expiry of a document beside the one before is found, also of the second document', async () => {
    const [first, second] = [passport('P1'), { ...passport('X9'), docType: '5', expires: '2033-03-03' }];
    const withDocuments = (...otherDocuments: Traveler['otherDocuments'] & {}) =>
      people({ ...AMAL, document: first, otherDocuments }, NOOR);
    const beside = (detail: string) => [
      { kind: 'document_changed', before: { detail }, after: { person: '1', detail } },
    ];
    const later = { expires: '2041-01-31' };
    expect(await facts(withDocuments(), withDocuments({ ...first, ...later }), withDocuments())).toEqual(
      beside('expiry of the document'),
    );
    expect(await facts(withDocuments(second), withDocuments({ ...second, ...later }))).toEqual(
      beside('expiry of the document'),
    );
    expect(await facts(withDocuments(), withDocuments(second))).toEqual(beside('document number'));
  });

  it('who is one more is found', async () => {
    const more = people(AMAL, NOOR, traveler('3', 'Zaid', 'Harbi'));
    const added = { kind: 'passenger_added', before: { passengers: 2 }, after: { passengers: 3 } };
    expect(await facts(paid(), more)).toEqual([added]);
    expect(await kinds(paid({ travelers: [] }), paid())).toEqual([]);
  });

  it('who is no longer on a flight, or new on one, is found, if pointers tell', async () => {
    const rides = (...refs: string[]) => people(AMAL, { ...NOOR, segmentRefs: refs });
    const off = { kind: 'passenger_off_flight', before: { person: '2' }, after: {} };
    expect(await facts(paid(), rides('1'))).toEqual([off]);
    expect((await found(paid(), rides('1')))[0]?.segment).toMatchObject({ number: '202' });
    const on = { kind: 'passenger_on_flight', before: {}, after: { person: '2' } };
    expect(await facts(rides('1'), paid())).toEqual([on]);
    expect(await kinds(paid(), rides(), rides('1', '9'), paid())).toEqual([]);
    // While a reading shows no segment, its pointers are of none.
    expect(await kinds(paid(), { ...rides('1'), options: [] }, paid())).toEqual([]);
    expect(await kinds(paid(), paid({ travelers: [], options: [BACK, OUT] }), paid())).toEqual([]);
    const both = [OUT, option({ ...(BACK.segments[0] as Segment), ref: '1' })];
    expect(await kinds(paid({ options: both }), paid())).toEqual([]);
  });
});

describe('a ticket', () => {
  const tickets = (...all: Ticket[]) => paid({ tickets: all });

  it('of another passenger is found, if both are in both readings', async () => {
    const other = tickets({ ...T1, travelerRefs: ['2'] }, { ...T2, travelerRefs: ['1'] });
    expect(await facts(paid(), other)).toContainEqual({
      ...{ kind: 'ticket_of_other', before: { person: '1' }, after: { person: '2' } },
    });
    expect(await kinds(paid(), named('Zaid', 'Haddad'))).toEqual(['name_changed']);
    expect(await kinds(paid(), tickets({ ...T1, travelerRefs: [] }, T2))).toEqual([]);
  });

  it('of another passenger is found where two names are exchanged in a reading that leaves out the documents', async () => {
    const bare = (ref: string, { name }: Traveler) => bareTraveler(ref, { name });
    const before = people(AMAL, { ...NOOR, type: 'ADT' });
    const same = people(bare('1', AMAL), bare('2', NOOR));
    const anew = people(bare('1', NOOR), bare('2', AMAL));
    expect(await kinds(before, same)).toEqual([]);
    expect(await kinds(before, anew)).toEqual(Array(4).fill('ticket_of_other'));
    // The airline numbers its passengers anew, and their tickets with them.
    const moved = [
      { ...T1, travelerRefs: ['2'] },
      { ...T2, travelerRefs: ['1'] },
    ];
    expect(await kinds(before, { ...anew, tickets: moved })).toEqual([]);
    // Two tickets of one passenger are known, whether documents are shown or not.
    const twice = [T1, T2, ticket('T9', '1', coupon('1'))];
    expect(await kinds({ ...before, tickets: twice }, { ...same, tickets: twice })).toEqual([]);
  });

  it('that is gone is found beside others, unless another one may be in its place', async () => {
    const gone = { kind: 'ticket_gone', before: { tickets: 2 }, after: { tickets: 1 } };
    expect(await facts(paid(), tickets(T1))).toEqual([gone, gone]);
    expect(await facts(paid(), tickets(T1, { ...T2, coupons: [coupon('1')] }))).toEqual([gone]);
    expect(await facts(paid(), tickets({ ...T1, coupons: [coupon('2', { number: '1' }), coupon('2')] }, T2))).toEqual([
      gone,
    ]);
    expect(await kinds(paid(), tickets())).toEqual([]);
    expect(await kinds(paid(), tickets(T1, { ...T2, number: 'T9' }))).toEqual([]);
    expect(await kinds(paid(), tickets(T1, ticket('T9', '9', coupon('7'), coupon('8'))))).toEqual(['ticket_astray']);
    expect(await kinds(paid(), paid({ travelers: [AMAL], tickets: [T1] }))).toEqual(['passenger_gone']);
    // A reading without passengers does not say whether the one of the ticket has left.
    const unsaid = paid({ travelers: [], tickets: [T1] });
    expect(await kinds(paid(), unsaid, paid({ travelers: [AMAL], tickets: [T1] }))).toEqual(['passenger_gone']);
    expect(await facts(paid(), unsaid, tickets(T1))).toEqual([gone, gone]);
  });

  it('twice for one passenger and segment is found; exchanged, repeated and conjunctive ones are no difference', async () => {
    const second = ticket('T9', '1', coupon('1'));
    const twice = { kind: 'ticket_twice', before: { tickets: 1 }, after: { tickets: 2, person: '1' } };
    expect(await facts(paid(), tickets(T1, T2, second), tickets(second, T1, T2))).toEqual([twice]);
    const exchanged = ticket('T0', '1', coupon('1', { statusCode: 'E' }), coupon('2', { statusCode: 'E' }));
    expect(await kinds(paid(), tickets(exchanged, T1, T2))).toEqual([]);
    const repeated = ticket('T1', '1', coupon('1', { number: '01' }));
    expect(await kinds(paid(), tickets(T1, T2, repeated))).toEqual([]);
    const conjunctive = [ticket('T1', '1', coupon('1')), ticket('T9', '1', coupon('2')), T2];
    expect(await kinds(paid(), tickets(...conjunctive))).toEqual([]);
    // The first tickets of a hold, too.
    expect(await kinds(hold(), tickets(T1, T2, second))).toEqual(['ticket_twice']);
  });

  it('that is new and of no passenger or for no flight is found, and one that is there and names another', async () => {
    const astray = (detail: string) => [{ kind: 'ticket_astray', before: {}, after: { tickets: 1, detail } }];
    const stranger = (over: Partial<Ticket>) => tickets(T1, T2, { ...ticket('T9', '9', coupon('1')), ...over });
    expect(await facts(paid(), stranger({}), stranger({}))).toEqual(astray('passenger'));
    expect(await facts(paid(), stranger({ travelerRefs: [] }))).toEqual(astray('passenger'));
    expect(await kinds(paid(), stranger({ ticketType: 'EMD' }))).toEqual([]);
    const conjunctive = { travelerRefs: ['1'], coupons: [coupon('7')] };
    expect(await facts(paid(), stranger(conjunctive))).toEqual(astray('flight'));
    expect(await kinds(paid(), stranger({ ...conjunctive, coupons: [coupon('7', { statusCode: 'E' })] }))).toEqual([]);
    const flown = { ...T1, coupons: [coupon('1'), coupon('2'), coupon('7')] };
    expect(await kinds(paid(), tickets(flown, T2))).toEqual([]);
    expect(await facts(paid(), tickets({ ...T1, coupons: [coupon('1'), coupon('7', { number: '2' })] }, T2))).toEqual(
      astray('flight'),
    );
    expect(await facts(paid(), tickets({ ...T1, travelerRefs: ['9'] }, T2))).toEqual(astray('passenger'));
    // Who has left may have a ticket for a while. An airline that names nobody at all says nothing.
    expect(await kinds(paid(), paid({ travelers: [AMAL] }))).toEqual(['passenger_gone']);
    const unsaid = [T1, T2].map((one) => ({ ...one, travelerRefs: [] }));
    expect(await kinds(hold(), tickets(...unsaid))).toEqual([]);
    expect(await kinds(hold(), paid({ travelers: [] }))).toEqual([]);
  });

  it('that counts as flown before the departure is found, but not in the hour before it', async () => {
    const flown = tickets(ticket('T1', '1', coupon('1', { statusCode: 'F' }), coupon('2')), T2);
    expect(await facts(paid(), flown, flown)).toEqual([
      { kind: 'flown_early', before: { status: 'open' }, after: { status: 'flown', tickets: 1 } },
    ]);
    const locator = `P${++bookings}`;
    await see(locator, paid(), NOW);
    const justBefore = Date.parse('2026-12-01T05:00:00Z') - 30 * MINUTE;
    expect((await see(locator, flown, justBefore)).found).toEqual([]);
    const soon = { options: [option(segment('1', { departs: 'soon' })), BACK] };
    expect(await kinds(paid(soon), { ...flown, ...soon })).toEqual([]);
  });
});

describe('a flight', () => {
  it('of another carrier or fare is found; what either reading leaves out is no difference', async () => {
    const carrier = (code: string, sold?: string) =>
      flight({
        operating: { carrier: code, number: '101' },
        ...(sold !== undefined && { marketing: { carrier: sold } }),
      });
    expect(await facts(paid(), carrier('XY'))).toEqual([
      { kind: 'carrier_changed', before: { carrier: 'HHR' }, after: { carrier: 'XY' } },
    ]);
    expect(await facts(carrier('HHR', 'AB'), carrier('HHR', 'CD'))).toEqual([
      { kind: 'carrier_changed', before: { carrier: 'AB', detail: 'sold' }, after: { carrier: 'CD', detail: 'sold' } },
    ]);
    expect(await kinds(carrier('HHR', 'AB'), carrier('XY', 'CD'))).toEqual(['carrier_changed']);
    expect(await facts(paid(), flight({ fareBasis: 'YLITE' }))).toEqual([
      { kind: 'fare_changed', before: { fare: 'YOW' }, after: { fare: 'YLITE' } },
    ]);
    expect(await facts(paid(), flight({ operating: { carrier: 'HHR', number: '0107' } }))).toEqual([
      { kind: 'carrier_changed', before: { carrier: 'HHR101' }, after: { carrier: 'HHR0107' } },
    ]);
    expect(await kinds(paid(), flight({ operating: { carrier: 'HHR', number: '0101' } }))).toEqual([]);
    const { operating: _, fareBasis: _f, ...bare } = segment('1');
    const stripped = paid({ options: [option(bare), BACK] });
    expect(await kinds(paid(), stripped, flight({ fareBasis: 'yow' }))).toEqual([]);
    expect(await kinds(paid(), stripped, flight({ fareBasis: 'YLITE' }))).toEqual(['fare_changed']);
  });

  it('of another class or number has another fare or carrier', async () => {
    expect(await kinds(paid(), flight({ bookingClass: 'C', fareBasis: 'COW' }))).toEqual(['class_changed']);
    const { fareBasis: _, operating: _o, ...bare } = segment('1');
    const other = (over: Partial<Segment>) => paid({ options: [option({ ...bare, ...over }), BACK] });
    expect(await kinds(paid(), other({ bookingClass: 'C' }), flight({ bookingClass: 'C', fareBasis: 'COW' }))).toEqual([
      'class_changed',
    ]);
    const renumbered = { flightNumber: '119', operating: { carrier: 'XY', number: '119' } };
    expect(await kinds(paid(), other({ flightNumber: '119' }), flight(renumbered))).toEqual(['number_changed']);
    // Without the class a reading does not say whether the fare is that of another one.
    const { bookingClass: _c, ...classless } = segment('1', { fareBasis: 'COW' });
    const unsaid = paid({ options: [option(classless), BACK] });
    const moved = flight({ bookingClass: 'C', fareBasis: 'COW' });
    expect(await kinds(paid(), unsaid, moved)).toEqual(['class_changed']);
    expect(await kinds(paid(), unsaid, flight({ fareBasis: 'COW' }))).toEqual(['fare_changed']);
  });
});

describe('what is paid', () => {
  const pricing = hold().pricing as NonNullable<Booking['pricing']>;
  const costs = (total: ReturnType<typeof sar>) => ({ pricing: { ...pricing, total: price(total) } });
  const order = (amount: ReturnType<typeof sar>, id = 'o1') => ({
    ...{ id, direction: 'PAYMENT', status: 'PENDING', amount },
  });
  const TOTAL = pricing.total?.total ?? sar(0);

  it('in another currency is found, of a paid booking too', async () => {
    const dollars = { minor: TOTAL.minor, currency: 'USD' };
    const changed = { kind: 'price_changed', before: { currency: 'SAR' }, after: { currency: 'USD' } };
    for (const of of [hold, paid]) expect(await facts(of(), of(costs(dollars)))).toMatchObject([changed]);
  });

  it('of a code without a meaning is found, of a flight and of a ticket that were confirmed', async () => {
    const coded = (statusCode: string) => paid({ options: [option(segment('1', { statusCode })), BACK] });
    expect(await facts(coded('30'), coded('QQ'), coded('QQ'))).toMatchObject([
      { kind: 'schedule_change', after: { status: 'unknown (QQ)' } },
    ]);
    expect(await kinds(coded('QQ'), coded('QX'))).toEqual([]);
    const odd = (statusCode: string) =>
      paid({ tickets: [ticket('T1', '1', coupon('1', { statusCode }), coupon('2')), T2] });
    expect(await facts(odd('O'), odd('Q'))).toMatchObject([
      { kind: 'coupon_closed', after: { status: 'unknown (Q)' } },
    ]);
  });

  it('of a paid booking is found where nothing else changed', async () => {
    const lost = { options: [option(segment('1', { statusCode: '16' })), BACK] };
    expect(await kinds(paid(), paid(costs(sar(1))), paid(costs(sar(1))))).toEqual(['price_changed']);
    expect(await kinds(paid(), paid({ ...costs(sar(1)), ...lost }))).not.toContain('price_changed');
  });

  it.each([
    ['who travels', { travelers: [] }],
    ['the flights', { options: [] }],
    ['the code of a flight', { options: [option(segment('1', { statusCode: undefined })), BACK] }],
  ])(
    'of a paid booking is not compared where a reading leaves out %s, and is where the next shows it',
    async (_, part) => {
      const other = costs(sar(1));
      expect(await kinds(paid(), paid({ ...other, ...part }))).toEqual([]);
      expect(await kinds(paid(), paid({ ...other, ...part }), paid(other))).toEqual(['price_changed']);
      const { pricing: __, ...unpriced } = paid(part);
      expect(await kinds(paid(), unpriced, paid(other))).toEqual(['price_changed']);
    },
  );

  it('of a paid booking is not compared with that of before somebody left, also where a reading leaves out who travels', async () => {
    const left = { ...people(AMAL), ...costs(sar(1)) };
    expect(await kinds(paid(), { ...left, travelers: [] }, left)).toEqual(['passenger_gone']);
  });

  it('of a paid booking has no price of before once something else changed, also where a reading leaves the price out', async () => {
    const lost = { options: [option(segment('1', { statusCode: '16' })), BACK] };
    const done = (amount: ReturnType<typeof sar>) => ({ orders: [{ ...order(amount), status: 'PAID' }] });
    const { pricing: _, ...unpriced } = people(AMAL);
    const alone = (amount: ReturnType<typeof sar>) => ({ ...people(AMAL), ...costs(amount), ...done(amount) });
    expect(await kinds(paid(done(TOTAL)), unpriced, alone(sar(1)), alone(sar(2)))).toEqual([
      ...['passenger_gone', 'price_changed'],
    ]);
    const { pricing: __, ...partOf } = hold(lost);
    const held = (amount: ReturnType<typeof sar>) => hold({ ...lost, ...costs(amount) });
    expect(await kinds(hold(), partOf, held(sar(1)))).toEqual(['segment_cancelled', 'price_changed']);
    const refund = { ...order(sar(5), 'r1'), direction: 'REFUND', status: 'PENDING' };
    const arrived = { orders: [{ ...refund, status: 'PAID' }] };
    expect(await kinds(paid({ orders: [refund] }), unpriced, { ...unpriced, ...arrived })).toEqual([
      ...['passenger_gone', 'refund_arrived'],
    ]);
  });

  it('of a paid booking stays in its currency, also behind readings that changed and left the price out', async () => {
    const { pricing: _, ...unpriced } = people(AMAL);
    const { pricing: __, ...moved } = { ...people(AMAL), options: [OUT] };
    const alone = (currency: string) => ({ ...moved, ...costs({ minor: 500, currency }) });
    expect(await kinds(paid(), unpriced, moved, moved, alone('SAR'))).toEqual([
      ...['passenger_gone', 'segment_cancelled'],
    ]);
    expect(await facts(paid(), unpriced, moved, moved, alone('USD'), alone('USD'))).toEqual([
      expect.objectContaining({ kind: 'passenger_gone' }),
      expect.objectContaining({ kind: 'segment_cancelled' }),
      { kind: 'price_changed', before: { currency: 'SAR' }, after: { amount: '5.00', currency: 'USD' } },
    ]);
  });

  it.each([
    ['another sum', { amount: sar(99) }, { amount: '0.99', status: 'paid' }],
    ['not paid', { status: 'PENDING' }, { status: 'pending' }],
    ['a refund', { direction: 'REFUND' }, { detail: 'refund' }],
    ['in another currency', { amount: { minor: TOTAL.minor, currency: 'USD' } }, { currency: 'USD' }],
  ])('by a payment that is %s now is found', async (_, over, after) => {
    const done = { ...order(TOTAL), status: 'PAID' };
    const was = paid({ orders: [order(sar(50), 'o2'), done] });
    const now = paid({ orders: [order(sar(50), 'o2'), { ...done, ...over }] });
    expect(await facts(was, now, now)).toContainEqual(
      expect.objectContaining({ kind: 'payment_changed', after: expect.objectContaining(after) }),
    );
    expect(await kinds(was, paid({ orders: [order(sar(50), 'o2')] }))).toEqual([]);
    expect(await kinds(was, { ...now, options: [OUT] })).toEqual(
      expect.arrayContaining(['segment_cancelled', 'payment_changed']),
    );
  });

  it('by an order unlike the total is found, if it is the only one and the total stayed', async () => {
    const [same, other] = [{ orders: [order(TOTAL)] }, { orders: [order(sar(99))] }];
    const unlike = { kind: 'order_unlike_total', after: { amount: '0.99', currency: 'SAR' } };
    expect(await facts(hold(same), hold(other))).toMatchObject([unlike]);
    expect(await facts(hold(), hold(other), hold(other))).toMatchObject([unlike]);
    expect(await facts(paid(same), paid(other))).toMatchObject([unlike]);
    // A payment may carry a fee, and an order of nothing is of another act.
    const [seats, names] = [order(sar(50), 'o2'), order(sar(0), 'o3')];
    expect(await kinds(paid(), paid(other))).toEqual([]);
    expect(await kinds(hold(same), hold({ orders: [order(TOTAL), seats] }))).toEqual(['order_added']);
    expect(await kinds(hold(same), hold({ orders: [names, order(TOTAL)] }))).toEqual([]);
    expect(await kinds(hold(same), hold({ ...costs(sar(99)), ...other }))).toEqual(['price_changed']);
    const { pricing: _, ...unpriced } = hold(other);
    expect(await kinds(unpriced, hold(same))).toEqual([]);
    // Without a total of its own a reading does not say whether its order is unlike it.
    expect(await kinds(hold(same), unpriced, hold({ ...costs(sar(99)), ...other }))).toEqual(['price_changed']);
    expect(await kinds(hold(same), unpriced, hold(same), hold(other))).toEqual(['order_unlike_total']);
    // The next one with a total says so.
    for (const was of [hold(same), hold()]) {
      expect(await kinds(was, unpriced, unpriced, hold(other), unpriced, hold(other))).toEqual(['order_unlike_total']);
    }
    expect(await kinds(paid(same), { ...paid(other), pricing: undefined }, paid(other))).toEqual([
      'order_unlike_total',
    ]);
    expect(await kinds(paid(), { ...paid(other), pricing: undefined }, paid(other))).toEqual([]);
    expect(await kinds(hold({ orders: [order(TOTAL), seats] }), unpriced, hold(other))).toEqual([]);
  });
});

describe('a refund rule', () => {
  const rules = (...refundRules: ReturnType<typeof rule>[]) => {
    const priced = hold().pricing as NonNullable<Booking['pricing']>;
    return { pricing: { ...priced, fares: faresOf({ refundRules }) } };
  };
  const LATER = '2026-12-05T15:00:00Z';
  const DEAR = rule({ until: LATER });

  it('in the place of another is found, before the payment and after it', async () => {
    const none = rules(rule({ refundable: false, base: sar(0), until: LATER }));
    for (const of of [hold, paid]) {
      expect(await facts(of(rules(DEAR)), of(none), of(none))).toEqual([
        {
          kind: 'refund_rule_changed',
          before: { rule: expect.stringContaining('a fee of SAR 172.50') },
          after: { rule: expect.stringContaining('no refund') },
        },
      ]);
    }
    const cheap = rule({ base: sar(0), until: LATER, passengerType: 'CHD' });
    expect(await kinds(paid(rules(DEAR, cheap)), paid(rules(DEAR)))).toEqual(['refund_rule_changed']);
    expect(await kinds(paid(rules(DEAR)), paid(rules(DEAR, cheap)))).toEqual(['refund_rule_changed']);
  });

  it('of another currency is found, where its words name none', async () => {
    const none = rule({ refundable: false, base: sar(0), until: LATER });
    const zero = { minor: 0, currency: 'EUR' };
    const euros = { ...none, base: zero, tax: zero, total: zero };
    expect(await kinds(paid(rules(none)), paid(rules(euros)))).toEqual(['refund_rule_changed']);
  });

  it('for changes is found too', async () => {
    const changes = (...changeRules: ReturnType<typeof rule>[]) => {
      const priced = hold().pricing as NonNullable<Booking['pricing']>;
      return { pricing: { ...priced, fares: faresOf({ changeRules }) } };
    };
    const free = changes(rule({ base: sar(0), until: LATER }));
    const none = changes(rule({ refundable: false, base: sar(0), until: LATER }));
    const { pricing: _, ...unpriced } = paid();
    for (const of of [hold, paid]) {
      expect(await facts(of(free), of(none), of(none))).toEqual([
        {
          kind: 'change_rule_changed',
          before: { rule: expect.stringContaining('no fee') },
          after: { rule: expect.stringContaining('no change permitted') },
        },
      ]);
    }
    expect(await kinds(paid(free), unpriced, paid(), paid(free))).toEqual([]);
    expect(await kinds(hold(free), paid(none))).toEqual([]);
  });

  it('that is a text of a fare is found too', async () => {
    const text = (...texts: string[]) => flight({ fareRules: texts.map((one) => ({ text: one })) });
    expect(await facts(text('Refund with a fee.'), flight({}), text('No refund.'))).toEqual([
      { kind: 'refund_rule_changed', before: { rule: 'Refund with a fee.' }, after: { rule: 'No refund.' } },
    ]);
    expect(await kinds(text('Refund with a fee.', 'By rule 12.'), text('By rule 12.'))).toEqual([]);
    expect(await kinds(text('Refund  with a fee.'), text('Refund with a fee.', 'Refund with a fee.'))).toEqual([]);
  });

  it('is not compared where one reading has none, once it is over, or with those of another state or flight', async () => {
    const other = rules(rule({ base: sar(10000), until: LATER }));
    const { pricing: _, ...unpriced } = paid();
    expect(await kinds(paid(rules(DEAR)), unpriced, paid(rules(DEAR)))).toEqual([]);
    expect(await kinds(paid(rules(DEAR)), unpriced, paid(other))).toEqual(['refund_rule_changed']);
    expect(await kinds(hold(rules(DEAR)), paid(other))).toEqual([]);
    const delayed = { options: [option(segment('1', { departs: '2026-12-01T09:00:00.000+03:00' })), BACK] };
    expect(await kinds(paid(rules(DEAR)), paid({ ...delayed, ...other }))).toEqual(['retimed']);
    // A reading that leaves out flights, or their codes, does not say why its rules are others.
    const { statusCode: _s, ...codeless } = segment('1');
    for (const less of [{ options: [] }, { options: [option(codeless), BACK] }]) {
      expect(await kinds(paid(rules(DEAR)), paid({ ...less, ...other }), paid({ ...delayed, ...other }))).toEqual([
        'retimed',
      ]);
      expect(await kinds(paid(rules(DEAR)), paid({ ...less, ...other }), paid(other))).toEqual(['refund_rule_changed']);
    }
    const { pricing: _p, ...later } = paid(delayed);
    expect(await kinds(paid(rules(DEAR)), later, paid({ ...delayed, ...other }))).toEqual(['retimed']);
    const missed = { options: [option(segment('1', { statusCode: '83' })), BACK] };
    const moved = {
      options: [option(segment('1', { statusCode: '83', departs: '2026-12-01T09:00:00.000+03:00' })), BACK],
    };
    expect(await kinds(paid({ ...missed, ...rules(DEAR) }), paid({ ...moved, ...other }))).toEqual([]);
    expect(await kinds(paid(rules(DEAR)), paid({ ...other, travelers: [AMAL] }))).toContain('passenger_gone');
    // The next one stands in the place of one that is over.
    const [first, next] = [rule({ until: '2026-11-29T05:02:00Z' }), rule({ base: sar(0), until: LATER })];
    expect(await kinds(paid(rules(first)), paid(rules(next)))).toEqual([]);
    expect(await kinds(paid(rules(first, next)), paid(rules(next)))).toEqual([]);
  });
});

describe('what is promised beside a price', () => {
  const pricing = paid().pricing as NonNullable<Booking['pricing']>;

  it('of baggage is found, in whatever order', async () => {
    const carries = (...baggage: string[]) => paid({ pricing: { ...pricing, total: price(sar(69_000), { baggage }) } });
    const fare = (text: string) => ({ fare: text, detail: 'baggage' });
    expect(await facts(carries('1 pc'), carries('2 PC'))).toEqual([
      { kind: 'fare_changed', before: fare('1 PC'), after: fare('2 PC') },
    ]);
    expect(await kinds(carries('1 PC', '8 kg'), carries('8  KG', '1 PC', '1 PC'), carries())).toEqual([]);
    // A reading that leaves out flights, their codes or people does not say why it is another one.
    const { statusCode: _, ...codeless } = segment('1');
    const delayed = { options: [option(segment('1', { departs: '2026-12-01T09:00:00.000+03:00' })), BACK] };
    for (const less of [{ options: [] }, { options: [option(codeless), BACK] }, { travelers: [] }]) {
      const lesser = reread(carries('2 PC'), less);
      expect(await kinds(carries('1 PC'), lesser, reread(carries('2 PC'), delayed))).toEqual(['retimed']);
      expect(await kinds(carries('1 PC'), lesser, carries('2 PC'))).toEqual(['fare_changed']);
    }
  });

  it('is not compared with what it was before flights, people or money changed', async () => {
    const promises = (piece: string, cancelUntil: string) => {
      const [first, last] = faresOf();
      const fares = first && last ? [first, { ...last, cancelUntil }] : [];
      return { pricing: { ...pricing, fares, total: price(sar(69_000), { baggage: [piece] }) } };
    };
    const [one, other] = [promises('1 PC', '2026-12-05T14:00:00Z'), promises('2 PC', '2026-12-06T14:00:00Z')];
    const alone = { travelers: [AMAL], tickets: [T1] };
    const refunded = { orders: [...(paid().orders ?? []), { id: 'r1', direction: 'REFUND', status: 'PAID' }] };
    for (const change of [alone, refunded]) {
      const later = reread(paid(), { pricing: undefined, ...change });
      expect(await kinds(paid(one), later)).not.toEqual([]);
      expect(await kinds(paid(one), later, paid({ ...other, ...change }))).toEqual(await kinds(paid(one), later));
    }
  });

  it('of the time until when a later flight can be cancelled alone is found, and only while it is ahead', async () => {
    const until = (first: string, last: string) => {
      const [one, two] = faresOf();
      const fares = [one, two].flatMap((fare, i) => (fare ? [{ ...fare, cancelUntil: i === 0 ? first : last }] : []));
      return paid({ pricing: { ...pricing, fares } });
    };
    const [FIRST, LAST, OTHER] = ['2026-12-01T04:00:00Z', '2026-12-05T14:00:00Z', '2026-12-06T14:00:00Z'];
    const [moved] = await found(until(FIRST, LAST), until(FIRST, OTHER), until(FIRST, OTHER));
    expect(moved).toMatchObject({ kind: 'deadline_moved', segment: { number: '202' } });
    expect(moved?.deadlines).toEqual([{ what: 'cancel_until', before: LAST, after: OTHER }]);
    expect(await kinds(until(FIRST, LAST), until(OTHER, LAST))).toEqual(['deadline_moved']);
    const PAST = '2026-11-01T00:00:00Z';
    expect(await kinds(until(PAST, PAST), until(PAST, OTHER))).toEqual([]);
  });
});

describe('an operation of ours', () => {
  const change = (details: readonly string[], ref = '1') => ({ ref, details, was: 'a', wanted: 'b' });
  type Subject = NonNullable<NonNullable<Parameters<typeof newOperation>[1]>['subject']>;
  const NAME = { kind: 'change_names', changes: [change(['name'])] } as never as Subject;
  const DETAILS = { kind: 'update_passengers', changes: [change(['email']), change(['document'])] } as never as Subject;
  const CONTACT = { kind: 'update_contact', changes: [{ detail: 'email', was: 'a', wanted: 'b' }] } as never as Subject;

  type Timed = readonly [minutes: number, booking: Booking];
  /** A reading, an operation that succeeds, and readings so many minutes after it. */
  async function sinceThat(was: Booking, subject: Subject, ...readings: readonly Timed[]) {
    const locator = `P${++bookings}`;
    await see(locator, was, NOW);
    const id = `op${bookings}`;
    await desk.state.operations.insert(newOperation(id, { tenant: 't', locator, subject }), {
      ...{ now: NOW + MINUTE, owner: 'p', leaseUntil: NOW + HOUR },
    });
    const by = { now: NOW + MINUTE, actor: 'p' };
    await desk.state.operations.transition(
      id,
      { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: NOW + MINUTE } },
      by,
    );
    await desk.state.operations.transition(id, { from: ['dispatched'], to: 'succeeded', patch: { outcome: {} } }, by);
    const all: string[] = [];
    for (const [minutes, booking] of readings) {
      const { found: news } = await see(locator, booking, NOW + MINUTE + minutes * MINUTE);
      all.push(news.map(({ kind }) => kind).join(' '));
    }
    return all;
  }

  const since = (subject: Subject, ...readings: readonly Timed[]) => sinceThat(paid(), subject, ...readings);

  it('that divides a booking divides what was paid; no other does', async () => {
    const order = { id: 'o1', direction: 'PAYMENT', status: 'PAID' };
    const other = { ...order, id: 'o2', amount: sar(50) };
    const of = (sum: number) => paid({ orders: [{ ...order, amount: sar(sum) }, other] });
    const split = { kind: 'split_booking', moved: ['x'], kept: [], flights: [] } as never as Subject;
    const gone = { ...NO_REFUNDS, kind: 'cancel_passenger', gone: ['x'], kept: ['y'] } as never as Subject;
    expect(await sinceThat(of(100), split, [1, of(60)], [2, of(50)])).toEqual(['', 'payment_changed']);
    expect(await sinceThat(of(100), gone, [1, of(60)])).toEqual(['payment_changed']);
  });

  const renamed = named('Leila', 'Harbi');
  const mailed = people({ ...AMAL, emails: ['new@example.com'] }, NOOR);
  const withPassport = people({ ...AMAL, emails: ['new@example.com'], document: passport('N1') }, NOOR);

  it('explains the details of the person that it changed, once, when they are shown or should be', async () => {
    expect(await since(NAME, [1, paid()], [2, renamed], [3, renamed])).toEqual(['', '', '']);
    expect(await since(NAME, [1, renamed], [2, named('Eve', 'Fox')])).toEqual(['', 'name_changed']);
    // Within the hour a node of the airline may still show it as it was.
    expect(await since(DETAILS, [1, mailed], [2, withPassport], [3, paid()], [63, paid()])).toEqual([
      ...['', '', ''],
      'document_changed contact_changed',
    ]);
    const ofBooking = paid({ contact: { ...contact, emails: ['new@example.com'] } });
    expect(await since(CONTACT, [1, paid()], [2, ofBooking], [3, paid()], [63, paid()])).toEqual([
      ...['', '', ''],
      'contact_changed',
    ]);
    // Rules and sums do not go by them.
    const pricing = paid().pricing as NonNullable<Booking['pricing']>;
    const dear = { ...ofBooking, pricing: { ...pricing, total: price(sar(999)) } };
    expect(await since(CONTACT, [1, dear], [2, dear])).toEqual(['price_changed', '']);
    const seats = [{ travelerRef: '1', who: 'x', segmentRef: '1', wanted: { seat: '9A' } }];
    const SEATS = { kind: 'assign_seats', seats } as never as Subject;
    const baggage = (weight: string) =>
      paid({ pricing: { ...pricing, total: { ...price(sar(100)), baggage: [weight] } } });
    expect(await sinceThat(baggage('25 kg'), SEATS, [1, baggage('5 kg')])).toEqual(['fare_changed']);
    const { contact: _, ...without } = paid();
    expect(await since(CONTACT, [1, without], [2, ofBooking])).toEqual(['', '']);
  });

  it('is a finding where an hour later the airline still shows the details from before, once', async () => {
    const MAILED = {
      kind: 'update_contact',
      changes: [{ detail: 'email', was: 'a', wanted: 'b' }],
    } as never as Subject;
    const withMail = paid({ contact: { ...contact, emails: ['old@example.com'] } });
    const newMail = paid({ contact: { ...contact, emails: ['new@example.com'] } });
    expect(await since(NAME, [59, paid()], [61, paid()], [62, paid()])).toEqual(['', 'name_changed', '']);
    expect(await since(NAME, [61, paid()], [62, renamed])).toEqual(['name_changed', 'name_changed']);
    // Of a group nobody was named before.
    const unnamed = people({ ...AMAL, name: undefined }, NOOR);
    expect(await sinceThat(unnamed, NAME, [1, renamed], [61, renamed])).toEqual(['', '']);
    expect(await sinceThat(unnamed, NAME, [61, renamed], [62, paid()])).toEqual(['', 'name_changed']);
    expect(await since(DETAILS, [59, paid()], [61, paid()])).toEqual(['', 'document_changed contact_changed']);
    const ofBooking = paid({ contact: { ...contact, emails: ['new@example.com'] } });
    expect(await since(CONTACT, [61, paid()], [62, ofBooking])).toEqual(['contact_changed', 'contact_changed']);
    expect(await sinceThat(withMail, MAILED, [59, withMail], [61, withMail])).toEqual(['', 'contact_changed']);
    expect(await sinceThat(withMail, MAILED, [59, withMail], [61, newMail])).toEqual(['', '']);
    // What was not shown before need not be shown afterwards, and a reading that leaves it out says nothing.
    const { contact: _, ...without } = paid();
    const unmailed = paid({ contact: { ...contact, emails: [] } });
    expect(await sinceThat(unmailed, MAILED, [61, unmailed])).toEqual(['']);
    expect(await sinceThat(withMail, MAILED, [61, without])).toEqual(['']);
    const [finding] = await desk.state.findings.list('t', { limit: 1, locators: [`P${bookings - 3}`] });
    const readers = { vehicle: 'flight' } as const;
    expect(finding && findingText(finding, readers)).toBe(
      'e-mail of the contact was changed here, and the airline shows the old one',
    );
  });

  it('explains nothing of another person, and no other detail', async () => {
    expect(await since(NAME, [1, people(AMAL, { ...NOOR, name: personName('Eve', 'Fox') })])).toEqual(['name_changed']);
    expect(await since(NAME, [1, mailed])).toEqual(['contact_changed']);
    const ticketless = { ...renamed, tickets: [{ ...T1, coupons: [coupon('2')] }, T2] };
    expect(await since(NAME, [1, ticketless])).toEqual(['ticket_gone']);
    // Under another numbering somebody else may have the pointer of the operation.
    const who = [hash('sha256', identityText(AMAL)), 'as renamed'];
    for (const pointer of ['9', NOOR.ref]) {
      const other = { kind: 'change_names', changes: [{ ...change(['name'], pointer), who }] } as never as Subject;
      expect(await since(other, [1, renamed])).toEqual(['']);
    }
  });
});

describe('an infant', () => {
  const SARA = { ...NOOR, type: 'ADT', birthDate: '1996-03-02' };
  const ALI = traveler('3', 'Ali', 'Haddad', { type: 'INF', document: passport('P3') });
  const of = (attendantRef: string | undefined, adults: readonly Traveler[] = [AMAL, SARA], infant = ALI) =>
    hold({ travelers: [...adults, { ...infant, ...(attendantRef !== undefined && { attendantRef }) }] });
  const GROUP = [bareTraveler('1'), bareTraveler('2')];
  const anew = [
    { ...SARA, ref: '1' },
    { ...AMAL, ref: '2' },
  ];

  it.each<[string, readonly Booking[], object[]]>([
    [
      'on the lap of another adult',
      [of('1'), of('2')],
      [{ kind: 'lap_changed', before: { detail: '1' }, after: { person: '3', detail: '2' } }],
    ],
    ['whose lap is left out', [of('1'), of(undefined), of('1')], []],
    ['on a lap that was left out', [of(undefined), of('1')], []],
    [
      'on the lap of another adult after a reading that left it out under other numbers',
      [of('1'), of(undefined, anew), of('1')],
      [],
    ],
    ['on the lap of the same adult under another number', [of('1'), of('2', anew)], []],
    ['on the lap of nobody', [of('1'), of('9')], []],
    [
      'of a group without names',
      [of('1', GROUP, bareTraveler('3', { type: 'INF' })), of('2', GROUP, bareTraveler('3', { type: 'INF' }))],
      [{ kind: 'lap_changed', before: { detail: '1' }, after: { person: '3', detail: '2' } }],
    ],
  ])('is told if the adult differs from the one before: %s', async (_, readings, expected) => {
    expect(await facts(...readings)).toEqual(expected);
  });
});
