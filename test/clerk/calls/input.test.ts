/**
 * Arguments that no tool takes: what their refusals say, and that none repeats a card number, in whatever field it was typed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATALOG } from '../../../src/tools/index.ts';
import { expectGolden } from '../../support/golden.ts';
import { CONTACT, passenger } from '../../support/people.ts';
import { dayFrom, heldBooking, refundableTrip, ticketedBooking } from './bookings.ts';
import { codeOf, type Desk, openDesk, PAY } from './desk.ts';

const CARD = '4111 1111 1111 1111';
const FORMS = ['4111111111111111', CARD, '4111-1111-1111-1111', 'Jeddah 4111111111111111'];

let desk: Desk;
let calls: Readonly<Record<string, object>>;

beforeAll(async () => {
  desk = await openDesk();
  const [held, ticketed, offer] = [await heldBooking(desk), await ticketedBooking(desk), await refundableTrip(desk, 1)];
  const [route] = await desk.parts.airline.routes();
  const ends = { from: route?.from.code, to: route?.to[0]?.code };
  const days = { start_date: dayFrom(desk, 20), end_date: dayFrom(desk, 21) };
  const contact = { ...CONTACT, phone: { country_code: '966', number: '551234567' } };
  const person = passenger('P7654321', {}, desk.sandbox.now());
  const seat = { segment_ref: '1', passenger_ref: '1', seat: '1A' };
  const [adult, classes] = [{ passengers: { adults: 1 } }, { booking_classes: ['Y'] }];
  const [one, same] = [{ segment_refs: ['1'], passenger_refs: ['1'] }, { locator: ticketed }];
  calls = {
    search_fares: { legs: [{ ...ends, date: dayFrom(desk, 20) }], ...adult, ...classes },
    create_booking: { offer_ids: [offer.offer_id], contact, passengers: [person], again_after: 'none' },
    pay_booking: { locator: held, payment: { type: 'cash', holder_name: 'Amal' }, expected_total: '1.00' },
    read_booking: { locator: held, surname: 'Haddad', detail: 'full' },
    quote_cancellation: { ...same, segment_refs: ['1'] },
    cancel_segment: { ...same, segment_refs: ['1'] },
    cancel_passenger: { ...same, passenger_refs: ['1'] },
    cancel_booking: { locator: held, approval_id: 'ap_none' },
    change_names: { ...same, changes: [{ ...person, type: undefined, passenger_ref: '1' }] },
    get_seat_map: { ...same, ...one },
    get_tickets: { ...same, ...one },
    list_routes: { ...ends, query: 'Jeddah' },
    get_calendar_dates: { ...ends, ...days },
    find_cheapest_dates: { ...ends, ...days, ...adult, ...classes },
    list_bookings: { query: 'Haddad', state: 'held', locators: [held] },
    query_ledger: { sql: 'select 1', from: days.start_date, to: days.end_date },
    close_findings: { finding_ids: ['3f9c2ab7'] },
    send_tickets: { ...same, what: 'tickets' },
    assign_seats: { ...same, seats: [seat] },
    update_contact: { ...same, email: contact.email, phone: contact.phone },
    update_passenger: { ...same, changes: [{ passenger_ref: '1', gender: 'Male', birth_date: '1990-04-12' }] },
    rebook_segment: { ...same, segment_ref: '1', offer_id: offer.offer_id },
    split_booking: { ...same, passenger_refs: ['1'] },
    request_service: { ...same, passenger_ref: '1', segment_ref: '1', service: { code: 'WCHS', text: 'own stick' } },
    propose_plan: { steps: [{ tool: 'cancel_booking', arguments: { locator: held } }] },
    run_plan: { plan_id: 'pl_none' },
  };
});
afterAll(() => desk.close());

type Leaf = readonly (string | number)[];

function leaves(value: unknown, path: Leaf = []): Leaf[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    leaves(child, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function typed(value: unknown, [key, ...rest]: Leaf, text: string): unknown {
  if (key === undefined) return text;
  if (Array.isArray(value)) return value.map((one, i) => (i === key ? typed(one, rest, text) : one));
  return { ...(value as object), [key]: typed((value as Record<string, unknown>)[key], rest, text) };
}

describe.each(CATALOG.map(({ name }) => name))('%s', (name) => {
  test('never repeats a card number in a refusal', async () => {
    const args = calls[name];
    expect(args, `${name} is tried`).toBeDefined();
    let refused = 0;
    const all = leaves(args);
    // In one field and in two at once, because checks across two fields have their own messages.
    const places = all.flatMap((leaf, i) => [[leaf], ...all.slice(i + 1).map((other) => [leaf, other])]);
    for (const place of places) {
      for (const form of FORMS) {
        const given = place.reduce<unknown>((value, leaf) => typed(value, leaf, form), args);
        const answer = await desk.call(name, given as object);
        if (answer.kind !== 'result' || !answer.isError) continue;
        refused += 1;
        const read = (answer.text + JSON.stringify(answer.structured)).replace(/[\s-]/g, '');
        expect(read, `${JSON.stringify(place)} = ${form}`).not.toContain('4111111111111111');
      }
    }
    expect(refused).toBeGreaterThan(0);
  });

  test('refuses a card number unread, in a known and an unknown field', async () => {
    const before = desk.sandbox.ledger().length;
    for (const args of [{ locator: CARD }, { legs: [{ from: CARD }] }, { anything: { deep: [CARD] } }]) {
      const answer = await desk.result(name, args);
      expect(codeOf(answer)).toBe('E_INPUT');
      expect(answer.text).toContain('looks like a card number, and was not read');
    }
    expect(desk.sandbox.ledger()).toHaveLength(before);
  });
});

describe('a card number', () => {
  const refusal = async (tool: string, args: unknown) => (await desk.result(tool, args as object)).text;
  const isCard = /^E_INPUT: (.+?): .*looks like a card number/;
  const PAN = '4111111111111111';

  test('is found in any writing, at any depth, and no other number is', async () => {
    const cards = [
      ...[...FORMS, `${CARD} 12/27`, '4111–1111–1111–1111', '41 1111-11  11111111', '6304000000000000000'],
      ...['4111\u00a01111\u20071111\u202f1111', '4111\u200b1111\u200b1111\u200b1111', 'visa 378282246310005 please'],
      ...['４１１１１１１１１１１１１１１１', '٤١١١١١١١١١١١١١١١'],
    ];
    for (const note of cards)
      expect([note, isCard.exec(await refusal('pay_booking', { note }))?.[1]]).toEqual([note, 'note']);
    const others = ['1725.00', 'Amal', '4111111111111112', '411111111111', '+966 55 123 4567', 'ap_0123456789abcdef'];
    for (const note of others)
      expect([note, isCard.test(await refusal('pay_booking', { note }))]).toEqual([note, false]);
    const fields: Record<string, object> = {
      'payment.holder_name': { payment: { holder_name: `Amal ${PAN}` } },
      'payment.card.pan': { payment: { card: { pan: Number(PAN) } } },
      'notes[1]': { notes: ['x', PAN] },
      'a field name': { [PAN]: 'x' },
      'payment (a field name)': { payment: { [PAN]: 1 } },
    };
    for (const [field, args] of Object.entries(fields)) {
      const text = await refusal('pay_booking', args);
      expect([isCard.exec(text)?.[1], text.includes('4111')]).toEqual([field, false]);
    }
  });

  test.each([
    ['create_booking', { group_name: `Choir ${CARD}` }, 'group_name'],
    ['create_booking', { contact: { city: CARD } }, 'contact.city'],
    ['create_booking', { contact: JSON.stringify({ city: CARD }) }, 'contact.city'],
    ['list_bookings', JSON.stringify({ query: CARD }), 'query'],
    ['create_booking', { passengers: [{ phone: { number: FORMS[0] } }] }, 'passengers[0].phone.number'],
  ])('is found by %s in %j', async (tool, args, field) => {
    expect(isCard.exec(await refusal(tool, args))?.[1]).toBe(field);
  });

  test.each([
    ['a ticket number', { query: '7702403114542' }],
    ['a ticket number with a valid check digit', { query: '4222222222222' }],
    ['an international telephone number', { contact: { phone: { country_code: '966', number: '00966500000004' } } }],
    ['an identity number of 16 digits', { passengers: [{ document: { number: FORMS[0] } }] }],
    ['an identity number in JSON text', { passengers: JSON.stringify([{ document: { number: FORMS[0] } }]) }],
    ['a date and an offer', { legs: [{ date: '2026-12-01' }], offer_ids: ['oap3h2ac3'] }],
  ])('is not %s', async (_what, args) => expect(await refusal('create_booking', args)).not.toMatch(isCard));
});

test('a refusal names the field and what is expected there', async () => {
  const [date, pay] = [{ from: 'QCA', to: 'XMD' }, { locator: 'ABC123' }];
  const make = { offer_ids: ['o'], contact: CONTACT };
  const adult = { passengers: { adults: 1 } };
  const wrong: Record<string, [string, unknown]> = {
    'a word for an object': ['pay_booking', { ...pay, payment: 'cash' }],
    'a word for an object in a list': ['create_booking', { ...make, passengers: [{ phone: '+966' }] }],
    'an object for a list': ['search_fares', { legs: {}, ...adult }],
    'the object of a list, without the list': ['search_fares', { legs: date, ...adult }],
    'two unknown fields and a missing one': ['update_contact', { telephone: '1', fax: '2' }],
    'an unknown field': ['pay_booking', { ...pay, ...PAY, locater: 'ABC123' }],
    'no object where one is required': ['pay_booking', pay],
    'an order by the word that others use': [
      'search_fares',
      { legs: [{ ...date, date: dayFrom(desk, 9) }], ...adult, sort: 'price' },
    ],
    'a traveller with one name': [
      'create_booking',
      { ...make, passengers: [{ ...passenger('P7654321', {}, desk.sandbox.now()), surname: undefined }] },
    ],
    'a field of a leg, beside the legs': [
      'search_fares',
      { legs: [{ ...date, date: dayFrom(desk, 9) }], ...adult, departs_between: '18:00-' },
    ],
    'a field of the trip, in a leg': [
      'search_fares',
      { legs: [{ ...date, date: dayFrom(desk, 9), direct_only: true }], ...adult },
    ],
    'an unknown word': ['pay_booking', { ...pay, payment: { type: 'coins' } }],
    'a date by points': ['search_fares', { legs: [{ ...date, date: '10.12.2026' }], ...adult }],
    'a date by slashes': ['search_fares', { legs: [{ ...date, date: '12/10/2026' }], ...adult }],
    'a birth date': ['update_passenger', { ...pay, changes: [{ passenger_ref: '1', birth_date: 'long ago' }] }],
  };
  const scenes: Record<string, string> = {};
  for (const [title, [tool, args]] of Object.entries(wrong)) {
    scenes[`${title}: ${tool}`] = (await desk.result(tool, args as object)).text;
  }
  await expectGolden('errors/input', scenes);
});

test('takes one object where a list of such objects is expected, also as JSON text, and a number for a text', async () => {
  const legs = { from: 'QCA', to: 'XMD', date: dayFrom(desk, 20) };
  for (const given of [legs, JSON.stringify(legs), JSON.stringify([legs])]) {
    const { isError } = await desk.result('search_fares', { legs: given, passengers: { adults: 1 } });
    expect(isError).toBe(false);
  }
  expect(codeOf(await desk.call('read_booking', { locator: 123_456 }))).toBe('E_NOT_FOUND');
});
