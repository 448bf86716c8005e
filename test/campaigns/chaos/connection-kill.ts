/**
 * kill -9 of a real process at every step of the change of a connection in a plan, whose person says yes on the page: a call of another
 * process goes on, each flight is changed at most once and in the order of travel, what is charged is within the sum of the question, and
 * the result says what the airline's books say.
 *
 *   node test/campaigns/chaos/connection-kill.ts [--runs 60] [--seed S]
 */
import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { CONTACT, dateIn, newPassenger } from '../../support/people.ts';
import { changesCostMore } from '../../support/sandbox/behaviours.ts';
import { deviations, OWN } from '../../support/sandbox/deviations.ts';
import { type OpenAirline, openAirline } from '../support/airline.ts';
import { entriesOf } from '../support/books.ts';
import { Chance } from '../support/chance.ts';
import { newFolder } from '../support/folders.ts';
import { inParallel } from '../support/pace.ts';
import { command, counted, type ProofOptions, type Proved } from '../support/report.ts';
import { arm, type Step, traced } from './support/crasher.ts';
import { PlanProgram } from './support/plan-program.ts';

const LANES = 4;
const MOST_MS = 90_000;

const call = (program: PlanProgram, tool: string, args: object) => program.tell('call', { tool, args });

interface Flight {
  readonly flight: string;
  readonly from: string;
  readonly to: string;
  readonly departs: string;
}

interface Offer {
  readonly offer_id: string;
  readonly legs: readonly { readonly class: string; readonly segments: readonly Flight[] }[];
  readonly change?: { readonly pays_at_most?: string };
}

interface Found {
  readonly offers?: readonly Offer[];
}

/** `BOM-DXB ZQ282 Y` and when it departs. */
function flightText({ from, to, flight, departs }: Flight, bookingClass = ''): string {
  return `${from}-${to} ${flight} ${bookingClass} ${new Date(departs).toISOString()}`;
}

const flightsOf = ({ legs }: Offer) => legs.flatMap((leg) => leg.segments.map((one) => flightText(one, leg.class)));

/** All flights in another class: another time of the first would move the time limits of the second, which needs a new yes. */
function isOtherClass(offered: readonly string[], before: readonly string[]): boolean {
  const flightOf = (text: string) => text.split(' ').toSpliced(2, 1).join(' ');
  return offered.every((one, i) => one !== before[i] && flightOf(one) === flightOf(before[i] ?? ''));
}

/** The flights of a booking, as the airline has it. */
async function flightsIn({ airline }: OpenAirline, locator: string): Promise<readonly string[]> {
  const { options } = await airline.read(locator);
  return options
    .flatMap(({ segments }) => segments)
    .map((one) => flightText({ ...one, flight: `${one.marketing?.carrier}${one.flightNumber}` }, one.bookingClass));
}

/** A paid connection, and the arguments that change all its flights. */
async function connection(program: PlanProgram, airline: OpenAirline) {
  for (let day = 20; day < 60; day += 1) {
    const date = dateIn(airline.sandbox.now(), day);
    const search = { legs: [{ from: 'BOM', to: 'CDG', date }], passengers: { adults: 1 }, max_results: 50 };
    const [cheap] = ((await call(program, 'search_fares', search)).structured as Found).offers ?? [];
    if (cheap === undefined) continue;
    const made = await call(program, 'create_booking', {
      ...{ offer_ids: [cheap.offer_id], contact: CONTACT },
      passengers: [newPassenger({}, airline.sandbox.now())],
    });
    const { locator } = (made.structured as { booking: { locator: string } }).booking;
    const paying = await call(program, 'pay_booking', { locator, payment: { type: 'invoice' } });
    await program.tell('yes', paying.question ?? '');
    const before = await flightsIn(airline, locator);
    const again = { instead_of: { locator, segment_ref: '1' }, legs: [{ date }], max_results: 50 };
    const { offers = [] } = (await call(program, 'search_fares', again)).structured as Found;
    const offer = offers.find((one) => one.change?.pays_at_most !== undefined && isOtherClass(flightsOf(one), before));
    if (offer === undefined) continue;
    return {
      args: { locator, segment_ref: '1', offer_id: offer.offer_id },
      atMost: Number(offer.change?.pays_at_most),
      before,
      offered: flightsOf(offer),
    };
  }
  throw new Error('no connection can be changed');
}

interface Told {
  readonly status?: string;
  readonly error?: { readonly code: string };
  readonly plan?: { readonly lines: readonly { readonly state: string; readonly why?: string }[] };
}

/** Plays one change; kills its process at a step, or lists the steps. */
async function play(airline: Desk, at?: Step) {
  const folder = newFolder('connection-kill');
  const env = { ...airline.settings, TEST_SETTLE_SECONDS: '3', FARECLERK_STATE_DIR: folder, XDG_STATE_HOME: folder };
  const program = new PlanProgram(env);
  const all = [program];
  try {
    const { args, ...change } = await connection(program, airline);
    const steps = [{ tool: 'rebook_segment', arguments: args }];
    const { plan_id } = (await call(program, 'propose_plan', { steps })).structured as { plan_id: string };
    const asked = await call(program, 'run_plan', { plan_id });
    const follow = async (by: PlanProgram): Promise<Told | undefined> => {
      const until = performance.now() + MOST_MS;
      while (performance.now() < until && !by.gone) {
        const answer = await call(by, 'run_plan', { plan_id }).catch(() => undefined);
        const told = answer?.structured as Told | undefined;
        if (told !== undefined && told.status !== 'pending') return told;
        await wait(200);
      }
      return undefined;
    };
    const goOn = async () => {
      await program.tell('yes', asked.question ?? '').catch(() => undefined);
      return program.gone ? undefined : follow(program);
    };
    if (at !== undefined) await arm(program.child, at);
    const [seen, first] = at === undefined ? await traced(program.child, goOn) : [[], await goOn()];
    const died = program.gone;
    const heir = died ? new PlanProgram(env) : undefined;
    if (heir !== undefined) all.push(heir);
    const told = heir === undefined ? first : await follow(heir);
    return { died, steps: seen, ...(await judged(airline, { locator: args.locator, ...change }, told)) };
  } finally {
    for (const one of all) {
      one.kill();
      await one.exited;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Change {
  readonly locator: string;
  readonly atMost: number;
  /** The flights as they were, and those of the offer. */
  readonly before: readonly string[];
  readonly offered: readonly string[];
}

/** What became of it by the airline's books, and where the result differs. */
async function judged(airline: Desk, { locator, atMost, before, offered }: Change, told: Told | undefined) {
  const events = airline.sandbox.ledger().filter((one) => one.locator === locator);
  const rebooked = entriesOf(events, 'rebooked');
  const changed = rebooked.length;
  const charged = entriesOf(events, 'paid')
    .slice(1)
    .reduce((sum, { amount }) => sum + (amount?.minor ?? 0), 0);
  const { state: end = told?.error?.code ?? 'none', why = '' } = told?.plan?.lines[0] ?? {};
  const says = end === 'done' ? 2 : end === 'partly_done' ? 1 : 0;
  const flights = await flightsIn(airline, locator);
  const due = [...offered.slice(0, changed), ...before.slice(changed)];
  const saysWhy = why.includes('charged more for the step before it than was approved');
  const order = rebooked.map(({ about: [old] }) => old).join();
  const problems = [
    ...(told === undefined ? ['the call did not come to its end'] : []),
    ...(changed > (airline.isDear ? 1 : 2) ? [`${changed} messages were taken`] : []),
    ...(airline.isDear && !saysWhy ? [`it does not say that more was charged: ${JSON.stringify(told)}`] : []),
    ...(changed === says ? [] : [`${changed} flights were changed: ${JSON.stringify(told)}`]),
    ...(charged > Math.round(atMost * 100) ? [`charged ${charged}, of at most ${atMost}`] : []),
    ...(flights.join() === due.join() ? [] : [`booked are ${flights.join(', ')}, and not ${due.join(', ')}`]),
    ...('1,2'.startsWith(order) ? [] : [`segments ${order} were changed in this order`]),
  ];
  return { end, problems };
}

/** An airline with connections; a dear one charges more than its rules say. */
type Desk = OpenAirline & { readonly isDear: boolean };

async function onAirline<T>(isDear: boolean, work: (airline: Desk) => Promise<T>): Promise<T> {
  const form = deviations(...OWN.airline, 'structuredRules');
  const dearer = changesCostMore(1_000_00);
  const rewrite: typeof form = isDear ? (reply, answered) => form(dearer(reply, answered), answered) : form;
  const airline = await openAirline({ dialect: 'airline', rewrite });
  try {
    return await work({ ...airline, isDear });
  } finally {
    await airline.close();
  }
}

async function proveConnectionKills({ runs, seed }: ProofOptions): Promise<Proved> {
  const dear = await onAirline(true, play);
  return onAirline(false, async (airline) => {
    const { steps, problems: plain, end } = await play(airline);
    const due = new Chance(seed).shuffled(steps).slice(0, runs);
    const done = await inParallel(due, LANES, async (step) => ({ step, ...(await play(airline, step)) }));
    const died = done.filter((one) => one.died);
    const seen = `${died.length} kills (a change has ${steps.length} steps; without a kill ${end}, and ${dear.end} where it is charged more than approved): ${counted(died.map((one) => one.end))}`;
    const undone = end === 'done' ? [] : [`without a kill it was ${end}`];
    const problems = done.flatMap(({ step, problems: own }) => own.map((one) => `${step.name} ${step.nth}: ${one}`));
    const overcharged = dear.problems.map((one) => `charged more: ${one}`);
    return { seen, problems: [...overcharged, ...undone, ...plain, ...problems] };
  });
}

await command('kill -9 of the change of a connection', 60, proveConnectionKills);
