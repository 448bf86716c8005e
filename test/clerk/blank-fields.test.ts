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

/** Every optional field below a schema. */
function optionalFields(shape: JsonSchema, at = ''): { path: string; least: unknown }[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const isOptional = shape.required?.includes(name) !== true;
    return [
      ...(isOptional ? [{ path, least: inner.type === 'integer' ? inner.minimum : undefined }] : []),
      ...optionalFields(inner, path),
      ...(inner.items === undefined ? [] : optionalFields(inner.items, `${path}[]`)),
    ];
  });
}

/** Writes a value into a copy of a call. Undefined if the call has no such place. */
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

/** What hosts and models send for nothing. */
const NOTHING = ['', ' ', 'null', ['null'], [''], [], {}];

test('nothing, in each of its forms, is a call without the field; of the others it is refused by name', () => {
  const refused: string[] = [];
  for (const tool of CATALOG.filter(({ name }) => name !== 'propose_plan')) {
    const call = CALLS[tool.name] ?? (BARE.includes(tool.name) ? {} : LOCATOR);
    const shape = inputJsonSchema(tool);
    const parse = (args: object | undefined) => parseInput(tool.input(), shape, args);
    parse(call);
    for (const { path, least } of optionalFields(shape)) {
      const absent = withValue(call, path, undefined);
      expect(absent, `${tool.name}: the call here lacks the place of ${path}`).toBeDefined();
      const forms = least !== undefined && Number(least) >= 1 ? [...NOTHING, 0] : NOTHING;
      const taken = forms.filter((blank) => {
        try {
          // A list of refs takes a text as a ref, which no booking has.
          return JSON.stringify(parse(withValue(call, path, blank))) === JSON.stringify(parse(absent));
        } catch (error) {
          expect(String(error)).toContain(path.split('.').at(-1));
          return false;
        }
      });
      if (taken.length < forms.length) refused.push(`${tool.name} ${path}: ${taken.length} of ${forms.length}`);
    }
  }
  expect(refused).toMatchInlineSnapshot(`
    [
      "pay_booking expected_total: 0 of 7",
      "quote_cancellation segment_refs: 0 of 7",
      "quote_cancellation passenger_refs: 0 of 7",
      "cancel_segment segment_refs: 0 of 7",
      "get_seat_map segment_refs: 0 of 7",
      "get_seat_map passenger_refs: 0 of 7",
      "get_tickets segment_refs: 0 of 7",
      "get_tickets passenger_refs: 0 of 7",
      "list_routes from: 0 of 7",
      "list_routes to: 0 of 7",
      "list_bookings departs_from: 0 of 7",
      "list_bookings departs_to: 0 of 7",
      "query_ledger from: 0 of 7",
      "query_ledger to: 0 of 7",
    ]
  `);
});

test('names and codes are taken in the forms in which models have them', () => {
  const parse = (name: string, args: object) => {
    const tool = CATALOG.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return parseInput(tool.input(), inputJsonSchema(tool), args) as Json;
  };
  const create = CALLS.create_booking as Json;
  const [first] = create.passengers as [Json & { document: Json }];
  const withDocument = (more: Json) => ({
    ...create,
    offer_ids: [{ offer_id: 'o1abcdefg' }, 'o2abcdefg'],
    passengers: [{ ...first, document: { ...first.document, ...more } }],
  });
  const args = parse('create_booking', withDocument({ type: 'P', nationality: 'Saudi Arabia' }));
  expect(args.offer_ids).toEqual(['o1abcdefg', 'o2abcdefg']);
  expect(args.passengers).toMatchObject([{ document: { type: 'passport', nationality: 'SA' } }]);
  // An object of another kind, and a name that could mean several countries, stay what they are.
  expect(() => parse('create_booking', { ...create, offer_ids: [{ id: 'o1abcdefg' }] })).toThrow('offer_ids[0]');
  expect(() => parse('create_booking', withDocument({ nationality: 'United' }))).toThrow('nationality');
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
    return expect(() => parseInput(tool.input(), inputJsonSchema(tool), args));
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
  const parse = (raw: object) => parseInput(contact.input(), inputJsonSchema(contact), raw, 'steps[3].arguments');
  expect(parse(args)).toEqual({ ...LOCATOR, email: 'a@example.com' });
  expect(() => parse({ ...args, email: 'nobody' })).toThrow('steps[3].arguments.email');
});
