/**
 * For each tool and outcome: whoever does what `next` says, to the letter, arrives or is told to ask the person. The player knows its
 * task, the tools and what results gave it, and thinks of nothing by itself.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATALOG, TOOLS } from '../../src/tools/index.ts';
import { CONTACT, passenger } from '../support/people.ts';
import { dayFrom, heldBooking, refundableTrip } from './calls/bookings.ts';
import { type Desk, failures, openDesk, PAY, type Result } from './calls/desk.ts';

const MOST_STEPS = 8;
const BY_LENGTH = CATALOG.map(({ name }) => name).toSorted((a, b) => b.length - a.length);

type Args = Readonly<Record<string, unknown>>;

interface Call {
  readonly tool: string;
  readonly args: Args;
}

/** What a person would have to decide or find out. */
const OF_PERSON = /\b(?:person|user|operator|airline)\b|\bSTOP\b/;
/** The person of this table agrees with whatever is asked. */
const IF_THEY_AGREE = /\b(?:agrees?|still wants?|still travels?|once the person)\b/;

const WAITS = /\b[Ii]n (\d+) seconds\b/;

const nextOf = ({ structured }: Result): string | undefined =>
  (structured.error as { next?: string } | undefined)?.next ?? (structured.next as string | undefined);

/** The tool that a sentence names to be called. */
function toolIn(sentence: string, last: Call): string | undefined {
  if (/\bthe (?:tool|call) again\b/.test(sentence)) return last.tool;
  const named = BY_LENGTH.filter((name) => new RegExp(`\\b${name}\\b`).test(sentence));
  return named.toSorted((a, b) => sentence.indexOf(a) - sentence.indexOf(b))[0];
}

/** Leaves an argument out, wherever it stands. */
function leaveOut(args: Record<string, unknown>, name: string): void {
  delete args[name];
  if (Array.isArray(args.legs)) args.legs = args.legs.map(({ [name]: _, ...leg }) => leg);
}

/** The arguments for a call that a sentence names: those of the last call, or what is known, as the sentence changes them. */
function argsFor(tool: string, sentence: string, last: Call, known: Args): Args {
  const fields = Object.keys((TOOLS as Record<string, (typeof CATALOG)[number]>)[tool]?.input().shape ?? {});
  const ofTask = Object.fromEntries(Object.entries(known).filter(([name]) => fields.includes(name)));
  const args: Record<string, unknown> = tool === last.tool ? { ...last.args } : ofTask;
  const [, handle] = /(?<!without )\bapproval_id ([\w-]+)/.exec(sentence) ?? [];
  if (handle !== undefined) args.approval_id = handle;
  for (const [, names = ''] of sentence.matchAll(/\bwithout ([a-z_]+(?:(?:, | and )[a-z_]+)*)/g))
    for (const name of names.split(/, | and /)) leaveOut(args, name.trim());
  for (const [, name = '', value] of sentence.matchAll(/\b([a-z_]+):? "([^"]+)"/g)) args[name] = value;
  if (/\bdetail: full\b/.test(sentence)) args.detail = 'full';
  if (/\bwith needs_attention\b/.test(sentence)) args.needs_attention = true;
  if (/\bagain: true\b/.test(sentence)) args.again = true;
  if (/\bwithout filters\b/.test(sentence)) return {};
  if (/\bwith instead_of\b/.test(sentence)) return { instead_of: known.instead_of };
  return args;
}

/** Does what the next step says. `person`: it hands over to the person. Undefined: it says nothing that can be done. */
function moveOf(next: string, last: Call, known: Args): Call | 'person' | undefined {
  for (const sentence of next.split(/(?<=[.;]) /)) {
    const tool = toolIn(sentence, last);
    const isOfPerson = OF_PERSON.test(sentence) && !IF_THEY_AGREE.test(sentence);
    const call = tool === undefined ? undefined : { tool, args: argsFor(tool, sentence, last, known) };
    const isSame = JSON.stringify(call) === JSON.stringify(last) && !WAITS.test(next);
    if (call !== undefined && !isOfPerson && !isSame) return call;
    if (OF_PERSON.test(sentence) && !/^Tell|^Show|^No person/.test(sentence)) return 'person';
    if (/^(?:Tell|Ask) the (?:person|user)/.test(sentence) && !next.includes('agree')) return 'person';
  }
  return undefined;
}

/** A field that the tool does not have, and the one that is meant: the player writes its value there. */
function renamed({ args, tool }: Call, { structured }: Result): Call | undefined {
  const { message = '' } = (structured.error ?? {}) as { message?: string };
  const [, wrong = '', right = ''] = /(\w+): there is no such field\. Nearest: (\w+)\./.exec(message) ?? [];
  if (right === '') return undefined;
  const { [wrong]: value, ...others } = args;
  return { tool, args: { ...others, [right]: value } };
}

interface Scene {
  readonly start: Call;
  /** What the task gives besides. */
  readonly knows?: Args;
  /** Whether it is where it wanted to be. */
  arrived(result: Result, call: Call): boolean;
}

const done = ({ structured }: Result): boolean => ['done', 'already_done'].includes(String(structured.status));
const shows = (field: string) => (result: Result) => !result.isError && result.structured[field] !== undefined;

/** Plays a scene. @param spoil changes each next step before it is read */
async function play(desk: Desk, scene: Scene, spoil = (next: string | undefined) => next) {
  let call = scene.start;
  let known: Args = { ...scene.knows, ...call.args };
  const path: string[] = [];
  for (let step = 0; step < MOST_STEPS; step++) {
    const result = await desk.result(call.tool, call.args);
    const { status, error, offers } = result.structured as {
      status?: string;
      error?: { code: string };
      offers?: object[];
    };
    path.push(`${call.tool}: ${error?.code ?? status ?? 'answered'}`);
    if (scene.arrived(result, call)) return { ended: 'arrived', path };
    const next = spoil(nextOf(result));
    if (next === undefined) return { ended: 'nothing to do', path };
    const { booking } = result.structured as { booking?: { locator?: string } };
    if (booking?.locator !== undefined) known = { locator: booking.locator, ...known };
    const [first] = (offers ?? []) as { offer_id?: string }[];
    if (first?.offer_id !== undefined) known = { ...known, offer_ids: [first.offer_id], offer_id: first.offer_id };
    const move = renamed(call, result) ?? moveOf(next, call, known);
    if (move === 'person') return { ended: 'asks the person', path };
    if (move === undefined) return { ended: `cannot: ${next}`, path };
    const waits = WAITS.exec(next);
    if (waits !== null) desk.advance(Number(waits[1]) * 1_000);
    call = move;
  }
  return { ended: 'too many steps', path };
}

let desk: Desk;
let held: string;
let paid: string;

beforeAll(async () => {
  desk = await openDesk({ approval: 'echo', environment: 'sandbox', sql: true });
  held = await heldBooking(desk);
  paid = await ticketed();
});
afterAll(async () => {
  await desk.close();
  expect(failures).toEqual([]);
});

/** A booking of its own, paid by the word of the model. */
async function ticketed(): Promise<string> {
  const locator = await heldBooking(desk);
  const asked = await desk.result('pay_booking', { locator, ...PAY });
  const { id } = asked.structured.approval as { id: string };
  await desk.result('pay_booking', { locator, ...PAY, approval_id: id });
  return locator;
}

const trip = async () => {
  const [route] = await desk.parts.airline.routes();
  return { from: route?.from.code ?? '', to: route?.to[0]?.code ?? '' };
};
const party = { passengers: { adults: 2 } };
const onDay = async (days: number, more: object = {}) => ({
  legs: [{ ...(await trip()), date: dayFrom(desk, days), ...more }],
  ...party,
});
const window = async () => ({ ...(await trip()), start_date: dayFrom(desk, 20), end_date: dayFrom(desk, 30) });
const people = () => [
  passenger('P700001', { given_name: 'Amal', surname: 'Steps' }, desk.sandbox.now()),
  passenger('P700002', { given_name: 'Noor', surname: 'Steps' }, desk.sandbox.now()),
];
const newName = () => ({ passenger_ref: '1', given_name: 'Omar', surname: 'Other' });
const newDocument = () => ({
  passenger_ref: '1',
  document: { type: 'passport', number: 'P730001', nationality: 'SA', expires: dayFrom(desk, 900) },
});
const lose = (message: string, kind = 'commit-then-lose') => desk.sandbox.order({ message, kind } as never);

/** By tool and outcome: how it begins, and how it must end. */
const SCENES: Readonly<Record<string, readonly [make: () => Promise<Scene>, ended: string]>> = {
  'search_fares: a day that is not on sale': [
    async () => ({
      start: { tool: 'search_fares', args: { ...(await onDay(340)), booking_classes: ['Q'] } },
      knows: await window(),
      arrived: (result) => shows('dates')(result) || shows('offers')(result),
    }),
    'arrived',
  ],
  'search_fares: nothing fits the wishes': [
    async () => ({
      start: { tool: 'search_fares', args: { ...(await onDay(20, { departs_between: '02:00-02:01' })) } },
      arrived: ({ structured }) => ((structured.offers as object[] | undefined) ?? []).length > 0,
    }),
    'arrived',
  ],
  'search_fares: a field by another name': [
    async () => ({
      start: { tool: 'search_fares', args: { ...(await onDay(20)), sort: 'price' } },
      arrived: shows('offers'),
    }),
    'arrived',
  ],
  'create_booking: an offer that is not known': [
    async () => ({
      start: { tool: 'create_booking', args: { offer_ids: ['o9zzzzz'], contact: CONTACT, passengers: people() } },
      arrived: shows('bookings'),
    }),
    'arrived',
  ],
  'create_booking: a group name for named passengers': [
    async () => {
      const { offer_id: id } = await refundableTrip(desk, 2);
      const args = { offer_ids: [id], contact: CONTACT, passengers: people(), group_name: 'Choir' };
      return { start: { tool: 'create_booking', args }, arrived: done };
    },
    'arrived',
  ],
  'create_booking: done': [
    async () => {
      const { offer_id: id } = await refundableTrip(desk, 2);
      const passengers = [0, 1].map((i) =>
        passenger(`P71000${i}`, { surname: `Paying ${'AB'[i]}` }, desk.sandbox.now()),
      );
      const args = { offer_ids: [id], contact: CONTACT, passengers };
      return {
        start: { tool: 'create_booking', args },
        knows: PAY,
        arrived: ({ structured }, { tool }) => tool === 'pay_booking' && structured.status === 'approval_required',
      };
    },
    'arrived',
  ],
  'pay_booking: a question, the yes, and the tickets': [
    async () => ({
      start: { tool: 'pay_booking', args: { locator: await heldBooking(desk), ...PAY } },
      arrived: (result, { tool }) => tool === 'get_tickets' && shows('tickets')(result),
    }),
    'arrived',
  ],
  'pay_booking: paid already': [
    async () => ({
      start: { tool: 'pay_booking', args: { locator: paid, ...PAY } },
      arrived: ({ text }) => text.includes('Not allowed now: pay_booking (it is paid already)'),
    }),
    'arrived',
  ],
  'pay_booking: another price': [
    async () => ({
      start: { tool: 'pay_booking', args: { locator: held, ...PAY, expected_total: '1.00' } },
      arrived: ({ structured }) => structured.status === 'approval_required',
    }),
    'arrived',
  ],
  'pay_booking: no way to pay': [
    async () => ({ start: { tool: 'pay_booking', args: { locator: held } }, arrived: done }),
    'asks the person',
  ],
  'pay_booking: the answer is lost': [
    async () => {
      const locator = await heldBooking(desk);
      lose('OTA_AirDemandTicketRQ');
      return { start: { tool: 'pay_booking', args: { locator, ...PAY } }, arrived: done };
    },
    'arrived',
  ],
  'list_bookings: a payment whose answer was lost': [
    async () => {
      const locator = await heldBooking(desk);
      const asked = await desk.result('pay_booking', { locator, ...PAY });
      lose('OTA_AirDemandTicketRQ', 'commit-then-lose');
      const { id } = asked.structured.approval as { id: string };
      await desk.result('pay_booking', { locator, ...PAY, approval_id: id });
      return {
        start: { tool: 'list_bookings', args: { needs_attention: true } },
        knows: { locator },
        arrived: ({ text }, { tool }) => tool === 'read_booking' && text.includes(', paid'),
      };
    },
    'arrived',
  ],
  'read_booking: no such booking': [
    async () => ({ start: { tool: 'read_booking', args: { locator: 'ZZZ999' } }, arrived: shows('booking') }),
    'asks the person',
  ],
  'read_booking: a question waits': [
    async () => {
      const locator = await heldBooking(desk);
      await desk.result('pay_booking', { locator, ...PAY });
      return { start: { tool: 'read_booking', args: { locator } }, arrived: () => false };
    },
    'asks the person',
  ],
  'cancel_booking: a hold is released': [
    async () => ({
      start: { tool: 'cancel_booking', args: { locator: await heldBooking(desk) } },
      knows: await onDay(20),
      arrived: shows('offers'),
    }),
    'arrived',
  ],
  'cancel_segment: a hold': [
    async () => ({
      start: { tool: 'cancel_segment', args: { locator: await heldBooking(desk), all: true } },
      arrived: (result, { tool }) => tool === 'cancel_booking' && done(result),
    }),
    'arrived',
  ],
  'cancel_passenger: all of them': [
    async () => ({
      start: { tool: 'cancel_passenger', args: { locator: await ticketed(), passenger_refs: ['1', '2'] } },
      arrived: (result, { tool }) => tool === 'cancel_booking' && done(result),
    }),
    'arrived',
  ],
  'get_seat_map: not paid yet': [
    async () => ({
      start: { tool: 'get_seat_map', args: { locator: await heldBooking(desk) } },
      knows: PAY,
      arrived: (result, { tool }) => tool === 'get_tickets' && shows('tickets')(result),
    }),
    'arrived',
  ],
  'get_tickets: not paid yet': [
    async () => ({
      start: { tool: 'get_tickets', args: { locator: await heldBooking(desk) } },
      knows: PAY,
      arrived: shows('tickets'),
    }),
    'arrived',
  ],
  'get_calendar_dates: days that are past': [
    async () => ({
      start: {
        tool: 'get_calendar_dates',
        args: { ...(await trip()), start_date: '2020-01-01', end_date: '2020-01-02' },
      },
      arrived: shows('dates'),
    }),
    'asks the person',
  ],
  'assign_seats: no such seat': [
    async () => ({
      start: {
        tool: 'assign_seats',
        args: { locator: paid, seats: [{ segment_ref: '1', passenger_ref: '1', seat: '99-99' }] },
      },
      arrived: shows('segments'),
    }),
    'arrived',
  ],
  'update_contact: a key of the desk beside an address': [
    async () => ({
      start: { tool: 'update_contact', args: { locator: held, customer: 'CRM-1', email: 'new@one.example' } },
      arrived: (result, { args }) => done(result) && args.customer === undefined,
    }),
    'arrived',
  ],
  'propose_plan: a hold as a step': [
    async () => {
      const { offer_id: id } = await refundableTrip(desk, 2);
      const passengers = [0, 1].map((i) =>
        passenger(`P72000${i}`, { surname: `Planned ${'AB'[i]}` }, desk.sandbox.now()),
      );
      const args = { offer_ids: [id], contact: CONTACT, passengers };
      return {
        start: { tool: 'propose_plan', args: { steps: [{ tool: 'create_booking', arguments: args }] } },
        knows: args,
        arrived: (result, { tool }) => tool === 'create_booking' && done(result),
      };
    },
    'arrived',
  ],
  'run_plan: no such plan': [
    async () => ({
      start: { tool: 'run_plan', args: { plan_id: 'pl_none' } },
      knows: { steps: [{ tool: 'cancel_booking', arguments: { locator: held } }] },
      arrived: shows('plan_id'),
    }),
    'arrived',
  ],
  'quote_cancellation: no such booking': [
    async () => ({ start: { tool: 'quote_cancellation', args: { locator: 'ZZZ999' } }, arrived: () => false }),
    'asks the person',
  ],
  'change_names: a ticketed booking': [
    async () => ({
      start: { tool: 'change_names', args: { locator: await ticketed(), changes: [newName()] } },
      arrived: done,
    }),
    'arrived',
  ],
  'list_routes: nothing matches': [
    async () => ({ start: { tool: 'list_routes', args: { query: 'Atlantis' } }, arrived: shows('routes') }),
    'arrived',
  ],
  'close_findings: no such finding': [
    async () => ({ start: { tool: 'close_findings', args: { finding_ids: ['f1'] } }, arrived: shows('bookings') }),
    'arrived',
  ],
  'query_ledger: no such column': [
    async () => ({
      start: { tool: 'query_ledger', args: { sql: 'select nope from booking' } },
      arrived: ({ isError }, { args }) => !isError && args.sql === undefined,
    }),
    'arrived',
  ],
  'find_cheapest_dates: no service on these days': [
    async () => ({
      start: {
        tool: 'find_cheapest_dates',
        args: { ...(await trip()), start_date: dayFrom(desk, 338), end_date: dayFrom(desk, 340), ...party },
      },
      knows: await window(),
      arrived: (result, { tool }) => tool === 'get_calendar_dates' && !result.isError,
    }),
    'arrived',
  ],
  'send_tickets: not paid yet': [
    async () => ({
      start: { tool: 'send_tickets', args: { locator: await heldBooking(desk), what: 'tickets' } },
      knows: PAY,
      arrived: (result, { tool }) => tool === 'get_tickets' && shows('tickets')(result),
    }),
    'arrived',
  ],
  'update_passenger: a ticketed booking': [
    async () => ({
      start: { tool: 'update_passenger', args: { locator: await ticketed(), changes: [newDocument()] } },
      arrived: done,
    }),
    'arrived',
  ],
  'rebook_segment: an offer that is not known': [
    async () => ({
      start: { tool: 'rebook_segment', args: { locator: paid, segment_ref: '1', offer_id: 'o9zzzzz' } },
      arrived: shows('bookings'),
    }),
    'arrived',
  ],
  'rebook_segment: not paid yet': [
    async () => ({
      start: {
        tool: 'rebook_segment',
        args: { locator: await heldBooking(desk), segment_ref: '1', offer_id: 'o9zzzzz' },
      },
      arrived: (result, { tool }) => tool === 'cancel_booking' && done(result),
    }),
    'arrived',
  ],
  'split_booking: all of them': [
    async () => ({
      start: { tool: 'split_booking', args: { locator: paid, passenger_refs: ['1', '2'] } },
      arrived: () => false,
    }),
    'asks the person',
  ],
  'split_booking: one of two': [
    async () => ({
      start: { tool: 'split_booking', args: { locator: await ticketed(), passenger_refs: ['1'] } },
      arrived: done,
    }),
    'arrived',
  ],
  'request_service: no such service': [
    async () => ({
      start: { tool: 'request_service', args: { locator: paid, passenger_ref: '1', service: { code: 'QQQQ' } } },
      arrived: () => false,
    }),
    'asks the person',
  ],
  'request_service: a wheelchair': [
    async () => ({
      start: { tool: 'request_service', args: { locator: paid, passenger_ref: '1', service: { code: 'WCHR' } } },
      arrived: done,
    }),
    'arrived',
  ],
};

describe('whoever does what the last result says', () => {
  test.each(Object.entries(SCENES))('%s', async (_title, [make, ended]) => {
    const played = await play(desk, await make());
    expect([played.ended.split(':')[0], played.path.join(' → ')]).toEqual([ended, played.path.join(' → ')]);
  });

  test('begins with each tool', () => {
    const begun = new Set(Object.keys(SCENES).map((title) => title.split(':')[0]));
    expect(CATALOG.map(({ name }) => name).filter((name) => !begun.has(name))).toEqual([]);
  });

  test('gets nowhere where a next step is missing', async () => {
    const [make] = SCENES['cancel_segment: a hold'] ?? [];
    const scene = await make?.();
    if (scene === undefined) throw new Error('no scene');
    expect(await play(desk, scene, () => undefined)).toMatchObject({ ended: 'nothing to do' });
    expect(await play(desk, scene, () => 'Thank you.')).toMatchObject({ ended: 'cannot: Thank you.' });
  });
});
