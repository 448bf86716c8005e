/**
 * No refusal repeats a card number, in whatever field it was typed.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { CATALOG } from '../../../src/tools/index.ts';
import { CONTACT, passenger } from '../../support/people.ts';
import { dayFrom, heldBooking, refundableTrip, ticketedBooking } from './bookings.ts';
import { type Desk, openDesk } from './desk.ts';

const FORMS = ['4111111111111111', '4111 1111 1111 1111', '4111-1111-1111-1111', 'Jeddah 4111111111111111'];

let desk: Desk;
let calls: Readonly<Record<string, object>>;

beforeAll(async () => {
  desk = await openDesk();
  const [held, ticketed, offer] = [await heldBooking(desk), await ticketedBooking(desk), await refundableTrip(desk, 1)];
  const [route] = await desk.parts.airline.routes();
  const ends = { from: route?.from.code, to: route?.to[0]?.code };
  const days = { start_date: dayFrom(desk, 20), end_date: dayFrom(desk, 21) };
  const contact = { ...CONTACT, phone: { country_code: '966', number: '551234567' } };
  calls = {
    search_fares: { legs: [{ ...ends, date: dayFrom(desk, 20) }], passengers: { adults: 1 }, booking_classes: ['Y'] },
    create_booking: {
      offer_ids: [offer.offer_id],
      contact,
      passengers: [passenger('P7654321', {}, desk.sandbox.now())],
      again_after: 'none',
    },
    pay_booking: { locator: held, payment: { type: 'cash', holder_name: 'Amal' }, expected_total: '1.00' },
    read_booking: { locator: held, surname: 'Haddad', detail: 'full' },
    quote_cancellation: { locator: ticketed, segment_refs: ['1'] },
    cancel_segment: { locator: ticketed, segment_refs: ['1'] },
    cancel_passenger: { locator: ticketed, passenger_refs: ['1'] },
    cancel_booking: { locator: held, approval_id: 'ap_none' },
    change_names: { locator: ticketed, changes: [{ ...passenger, type: undefined, passenger_ref: '1' }] },
    get_seat_map: { locator: ticketed, segment_refs: ['1'], passenger_refs: ['1'] },
    get_tickets: { locator: ticketed, segment_refs: ['1'], passenger_refs: ['1'] },
    list_routes: { ...ends, country: 'SA', query: 'Jeddah' },
    get_calendar_dates: { ...ends, ...days },
    find_cheapest_dates: { ...ends, ...days, passengers: { adults: 1 }, booking_classes: ['Y'] },
    list_bookings: { query: 'Haddad', state: 'held', locators: [held] },
    report_activity: { from: days.start_date, to: days.end_date, group_by: 'day' },
    close_findings: { finding_ids: ['3f9c2ab7'] },
    send_tickets: { locator: ticketed, what: 'tickets' },
    assign_seats: { locator: ticketed, seats: [{ segment_ref: '1', passenger_ref: '1', seat: '1A' }] },
    update_contact: { locator: ticketed, email: contact.email, phone: contact.phone },
    update_passenger: {
      locator: ticketed,
      changes: [{ passenger_ref: '1', gender: 'Male', birth_date: '1990-04-12' }],
    },
    rebook_segment: { locator: ticketed, segment_ref: '1', offer_id: offer.offer_id },
    split_booking: { locator: ticketed, passenger_refs: ['1'] },
    propose_plan: { steps: [{ tool: 'cancel_booking', arguments: { locator: held } }] },
    run_plan: { plan_id: 'pl_none' },
  };
}, 30_000);

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

const digitsOf = (text: string) => text.replace(/[\s-]/g, '');

test.each(CATALOG.map((tool) => tool.name))(
  'never repeats a card number in a refusal of %s',
  async (name) => {
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
        const told = digitsOf(answer.text + JSON.stringify(answer.structured));
        const where = place.map((leaf) => leaf.join('.')).join(' and ');
        expect(told, `${where} = ${form}`).not.toContain('4111111111111111');
      }
    }
    expect(refused).toBeGreaterThan(0);
  },
  30_000,
);
