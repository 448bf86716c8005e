/**
 * Clients of both generations hold every result against the schema that the tool list names, and hide from the model one that does
 * not fit. One plays every tool of the program as it is published, against the sandbox airline, in its main states.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, test } from 'vitest';
import { freshState } from '../cli/screen.ts';
import { asking, type ToolResult } from '../http/support/clients.ts';
import { CONTACT, newPassenger } from '../support/people.ts';
import { type Sandbox, startSandbox } from '../support/sandbox/start.ts';
import { BIN } from './clients.ts';
import { inDays } from './trip.ts';

const KINDS = ['v1', 'v2-2026'] as const;
type Client = Awaited<ReturnType<typeof asking>>;
type Args = Record<string, unknown>;

/** What a tool that asks a person comes to. */
const ASKED = ['approval_required', 'done', 'already_done', 'error'];
const STATES: Readonly<Record<string, readonly string[]>> = {
  create_booking: ['done', 'already_done', 'pending', 'error'],
  pay_booking: [...ASKED, 'pending'],
  cancel_segment: [...ASKED, 'pending'],
  // Of a plan that is over it shows what came of it.
  run_plan: ['approval_required', 'done', 'error'],
};

const open: { client?: Client; sandbox?: Sandbox } = {};
afterEach(async () => {
  await open.client?.close();
  await open.sandbox?.close();
});

/** A client that has read the tool list, and so compiled its schemas. */
async function listing(kind: (typeof KINDS)[number]) {
  const sandbox = await startSandbox();
  open.sandbox = sandbox;
  const env = {
    ...{ PATH: process.env.PATH ?? '', ...freshState(), ...sandbox.settings },
    ...{ FARECLERK_APPROVAL: 'echo', FARECLERK_ASSUMED_OPERATIONS: 'true' },
    FARECLERK_LOG_LEVEL: 'error',
  };
  const client = await asking(kind, { command: process.execPath, args: [BIN, 'serve'], env });
  open.client = client;
  return { client, sandbox, tools: (await client.listTools()).tools };
}

describe('a client that compiles the schemas of the tool list', () => {
  test('takes every result of every tool', async () => {
    const { client, sandbox, tools } = await listing('v2-2026');
    const strict = new Ajv2020({ strict: true });
    const validators = new Map<string, ValidateFunction>(
      tools.map(({ name, outputSchema = { not: {} } }) => [name, strict.compile(outputSchema as object)]),
    );
    const seen = new Set<string>();
    const call = async (tool: string, args: Args) => {
      const result = (await client.callTool({ name: tool, arguments: args })) as unknown as ToolResult;
      const validate = validators.get(tool);
      expect(validate?.(result.structuredContent), JSON.stringify(validate?.errors)).toBe(true);
      seen.add(`${tool} ${result.isError ? 'error' : (result.structuredContent.status ?? 'ok')}`);
      return result;
    };
    for (const { name } of tools) await call(name, { no_such_argument: true });
    await playEveryTool(async (tool, args) => {
      const { structuredContent, isError, content } = await call(tool, args);
      expect(isError, `${tool}: ${content[0]?.text}`).toBeFalsy();
      return structuredContent;
    }, sandbox);

    const due = tools.flatMap(({ name, annotations }) => {
      const states = STATES[name] ?? (annotations?.destructiveHint ? ASKED : ['ok', 'error']);
      return states.map((state) => `${name} ${state}`);
    });
    expect([...seen].sort()).toEqual(due.sort());
  });

  test.each(KINDS)('refuses a result that does not fit: %s', async (kind) => {
    const { client } = await listing(kind);
    const { transport } = client;
    const deliver = transport?.onmessage;
    if (transport === undefined || deliver === undefined) throw new Error('the client is not connected');
    transport.onmessage = (message, extra) => {
      const { result } = message as { result?: { structuredContent?: Args } };
      if (result?.structuredContent !== undefined) result.structuredContent.total_found = 'many';
      deliver(message, extra);
    };
    const routes = client.callTool({ name: 'list_routes', arguments: {} });
    await expect(routes).rejects.toThrow(/does not match the tool's output schema: data\/total_found must be integer/);
  });
});

const FROM = 'QCA';
const TO = 'XMD';
/** Fares of which something comes back. */
const CLASS = ['C'];

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
type Call = (tool: string, args: Args) => Promise<any>;

async function playEveryTool(call: Call, sandbox: Sandbox): Promise<void> {
  const day = (days: number) => inDays(days, sandbox.now());
  const legs = [
    { from: FROM, to: TO, date: day(20) },
    { from: TO, to: FROM, date: day(25) },
  ];
  const offers = async (trip: readonly object[] = legs) => {
    const found = await call('search_fares', { legs: trip, passengers: { adults: 2 }, booking_classes: CLASS });
    return found.offers.map(({ offer_id }: { offer_id: string }) => offer_id);
  };
  const [cheapest] = await offers();
  const people = () => ({
    offer_ids: [cheapest],
    contact: CONTACT,
    passengers: [newPassenger({}, sandbox.now()), newPassenger({}, sandbox.now())],
  });
  const hold = async () => (await call('create_booking', people())).booking.locator as string;
  const lose = (message: string) => sandbox.order({ message, kind: 'commit-then-lose' });
  /** Until the reading of the booking has settled it. */
  const settled = async (tool: string, args: Args) => {
    await expect.poll(async () => (await call(tool, args)).status).not.toBe('pending');
  };
  /** Asks, does and repeats. `message`: its answer is lost. */
  const act = async (tool: string, args: Args, message?: string) => {
    const { approval } = await call(tool, args);
    const approved = { ...args, approval_id: approval.id };
    if (message !== undefined) lose(message);
    const done = await call(tool, approved);
    if (done.status === 'pending') await settled(tool, approved);
    await call(tool, approved);
    return done;
  };
  const ticketed = async () => {
    const locator = await hold();
    await act('pay_booking', { locator, payment: { type: 'invoice' } });
    return locator;
  };

  const span = { from: FROM, to: TO, start_date: day(20), end_date: day(21) };
  await call('list_routes', {});
  await call('get_calendar_dates', span);
  await call('find_cheapest_dates', { ...span, passengers: { adults: 1 } });
  lose('OTA_AirBookRQ');
  await call('create_booking', people());
  const order = people();
  const { locator } = (await call('create_booking', order)).booking;
  await call('create_booking', order);
  await act('pay_booking', { locator, payment: { type: 'invoice' } }, 'OTA_AirDemandTicketRQ');
  await call('read_booking', { locator });
  await call('read_booking', { locator, detail: 'full' });
  await call('get_tickets', { locator });
  await call('send_tickets', { locator, what: 'tickets' });
  await call('quote_cancellation', { locator });
  const { segments } = await call('get_seat_map', { locator, segment_refs: ['1'], detail: 'full' });
  const free = segments[0].cabins.flatMap(({ seats }: { seats: readonly Seat[] }) =>
    seats.filter(({ status }) => status === 'free').map(({ seat }) => seat),
  );
  await act('assign_seats', { locator, seats: [{ segment_ref: '1', passenger_ref: '1', seat: free[0] }] });
  await act('request_service', { locator, passenger_ref: '1', service: { code: 'WCHC' } });
  await act('change_names', { locator, changes: [{ passenger_ref: '1', given_name: 'Layla' }] });
  await act('update_contact', { locator, email: 'desk@example.org' });
  const document = { type: 'passport', number: 'P9988776', nationality: 'SA', expires: day(4_000) };
  await act('update_passenger', { locator, changes: [{ passenger_ref: '1', document }] });
  const [other] = await offers([{ ...legs[0], date: day(21) }]);
  await act('rebook_segment', { locator, segment_ref: '1', offer_id: other });
  await act('cancel_segment', { locator, segment_refs: ['2'] }, 'OTA_AirBookModifyRQ');
  await act('cancel_booking', { locator });
  await act('split_booking', { locator: await ticketed(), passenger_refs: ['2'] });
  await act('cancel_passenger', { locator: await ticketed(), passenger_refs: ['2'] });

  const steps = [{ tool: 'cancel_bookings', arguments: { locators: [await ticketed()] } }];
  const { plan_id } = await call('propose_plan', { steps });
  await act('run_plan', { plan_id });
  const stranded = await ticketed();
  sandbox.disturb({ kind: 'cancel', locator: stranded });
  await call('read_booking', { locator: stranded });
  const { changes } = await call('list_bookings', {});
  await call('close_findings', { finding_ids: [changes[0].finding_ids[0]] });
  await call('query_ledger', {});
  await call('query_ledger', { sql: 'select * from operation, booking', max_rows: 2 });
}

interface Seat {
  readonly seat: string;
  readonly status: string;
}
