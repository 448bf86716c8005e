/**
 * Every fault on the wire under every tool, through the whole clerk over real sockets: a reading ends in the right error
 * (or in its answer, where that does come); an act ends as the airline's own ledger has it, and is sent once.
 *
 *   node test/campaigns/chaos/wire-faults.ts [--runs all] [--seed 1]
 */

import type { Answer, Ask, Result } from '../../../src/approvals/answer.ts';
import type { Operation } from '../../../src/ota/options.ts';
import { createTransport } from '../../../src/ota/transport/http.ts';
import { dateIn } from '../../support/people.ts';
import { ACTS, type Act, createArgs, type Look } from '../support/acts.ts';
import { airlineAt, type OpenAirline, openAirline, tokensAt } from '../support/airline.ts';
import { Chance } from '../support/chance.ts';
import { codeOf, type Office, openOffice } from '../support/office.ts';
import { inParallel } from '../support/pace.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { command, type ProofOptions, type Proved } from '../support/report.ts';
import { FAULTS, type Fault } from './support/faults.ts';

const WIDTH = 8;
const SETTLE_MS = 700;
/** For answers that never come: no longer is waited for them. */
const DEADLINE_MS = 1_000;

const OPERATION: Readonly<Record<string, Operation>> = {
  OTA_AirBookRQ: 'book',
  OTA_AirDemandTicketRQ: 'ticket',
  OTA_AirBookModifyRQ: 'modify',
  OTA_CancelRQ: 'cancel',
  OTA_ReadRQ: 'read',
  OTA_AirLowFareSearchRQ: 'fare_search',
  OTA_AirSeatMapRQ: 'seat_map',
  routes: 'routes',
  calendar: 'calendar',
};

interface World extends OpenAirline {
  /** One login for all. */
  readonly tokens: ReturnType<typeof tokensAt>;
}

interface Reading {
  readonly tool: string;
  readonly message: string;
  readonly args: (world: World, locator: string) => Promise<object> | object;
  readonly on?: 'held' | 'ticketed';
  /** Faults that are an answer to this reading: an empty list, in effect. By name; what they come to. */
  readonly answers?: Readonly<Record<string, string>>;
}

type Case =
  | { readonly kind: 'read'; readonly reading: Reading; readonly fault: Fault }
  | { readonly kind: 'preview' | 'recheck'; readonly act: Act; readonly fault: Fault }
  | { readonly kind: 'act'; readonly act: Act | undefined; readonly fault: Fault; readonly done: boolean };

interface Seen {
  readonly name: string;
  readonly outcome: string;
  readonly problems: readonly string[];
}

const leg = async ({ stock, sandbox }: World) => {
  const { from, to } = await stock.pair();
  return { from, to, date: dateIn(sandbox.now(), 20) };
};

const READINGS: readonly Reading[] = [
  {
    tool: 'search_fares',
    message: 'OTA_AirLowFareSearchRQ',
    args: async (world) => ({ legs: [await leg(world)], passengers: { adults: 1 } }),
    answers: { 'says success and no more': 'E_NO_AVAILABILITY' },
  },
  { tool: 'read_booking', message: 'OTA_ReadRQ', on: 'held', args: (_, locator) => ({ locator }) },
  { tool: 'get_seat_map', message: 'OTA_AirSeatMapRQ', on: 'ticketed', args: (_, locator) => ({ locator }) },
  { tool: 'list_routes', message: 'routes', args: () => ({}), answers: { 'is an array': 'E_NO_AVAILABILITY' } },
  {
    tool: 'get_calendar_dates',
    message: 'calendar',
    args: async (world) => {
      const { from, to, date } = await leg(world);
      return { from, to, start_date: date, end_date: dateIn(world.sandbox.now(), 30) };
    },
  },
  {
    tool: 'find_cheapest_dates',
    message: 'OTA_AirLowFareSearchRQ',
    args: async (world) => {
      const { from, to, date } = await leg(world);
      return { from, to, start_date: date, end_date: date, passengers: { adults: 1 } };
    },
    answers: { 'says success and no more': 'ok' },
  },
];

/** Only what names a booking can be about another; a new booking has no name yet to be held against. */
const FOREIGN = 'is about another booking';

function cases(): Case[] {
  const proven = FAULTS.filter((fault) => fault.kind !== 'refusal');
  const reads = READINGS.flatMap((reading) =>
    FAULTS.filter((fault) => reading.tool === 'read_booking' || fault.name !== FOREIGN).map(
      (fault): Case => ({ kind: 'read', reading, fault }),
    ),
  );
  const around = ACTS.flatMap((act) =>
    FAULTS.flatMap((fault): Case[] => [
      { kind: 'preview', act, fault },
      { kind: 'recheck', act, fault },
    ]),
  );
  const acts = [undefined, ...ACTS].flatMap((act): Case[] => [
    // What the airline refuses it has not done; what is whole it has.
    ...FAULTS.filter((fault) => fault.kind !== 'whole').map(
      (fault) => ({ kind: 'act', act, fault, done: false }) as const,
    ),
    ...proven.map((fault) => ({ kind: 'act', act, fault, done: true }) as const),
  ]);
  const hasName = (one: Case) => one.kind !== 'act' || (one.act !== undefined && one.act.named === undefined);
  const named = acts.filter((one) => hasName(one) || one.fault.name !== FOREIGN);
  return [...reads, ...around, ...named];
}

interface Scene {
  readonly office: Office;
  readonly relay: Relay;
  /** Plays the fault on each coming message of its name. */
  play(forwards: boolean): void;
  close(): Promise<void>;
}

async function openScene({ settings, tokens }: World, message: string, fault: Fault): Promise<Scene> {
  const relay = await startRelay(settings);
  const operation = OPERATION[message];
  const waits = fault.reads.includes('E_AIRLINE_TIMEOUT') && operation !== undefined;
  const deadlines = waits ? { [operation]: DEADLINE_MS } : {};
  const airline = airlineAt({ settings: relay.settings, tokens, deadlines });
  const office = await openOffice({ airline, settleMs: SETTLE_MS, waitMs: 10_000, close: () => airline.close() });
  return {
    office,
    relay,
    play(forwards) {
      relay.interfere(async ({ name, forward, socket }) => {
        if (name !== message) return false;
        const body = forwards ? (await forward()).body : LIKENESS;
        if (!socket.destroyed) fault.play(socket, body);
        return true;
      });
    },
    async close() {
      await office.close();
      await relay.close();
    },
  };
}

/** Stands in for a good answer where the airline is not asked at all. */
const LIKENESS = JSON.stringify({ success: {}, bookingReferenceID: [{ id: 'ZZ9ZZ9', type: '14' }], version: 2.001 });

const bookingFor = async (world: World, on: 'held' | 'ticketed') =>
  on === 'held' ? (await world.stock.held()).locator : world.stock.ticketed();

const faultOf = (result: Result) =>
  (result.structured.error ?? {}) as { code?: string; effect?: string; message?: string; next?: string };

async function runRead(world: World, { reading, fault }: Extract<Case, { kind: 'read' }>): Promise<Seen> {
  const scene = await openScene(world, reading.message, fault);
  const locator = reading.on === undefined ? '' : await bookingFor(world, reading.on);
  const args = await reading.args(world, locator);
  try {
    scene.play(true);
    const result = await scene.office.result(reading.tool, args);
    const asked = scene.relay.arrived.filter((name) => name === reading.message).length;
    const code = codeOf(result);
    const answered = fault.kind === 'whole' ? 'ok' : reading.answers?.[fault.name];
    const reads = (reading.on === undefined && fault.unbooked?.reads) || fault.reads;
    const due = answered === undefined ? reads.includes(code as never) : code === answered;
    return seen(`${reading.tool}, ${fault.name}`, code, [
      [due, `ended in ${code}: ${result.text.split('\n')[0]}`],
      [code === 'ok' || faultOf(result).effect === 'none', `effect ${faultOf(result).effect}`],
      [asked <= 2, `asked ${asked} times`],
      [scene.office.failures.length === 0, String(scene.office.failures[0])],
    ]);
  } finally {
    await scene.close();
  }
}

/** Before the fault is played, on a busy machine: a reading that is late is made again. */
async function inTime(office: Office, tool: string, args: object): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await office.call(tool, args);
    if (codeOf(answer) !== 'E_AIRLINE_TIMEOUT' || tries === 5) return answer;
  }
}

const lookOf =
  (office: Office): Look =>
  async (tool, args) => {
    const answer = await inTime(office, tool, args);
    return answer.kind === 'result' ? answer.structured : undefined;
  };

async function questionOf(office: Office, tool: string, args: object): Promise<Ask> {
  const answer = await inTime(office, tool, args);
  if (answer.kind !== 'ask') throw new Error(`${tool} did not ask: ${JSON.stringify(answer)}`);
  return answer;
}

/** The readings before the question, and before the sending: nothing may be sent on a bad one. */
async function runAround(world: World, one: Extract<Case, { kind: 'preview' | 'recheck' }>): Promise<Seen> {
  const { act, fault, kind } = one;
  const locator = await bookingFor(world, act.on);
  const scene = await openScene(world, 'OTA_ReadRQ', fault);
  const { office, relay } = scene;
  const args = await act.args(locator, lookOf(office));
  try {
    let result: Result | undefined;
    if (kind === 'preview') {
      scene.play(true);
      const answer = await office.call(act.tool, args);
      if (answer.kind === 'result') result = answer;
    } else {
      const question = await questionOf(office, act.tool, args);
      scene.play(true);
      result = await office.yes(act.tool, args, question);
    }
    const code = result === undefined ? 'ask' : codeOf(result);
    const good = kind === 'preview' ? 'ask' : 'done';
    const sends = relay.arrived.filter((name) => name === act.message).length;
    const due = fault.kind === 'whole' ? code === good : fault.reads.includes(code as never);
    const [operation] = await office.operations();
    return seen(`${act.name} (${kind}), ${fault.name}`, code, [
      [due, `ended in ${code}: ${result?.text.split('\n')[0]}`],
      [code === good || (result !== undefined && faultOf(result).effect === 'none'), 'effect is not none'],
      [sends === (code === 'done' ? 1 : 0), `${sends} sent`],
      [operation === undefined || ['not_executed', 'succeeded'].includes(operation.state), `is ${operation?.state}`],
      [office.failures.length === 0, String(office.failures[0])],
    ]);
  } finally {
    await scene.close();
  }
}

async function runAct(world: World, { act, fault, done }: Extract<Case, { kind: 'act' }>): Promise<Seen> {
  const locator = act === undefined ? undefined : await bookingFor(world, act.on);
  const tool = act?.tool ?? 'create_booking';
  const message = act?.message ?? 'OTA_AirBookRQ';
  const scene = await openScene(world, message, fault);
  const { office, relay } = scene;
  const name = `${act?.name ?? tool}, ${done ? 'done and then' : 'not done and'} ${fault.name}`;
  try {
    const args = act === undefined ? await newBooking(world, office) : await act.args(locator ?? '', lookOf(office));
    const question = act === undefined ? undefined : await questionOf(office, tool, args);
    scene.play(done);
    const first = question ? await office.yes(tool, args, question) : await office.result(tool, args);
    const last = codeOf(first) === 'pending' ? await followed(office, tool, args, question?.handle) : first;
    const sends = relay.arrived.filter((each) => each === message).length;
    const acts = actsOf(world, act, locator, relay);
    const [operation] = await office.operations();
    const state = operation?.state ?? 'none';
    return seen(name, `${codeOf(first)} → ${codeOf(last)}`, [
      [sends === 1, `${sends} sent`],
      [acts === (done ? 1 : 0), `done ${acts} times`],
      [
        isRight({ act, fault, done, first, last, state }),
        `told ${codeOf(first)}, then ${codeOf(last)}; journal ${state}`,
      ],
      [office.failures.length === 0, String(office.failures[0])],
    ]);
  } finally {
    await scene.close();
  }
}

/** An unknown outcome is reported once it is settled. A create is called again with the same arguments. */
async function followed(office: Office, tool: string, args: object, handle: string | undefined): Promise<Result> {
  return office.result(tool, handle === undefined ? args : { ...args, approval_id: handle });
}

function isRight(it: {
  act: Act | undefined;
  fault: Fault;
  done: boolean;
  first: Result;
  last: Result;
  state: string;
}) {
  const { act, fault, done, first, last, state } = it;
  const [was, is] = [codeOf(first), codeOf(last)];
  if (fault.kind === 'whole') return was === 'done' && state === 'succeeded';
  if (fault.kind === 'refusal') {
    const refused = (act === undefined && fault.unbooked?.refused) || fault.refused;
    return was === refused && faultOf(first).effect === 'none' && state === 'refused';
  }
  if (was !== 'pending') return false;
  // A booking whose name was in the answer that was lost.
  if (act === undefined || (act.named && done)) return is === 'needs_person' && state === 'needs_person';
  if (done) return (is === 'done' || is === 'already_done') && state === 'succeeded';
  return faultOf(last).effect === 'none' && state === 'not_executed';
}

function actsOf({ sandbox, times }: World, act: Act | undefined, locator: string | undefined, relay: Relay): number {
  if (act !== undefined) {
    return times(act.event, locator ?? '');
  }
  const made = relay.carried.filter(({ name, status }) => name === 'OTA_AirBookRQ' && status === 200);
  const created = new Set(sandbox.ledger().flatMap((it) => (it.event === 'created' ? [it.locator] : [])));
  return made.filter(({ body }) => [...created].some((one) => body.includes(one))).length;
}

async function newBooking(world: World, office: Office): Promise<object> {
  const found = await office.result('search_fares', { legs: [await leg(world)], passengers: { adults: 1 } });
  const [offer] = found.structured.offers as { offer_id: string }[];
  return createArgs(offer?.offer_id ?? '', world.sandbox.now());
}

function seen(name: string, outcome: string, rules: readonly (readonly [boolean, string])[]): Seen {
  const problems = rules.filter(([good]) => !good).map(([, problem]) => `${name}: ${problem}`);
  return { name, outcome, problems };
}

function run(world: World, one: Case): Promise<Seen> {
  if (one.kind === 'read') return runRead(world, one);
  return one.kind === 'act' ? runAct(world, one) : runAround(world, one);
}

export async function proveWireFaults({ runs, seed }: ProofOptions): Promise<Proved> {
  const airline = await openAirline();
  const transport = createTransport();
  const world: World = { ...airline, tokens: tokensAt(airline.settings, transport) };
  try {
    const all = cases();
    const chosen = new Chance(seed).shuffled(all).slice(0, runs);
    const results = await inParallel(chosen, WIDTH, (one) => run(world, one));
    const acts = chosen.filter((one) => one.kind === 'act').length;
    const of = `${FAULTS.length} faults × ${READINGS.length} reading tools, ${ACTS.length + 1} acts before and after they are done, and the readings around them`;
    const problems = results.flatMap((result) => result.problems);
    const right = results.filter((result) => result.problems.length === 0).length;
    return {
      seen: `${results.length} of ${all.length} runs (${of}); ${right} classified rightly, ${acts} of them acts: each sent once`,
      problems,
    };
  } finally {
    await transport.close();
    await airline.close();
  }
}

if (import.meta.main) await command('wire faults', { runs: 100_000, seed: 1 }, proveWireFaults);
