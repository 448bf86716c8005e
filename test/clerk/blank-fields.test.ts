/**
 * Hosts that fill what nobody said with `""` or `0`. Of every tool: which optional fields may be blank, that the call then is the call
 * without them, and that all others stay refused by name.
 */
import { expect, test } from 'vitest';
import { parseInput } from '../../src/clerk/parse-arguments.ts';
import { inputJsonSchema, type JsonSchema } from '../../src/clerk/schemas.ts';
import { CATALOG } from '../../src/tools/index.ts';
import { CONTACT, passenger } from '../support/people.ts';

const LOCATOR = { locator: 'ABC123' };
const LEGS = [{ from: 'QCA', to: 'XMD', date: '2026-12-01' }];
const PHONE = { country_code: '966', number: '501234567' };
/** A call of each tool, with every list and object that has optional fields. */
const CALLS: Readonly<Record<string, object>> = {
  search_fares: { legs: LEGS, passengers: { adults: 1 } },
  create_booking: {
    offer_ids: ['x'],
    contact: { ...CONTACT, phone: PHONE },
    passengers: [{ ...passenger('P1'), services: [{ code: 'WCHR' }] }],
    passenger_counts: { adults: 1 },
  },
  pay_booking: { ...LOCATOR, payment: { type: 'external' } },
  cancel_passenger: { ...LOCATOR, passenger_refs: ['1'] },
  change_names: { ...LOCATOR, changes: [{ passenger_ref: '1', given_name: 'Jan' }] },
  get_calendar_dates: { from: 'QCA', to: 'XMD', start_date: '2026-12-01', end_date: '2026-12-02' },
  close_findings: { finding_ids: ['3f9c2ab7'] },
  find_cheapest_dates: {
    from: 'QCA',
    to: 'XMD',
    start_date: '2026-12-01',
    end_date: '2026-12-02',
    passengers: { adults: 1 },
  },
  assign_seats: { ...LOCATOR, seats: [{ passenger_ref: '1', segment_ref: '1', seat: '4-52' }] },
  send_tickets: { ...LOCATOR, what: 'tickets' },
  update_passenger: { ...LOCATOR, changes: [{ passenger_ref: '1', gender: 'Male' }] },
  rebook_segment: { ...LOCATOR, segment_ref: '1', offer_id: 'x' },
  split_booking: { ...LOCATOR, passenger_refs: ['1'] },
  request_service: { ...LOCATOR, passenger_ref: '1', service: { code: 'WCHR' } },
  propose_plan: { steps: [{ tool: 'cancel_booking', arguments: LOCATOR }] },
  run_plan: { plan_id: 'pl_k3J9xQ2mVd0a' },
};
/** Without arguments. */
const BARE = ['list_routes', 'list_bookings', 'query_ledger'];

type Json = { [name: string]: unknown };

/** Every optional field below a schema that is no list and no object, and writes a value there in a copy of a call. */
function optionalFields(shape: JsonSchema, at = ''): { path: string; type: unknown }[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const isScalar = inner.type !== 'object' && inner.type !== 'array';
    const isOptional = shape.required?.includes(name) !== true;
    return [
      ...(isScalar && isOptional ? [{ path, type: inner.type }] : []),
      ...optionalFields(inner, path),
      ...(inner.items === undefined ? [] : optionalFields(inner.items, `${path}[]`)),
    ];
  });
}

/** Undefined if the call has no such place. */
function withValue(call: object, path: string, value: unknown): object | undefined {
  const copy = structuredClone(call) as Json;
  const names = path.replaceAll('[]', '.0').split('.');
  const last = names.pop() ?? '';
  const place = names.reduce<Json | undefined>((inner, name) => inner?.[name] as Json | undefined, copy);
  if (place === undefined) return undefined;
  if (value === undefined) delete place[last];
  else place[last] = value;
  return copy;
}

test('a blank of the fields in the table is a call without it; of all other optional fields it is refused by name', () => {
  const table: string[] = [];
  for (const tool of CATALOG.filter(({ name }) => name !== 'propose_plan')) {
    const call = CALLS[tool.name] ?? (BARE.includes(tool.name) ? {} : LOCATOR);
    const shape = inputJsonSchema(tool);
    const parse = (args: object | undefined) => parseInput(tool.input(), shape, args);
    parse(call);
    for (const { path, type } of optionalFields(shape)) {
      const blanks = type === 'integer' ? ['', ' ', 0] : ['', ' '];
      const absent = withValue(call, path, undefined);
      expect(absent, `${tool.name}: the call here lacks the place of ${path}`).toBeDefined();
      const taken = blanks.filter((blank) => {
        try {
          const args = parse(withValue(call, path, blank));
          // A zero may be what was meant.
          if (JSON.stringify(args) === JSON.stringify(parse(absent))) return true;
          expect([tool.name, path, blank]).toEqual([tool.name, path, 0]);
        } catch (error) {
          expect(String(error)).toContain(path.split('.').at(-1));
        }
        return false;
      });
      if (taken.length > 0) table.push(`${tool.name} ${path} ${JSON.stringify(taken)}`);
    }
  }
  expect(table).toMatchInlineSnapshot(`
    [
      "search_fares legs[].departs_between [""," "]",
      "search_fares legs[].arrives_between [""," "]",
      "search_fares include_sold_out [""," "]",
      "search_fares direct_only [""," "]",
      "search_fares max_minutes [""," ",0]",
      "search_fares order_by [""," "]",
      "search_fares max_results [""," ",0]",
      "search_fares detail [""," "]",
      "create_booking contact.city [""," "]",
      "create_booking contact.country [""," "]",
      "create_booking passengers[].email [""," "]",
      "create_booking customer [""," "]",
      "read_booking surname [""," "]",
      "read_booking detail [""," "]",
      "read_booking reveal_contact [""," "]",
      "read_booking reveal_personal [""," "]",
      "cancel_segment reason [""," "]",
      "cancel_passenger reason [""," "]",
      "get_seat_map detail [""," "]",
      "list_routes country [""," "]",
      "list_routes query [""," "]",
      "list_routes max_results [""," ",0]",
      "list_routes detail [""," "]",
      "get_calendar_dates direct [""," "]",
      "list_bookings query [""," "]",
      "list_bookings customer [""," "]",
      "list_bookings train [""," "]",
      "list_bookings state [""," "]",
      "list_bookings deadline_within_hours [""," ",0]",
      "list_bookings needs_attention [""," "]",
      "list_bookings refresh [""," "]",
      "list_bookings max_results [""," ",0]",
      "query_ledger sql [""," "]",
      "query_ledger max_rows [""," ",0]",
      "cancel_booking reason [""," "]",
      "update_contact given_name [""," "]",
      "update_contact surname [""," "]",
      "update_contact email [""," "]",
      "update_contact city [""," "]",
      "update_contact country [""," "]",
      "update_contact customer [""," "]",
      "update_passenger changes[].email [""," "]",
    ]
  `);
});

test('a blank that would widen a reading is refused, and the error says to leave it out', () => {
  const WIDENING: Readonly<Record<string, readonly string[]>> = {
    list_bookings: ['departs_from', 'departs_to'],
    list_routes: ['from', 'to'],
    query_ledger: ['from', 'to'],
  };
  const refused = (name: string, args: object) => {
    const tool = CATALOG.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return expect(() => parseInput(tool.input(), inputJsonSchema(tool), args, { today: '2026-11-27' }));
  };
  for (const [name, fields] of Object.entries(WIDENING))
    for (const field of fields)
      for (const blank of ['', ' '])
        refused(name, { [field]: blank }).toThrow(
          new RegExp(`^${field}: expected .*\\. It is empty: leave it out if nobody named it\\. Nothing was sent\\.`),
        );
  refused('list_bookings', { departs_from: 'x' }).not.toThrow('leave it out');
  // Without a required field there is no call.
  refused('get_calendar_dates', { ...CALLS.get_calendar_dates, from: '' }).not.toThrow('leave it out');
});

test('an item of a list is never dropped, and a step of a plan is read as its own call', () => {
  const read = CATALOG.filter(({ name }) => name === 'get_seat_map');
  for (const tool of read)
    for (const segment_refs of ['', [''], ['1', '']])
      expect(() => parseInput(tool.input(), inputJsonSchema(tool), { ...LOCATOR, segment_refs })).toThrow(
        'segment_refs',
      );
  const contact = CATALOG.find(({ name }) => name === 'update_contact');
  if (contact === undefined) throw new Error('no tool');
  const args = { ...LOCATOR, email: 'a@example.com', city: '', approval_id: '' };
  const parse = (raw: object) =>
    parseInput(contact.input(), inputJsonSchema(contact), raw, { at: 'steps[3].arguments' });
  expect(() => parse(args)).toThrow('steps[3].arguments.approval_id');
  const { approval_id: _, ...others } = args;
  expect(parse(others)).toEqual({ ...LOCATOR, email: 'a@example.com' });
});
