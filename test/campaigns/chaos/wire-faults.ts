/**
 * Every fault on the wire under every tool, through the whole clerk over real sockets: a reading ends in the right error
 * (or in its answer, where that does come); an act ends as the airline's own ledger has it, and is sent once.
 *
 *   node test/campaigns/chaos/wire-faults.ts [--runs all] [--seed S]
 */
import { createTransport } from '../../../src/ota/transport/http.ts';
import { dateIn } from '../../support/people.ts';
import { ACTS, type Act, createArgs, type Look, READ } from '../support/acts.ts';
import { type AirlineAt, airlineAt, type OpenAirline, openAirline, tokensAt } from '../support/airline.ts';
import { Chance } from '../support/chance.ts';
import { type Answer, codeOf, type Office, openOffice, type Result } from '../support/office.ts';
import { inParallel } from '../support/pace.ts';
import { startRelay } from '../support/relay.ts';
import { command, type ProofOptions, type Proved } from '../support/report.ts';
import { FAULTS, type Fault } from './support/faults.ts';

const WIDTH = 8;
const SETTLE_MS = 700;
/** For answers that never come: no longer is waited for them. */
const DEADLINE_MS = 1_000;
/** How often the outcome is asked for while a pause may last. Each waits up to ten seconds. */
const PAUSES = 3;
const BOOK = 'OTA_AirBookRQ';
const SEARCH = 'OTA_AirLowFareSearchRQ';

const OPERATION: Readonly<Record<string, keyof NonNullable<AirlineAt['deadlines']>>> = {
  ...{ [BOOK]: 'book', OTA_AirDemandTicketRQ: 'ticket', OTA_AirBookModifyRQ: 'modify', OTA_CancelRQ: 'cancel' },
  ...{ [READ]: 'read', [SEARCH]: 'fare_search', OTA_AirSeatMapRQ: 'seat_map', routes: 'routes', calendar: 'calendar' },
};

interface World extends OpenAirline {
  readonly tokens: ReturnType<typeof tokensAt>;
}

interface Reading {
  readonly tool: string;
  readonly message: string;
  readonly args: (world: World, locator: string) => Promise<object> | object;
  readonly on?: Act['on'];
  /** Faults that are an answer to this reading: an empty list, in effect. By name; what they come to. */
  readonly answers?: Readonly<Record<string, string>>;
}

type Case =
  | { readonly kind: 'read'; readonly reading: Reading; readonly fault: Fault }
  | { readonly kind: 'preview' | 'recheck'; readonly act: Act; readonly fault: Fault }
  | { readonly kind: 'act'; readonly act: Act | undefined; readonly fault: Fault; readonly done: boolean };
type Of<K> = Extract<Case, { kind: K }>;

const leg = async ({ stock, sandbox }: World) => ({ ...(await stock.pair()), date: dateIn(sandbox.now(), 20) });
const ofBooking: Reading['args'] = (_, locator) => ({ locator });

/** From the day of the leg, for so many days. */
const dates = async (world: World, days: number) => {
  const { from, to, date } = await leg(world);
  return { from, to, start_date: date, end_date: dateIn(world.sandbox.now(), 20 + days) };
};

const READINGS: readonly Reading[] = [
  {
    ...{ tool: 'search_fares', message: SEARCH, answers: { 'says success and no more': 'E_NO_AVAILABILITY' } },
    args: async (world) => ({ legs: [await leg(world)], passengers: { adults: 1 } }),
  },
  { tool: 'read_booking', message: READ, on: 'held', args: ofBooking },
  { tool: 'get_seat_map', message: 'OTA_AirSeatMapRQ', on: 'ticketed', args: ofBooking },
  { tool: 'list_routes', message: 'routes', args: () => ({}) },
  { tool: 'get_calendar_dates', message: 'calendar', args: (world) => dates(world, 10) },
  {
    ...{ tool: 'find_cheapest_dates', message: SEARCH, answers: { 'says success and no more': 'ok' } },
    args: async (world) => ({ ...(await dates(world, 0)), passengers: { adults: 1 } }),
  },
];

/** Only what names a booking can be about another; a new booking has no name yet to be held against. */
const isForeign = ({ name }: Fault) => name === 'is about another booking';

function cases(): Case[] {
  const reads = READINGS.flatMap((reading) =>
    FAULTS.filter((fault) => reading.tool === 'read_booking' || !isForeign(fault)).map(
      (fault): Case => ({ kind: 'read', reading, fault }),
    ),
  );
  const around = ACTS.flatMap((act) =>
    FAULTS.flatMap((fault) => (['preview', 'recheck'] as const).map((kind): Case => ({ kind, act, fault }))),
  );
  const acts = [undefined, ...ACTS].flatMap((act) => {
    const hasName = act !== undefined && act.named === undefined;
    const some = FAULTS.filter((fault) => hasName || !isForeign(fault));
    const of = (done: boolean, not: Fault['kind']) =>
      some.filter(({ kind }) => kind !== not).map((fault): Case => ({ kind: 'act', act, fault, done }));
    // What the airline refuses with proof it has not done; what is whole it has.
    return [...of(false, 'whole'), ...of(true, 'refusal')];
  });
  return [...reads, ...around, ...acts];
}

/** Stands in for a good answer where the airline is not asked at all. */
const LIKENESS = JSON.stringify({ success: {}, bookingReferenceID: [{ id: 'ZZ9ZZ9', type: '14' }], version: 2.001 });

async function openScene({ settings, tokens }: World, message: string, fault: Fault) {
  const relay = await startRelay(settings);
  const operation = OPERATION[message];
  const waits = fault.reads.includes('E_AIRLINE_TIMEOUT') && operation !== undefined;
  const deadlines = waits ? { [operation]: DEADLINE_MS } : {};
  const airline = airlineAt({ settings: relay.settings, tokens, deadlines });
  const office = await openOffice({ airline, settleMs: SETTLE_MS, waitMs: 10_000, close: () => airline.close() });
  return {
    ...{ office, relay },
    /** Plays the fault on each coming message of its name. */
    play(forwards: boolean) {
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

type Scene = Awaited<ReturnType<typeof openScene>>;

const bookingFor = async ({ stock }: World, on: Act['on']) =>
  on === 'held' ? (await stock.held()).locator : stock.ticketed();

const effectOf = (result: Result) => (result.structured.error as { effect?: string } | undefined)?.effect;

type Rules = readonly (readonly [boolean, string])[];

async function runRead(world: World, { reading, fault }: Of<'read'>, { office, relay, play }: Scene): Promise<Rules> {
  const args = await reading.args(world, reading.on === undefined ? '' : await bookingFor(world, reading.on));
  play(true);
  const result = await office.result(reading.tool, args);
  const code = codeOf(result);
  const answered = fault.kind === 'whole' ? 'ok' : reading.answers?.[fault.name];
  const reads = (reading.on === undefined && fault.unbooked?.reads) || fault.reads;
  const due = answered === undefined ? reads.includes(code) : code === answered;
  const asked = relay.times(reading.message);
  return [
    [due, `ended in ${code}: ${result.text.split('\n')[0]}`],
    [code === 'ok' || effectOf(result) === 'none', `effect ${effectOf(result)}`],
    [asked <= 2, `asked ${asked} times`],
  ];
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

async function questionOf(office: Office, tool: string, args: object) {
  const answer = await inTime(office, tool, args);
  if (answer.kind !== 'ask') throw new Error(`${tool} did not ask: ${JSON.stringify(answer)}`);
  return answer;
}

/** The readings before the question, and before the sending: nothing may be sent on a bad one. */
async function runAround(world: World, one: Of<'preview' | 'recheck'>, { office, relay, play }: Scene): Promise<Rules> {
  const { act, fault, kind } = one;
  const args = await act.args(await bookingFor(world, act.on), lookOf(office));
  const question = kind === 'recheck' ? await questionOf(office, act.tool, args) : undefined;
  play(true);
  const answer = question ? await office.yes(act.tool, args, question) : await office.call(act.tool, args);
  if (question && fault.pauses)
    return afterPause({ office, relay }, act, { ...args, approval_id: question.handle }, answer);
  const code = codeOf(answer);
  const good = kind === 'preview' ? 'ask' : 'done';
  const due = fault.kind === 'whole' ? code === good : fault.reads.includes(code);
  const sends = relay.times(act.message);
  const [operation] = await office.operations();
  return [
    [due, `ended in ${code}: ${answer.kind === 'result' && answer.text.split('\n')[0]}`],
    [code === good || (answer.kind === 'result' && effectOf(answer) === 'none'), 'effect is not none'],
    [sends === (code === 'done' ? 1 : 0), `${sends} sent`],
    [operation === undefined || ['not_executed', 'succeeded'].includes(operation.state), `is ${operation?.state}`],
  ];
}

/** The yes waits for the end of the pause, and is carried out then. */
async function afterPause(
  { office, relay }: Pick<Scene, 'office' | 'relay'>,
  act: Act,
  args: object,
  first: Answer,
): Promise<Rules> {
  const sentMeanwhile = relay.times(act.message);
  relay.interfere(undefined);
  let last = await office.result(act.tool, args);
  for (let asked = 1; codeOf(last) === 'pending' && asked < PAUSES; asked++) last = await office.result(act.tool, args);
  const sends = relay.times(act.message);
  const [operation] = await office.operations();
  return [
    [codeOf(first) === 'pending' && sentMeanwhile === 0, `told ${codeOf(first)} in the pause, ${sentMeanwhile} sent`],
    [codeOf(last) === 'done' || codeOf(last) === 'already_done', `told ${codeOf(last)} after it`],
    [sends === 1 && operation?.state === 'succeeded', `${sends} sent; journal ${operation?.state}`],
  ];
}

async function runAct(world: World, one: Of<'act'>, { office, relay, play }: Scene): Promise<Rules> {
  const { act, done } = one;
  const [tool, message] = [act?.tool ?? 'create_booking', act?.message ?? BOOK];
  const locator = act === undefined ? '' : await bookingFor(world, act.on);
  const args = act === undefined ? await newBooking(world, office) : await act.args(locator, lookOf(office));
  const question = act === undefined ? undefined : await questionOf(office, tool, args);
  play(done);
  const first = question ? await office.yes(tool, args, question) : await office.result(tool, args);
  // An unknown outcome is reported once it is settled. A create is called again with the same arguments.
  const again = question ? { ...args, approval_id: question.handle } : args;
  const last = codeOf(first) === 'pending' ? await office.result(tool, again) : first;
  const sends = relay.times(message);
  const acts = act === undefined ? created(world, relay.carried) : world.times(act.event, locator);
  const [operation] = await office.operations();
  const state = operation?.state ?? 'none';
  return [
    [sends === 1, `${sends} sent`],
    [acts === (done ? 1 : 0), `done ${acts} times`],
    [isRight(one, first, last, state), `told ${codeOf(first)}, then ${codeOf(last)}; journal ${state}`],
  ];
}

function isRight({ act, fault, done }: Of<'act'>, first: Result, last: Result, state: string): boolean {
  const [was, is] = [codeOf(first), codeOf(last)];
  if (fault.kind === 'whole') return was === 'done' && state === 'succeeded';
  if (fault.kind === 'refusal') {
    const refused = (act === undefined && fault.unbooked?.refused) || fault.refused;
    return was === refused && effectOf(first) === 'none' && state === 'refused';
  }
  if (fault.kind === 'unproven' && (act === undefined || !(done ? act.named : act.unshown))) {
    // One reading settles it at once; a new booking without a locator is a person's.
    if (act === undefined) return was === 'needs_person' && state === 'needs_person';
    if (done) return was === 'done' && state === 'succeeded';
    return was === fault.refused && effectOf(first) === 'none' && state === 'refused';
  }
  // A new booking that the answer names is read by its locator at once.
  if (act === undefined && done && fault.namesBooking) return was === 'done' && state === 'succeeded';
  if (was !== 'pending') return false;
  // A booking whose name was in the answer that was lost.
  if (act === undefined || (act.named && done && !fault.namesBooking))
    return is === 'needs_person' && state === 'needs_person';
  if (act.unshown && !done) return is === 'pending' && state === 'in_doubt';
  if (done) return (is === 'done' || is === 'already_done') && state === 'succeeded';
  return effectOf(last) === 'none' && state === 'not_executed';
}

function created({ sandbox }: World, carried: Scene['relay']['carried']): number {
  const locators = sandbox.ledger().flatMap((it) => (it.event === 'created' ? [it.locator] : []));
  const made = carried.filter(({ name, status }) => name === BOOK && status === 200);
  return made.filter(({ body }) => locators.some((one) => body.includes(one))).length;
}

async function newBooking(world: World, office: Office): Promise<object> {
  const { offers } = await office.look('search_fares', { legs: [await leg(world)], passengers: { adults: 1 } });
  return createArgs(offers[0].offer_id, world.sandbox.now());
}

async function problemsOf(world: World, one: Case): Promise<readonly string[]> {
  const { kind, fault } = one;
  const message = kind === 'read' ? one.reading.message : kind === 'act' ? (one.act?.message ?? BOOK) : READ;
  const scene = await openScene(world, message, fault);
  try {
    const rules =
      kind === 'read'
        ? await runRead(world, one, scene)
        : await (kind === 'act' ? runAct(world, one, scene) : runAround(world, one, scene));
    const what = kind === 'read' ? one.reading.tool : (one.act?.name ?? 'create_booking');
    const name = `${what} (${kind === 'act' ? (one.done ? 'done and then' : 'not done and') : kind}), ${fault.name}`;
    const bad = rules.filter(([good]) => !good).map(([, problem]) => problem);
    return [...bad, ...scene.office.failures.map(String)].map((problem) => `${name}: ${problem}`);
  } finally {
    await scene.close();
  }
}

async function proveWireFaults({ runs, seed }: ProofOptions): Promise<Proved> {
  const airline = await openAirline();
  const transport = createTransport();
  const world: World = { ...airline, tokens: tokensAt(airline.settings, transport) };
  const all = cases();
  const chosen = new Chance(seed).shuffled(all).slice(0, runs);
  const problems = await inParallel(chosen, WIDTH, (one) => problemsOf(world, one));
  await transport.close();
  await airline.close();
  const acts = chosen.filter((one) => one.kind === 'act').length;
  const right = problems.filter((own) => own.length === 0).length;
  const of = `${FAULTS.length} faults × ${READINGS.length} reading tools, ${ACTS.length + 1} acts before and after they are done, and the readings around them`;
  const seen = `${chosen.length} of ${all.length} runs (${of}); ${right} classified rightly, ${acts} of them acts: each sent once`;
  return { seen, problems: problems.flat() };
}

await command('wire faults', 100_000, proveWireFaults);
