/** Tells the story of a cancelled train, which the desk sets right with one yes. Ends at the first step that is not right. */
import { setTimeout as sleep } from 'node:timers/promises';
import { own } from '../../core/own.ts';
import { showDay } from '../../core/times.ts';
import { listed } from '../../core/words.ts';
import { STATE_WORDS } from '../../plans/plan-words.ts';
import { startSandbox } from '../../sandbox/addresses/start.ts';
import { orderFault } from '../../sandbox/faults.ts';
import { disturb, lookUpBooking } from '../../sandbox/mishaps.ts';
import { saveBooking, withoutTravelers } from '../../sandbox/record.ts';
import { releaseSeats } from '../../sandbox/stock.ts';
import type { Terminal } from '../terminal/command.ts';
import { type DemoLine, type DemoReply, openHost } from './host.ts';
import { offersOn, partyAt, type Sale, sellTwelve } from './parties.ts';
import { must, NOTHING_SENT, type Stage, StoryFailure, WITHOUT_YES } from './stage.ts';

const TITLE = 'A train is cancelled';
const NOTE = 'Airline, server and page run on this machine and speak real HTTP. No real money moves.';

/** Enough seconds for a slow machine: a payment that is only pending would end the story. */
const REHEARSAL_SECONDS = '24';

/** How many parties move to another train, from the first; the others want their money back. */
const MOVING = 7;
/** Number of the party whose booking changes between the question and the yes: one of its two people drops out. */
const DRIFTED = 9;
/** Lines that the demo does not tick where it answers the page itself. */
const LEFT_OUT = [7, 12];

/** Time between two looks at a plan, milliseconds. */
const LOOK_MS = 250;

type Scenery = Awaited<ReturnType<typeof openScenery>>;

/** Tells the story to a person. @throws StoryFailure */
export async function performDisruption(stage: Stage, terminal: Terminal): Promise<void> {
  stage.title(TITLE, NOTE);
  const scenery = await openScenery(stage, terminal);
  await tell(scenery).finally(scenery.close);
}

/**
 * Starts the airline and the assistant's server. A program answers the dialogs of the sale before the story.
 * @param stateDir default: a temporary one, removed at the end
 */
export async function openScenery(
  stage: Stage,
  terminal: Pick<Terminal, 'execPath' | 'argv' | 'env'>,
  stateDir?: string,
) {
  const sandbox = await startSandbox({ dialect: 'rail' });
  // The address of the page that the host is asked to open.
  const page = Promise.withResolvers<string>();
  const host = await openHost({
    terminal,
    stateDir,
    settings: sandbox.settings,
    flags: ['--rehearsal', REHEARSAL_SECONDS],
    opens: page.resolve,
    answer: async (_, choices) => choices.find((choice) => choice !== 'no'),
  }).catch(async (error) => {
    await sandbox.close();
    throw error;
  });
  const close = () => host.close().finally(sandbox.close);
  return { stage, host, page: page.promise, sandbox, env: terminal.env, close };
}

/** Plays the scenes in their order. Returns how it ended; undefined without a yes. */
export async function tell(scenery: Scenery) {
  const { stage, host, sandbox } = scenery;
  const sale = await sellTwelve(host);
  const [first] = sale.parties;

  stage.note(`Yesterday twelve parties, 15 people, paid for train ${sale.flight} on ${showDay(sale.date)}.`);
  disturb(sandbox.carrier(), { kind: 'cancel', locator: first?.locator ?? '' });
  stage.says('airline', `cancels train ${sale.flight} and calls nobody, because its interface pushes nothing.`);

  const planId = await proposePlan(scenery, sale);
  const { url, answer } = await askOnPage(scenery, planId);

  changeMeanwhile(scenery, sale);
  const inBrowser = await answerOrOpen(scenery, sale, url);
  const lines = await followPlan(scenery, planId, await answer);
  if (lines === undefined) {
    stage.confirms(NOTHING_SENT);
    return undefined;
  }

  showOutcome(stage, sale, lines);
  if (inBrowser) await stage.untilSeen();

  return { sale, planId, lines };
}

/** The assistant proposes a plan for all bookings. Returns its id. */
async function proposePlan({ host, stage }: Scenery, sale: Sale): Promise<string> {
  await host.call('list_bookings', { refresh: true, max_results: 50 });
  const list = await host.call('list_bookings', { needs_attention: true, max_results: 50 });
  const [change] = list.data.changes ?? [];
  must(change?.bookings === sale.parties.length, list.text);
  stage.says('desk', 'reads its bookings again, and finds all twelve.');
  stage.says('clerk', 'What needs me? Move those who can take another train, and cancel for the others.');

  // The nearest train, and an offer of it for each size of party: the plan takes those that fit.
  const offer = nearest(await offersOn(host, sale.date, 1), sale);
  const forTwo = (await offersOn(host, sale.date, 2)).find(({ flight }) => flight === offer?.flight);
  must(offer !== undefined && forTwo !== undefined, 'no other train has seats');

  const locators = sale.parties.map(({ locator }) => locator);
  const { train, date } = change;
  const moved = { train, date, locators: locators.slice(0, MOVING), offer_ids: [offer.id, forTwo.id] };

  const steps = [
    { tool: 'move_party', arguments: { ...moved, payment: { type: 'invoice' } } },
    { tool: 'cancel_bookings', arguments: { locators: locators.slice(MOVING) } },
  ];
  const plan = await host.call('propose_plan', { steps });
  const { plan_id: id, lines = [], sums = [] } = plan.data;
  must(id !== undefined && lines.length === locators.length && sums.length > 0, plan.text);

  stage.says(
    'assistant',
    `Seven can take train ${offer.flight} at ${offer.departs.slice(11, 16)}, and five get their money back. In all it ${sums.join('; ')}. I have sent nothing yet.`,
  );

  return id;
}

/** The offer that leaves closest to the cancelled train. */
function nearest(offers: Awaited<ReturnType<typeof offersOn>>, { flight, departs }: Sale) {
  const away = (offer: { readonly departs: string }) => Math.abs(Date.parse(offer.departs) - Date.parse(departs));
  const [closest] = offers.filter((offer) => offer.flight !== flight).toSorted((a, b) => away(a) - away(b));
  return closest;
}

/** Runs the plan, and returns the address of its page. The call waits while the person reads: its answer comes later. */
async function askOnPage({ host, page, stage }: Scenery, planId: string) {
  stage.says('clerk', 'Do it.');
  const answer = host.call('run_plan', { plan_id: planId });
  const url = await Promise.race([page, answer.then(({ text }) => Promise.reject(new StoryFailure(text)))]);
  stage.says('page', 'asks once for all of it. Each booking has its own terms and its own tick, and none is ticked.');
  return { url, answer };
}

/** While the person reads, the airline removes the last passenger of a booking, and prepares a lost answer. */
function changeMeanwhile({ sandbox, stage }: Scenery, sale: Sale): void {
  const { locator, name } = partyAt(sale, DRIFTED);
  const airline = sandbox.carrier();
  const booking = lookUpBooking(airline, locator);
  const traveler = booking.travelers.at(-1)?.ref ?? '';
  releaseSeats(airline.state, locator, { traveler });
  saveBooking(airline.state, withoutTravelers(booking, [traveler]));

  orderFault(airline.state, { name: 'lost-answer', message: 'OTA_AirDemandTicketRQ' });
  stage.says('airline', `meanwhile drops a passenger of ${name}, and will lose its answer to a payment.`);
}

/** Lets the person decide on the page in a browser, or else answers the page for them. Returns whether it is in the browser. */
async function answerOrOpen({ stage, env }: Scenery, sale: Sale, url: string): Promise<boolean> {
  const browser = await stage.browser(env);
  if (await browser?.open(url)) {
    stage.says('page', 'waits for you in the browser.');
    return true;
  }

  const ticked = sale.parties.map((_, i) => i + 1).filter((n) => !LEFT_OUT.includes(n));
  const names = listed(LEFT_OUT.map((n) => partyAt(sale, n).name));
  if (stage.attended) {
    const approves = await stage.agrees(`Shall the demo tick all but ${names}, and approve once?`);
    await answerPage(url, approves ? ticked : []);
    return false;
  }

  await answerPage(url, ticked);
  stage.note(`(nobody is at the keyboard, so the demo ticks all but ${names} and approves once)`);

  return false;
}

/** Ticks lines on the page of a plan and says yes, as a browser does; without lines it says no. @throws StoryFailure */
async function answerPage(address: string, lines: readonly number[]): Promise<void> {
  const entry = await fetch(address, { redirect: 'manual' });
  const cookie = entry.headers.get('set-cookie')?.split(';')[0] ?? '';
  const url = new URL(entry.headers.get('location') ?? '', address);
  const form = await (await fetch(url, { headers: { cookie } })).text();
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(form) ?? [];
  const body = new URLSearchParams({ token, decision: lines.length > 0 ? 'yes' : 'no' });
  for (const line of lines) body.append('line', String(line));

  const headers = { cookie, origin: url.origin };
  const { status } = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
  must(status === 303, `the page answered ${status} to the answer`);
}

/** Follows the plan to its end: a person may take longer than one call waits. Returns its lines; undefined without a yes. */
async function followPlan({ host }: Scenery, planId: string, first: DemoReply) {
  for (let reply = first; ; reply = await host.call('run_plan', { plan_id: planId })) {
    const { plan, error } = reply.data;
    if (WITHOUT_YES.has(error?.code ?? plan?.state)) return undefined;
    must(!reply.isError, reply.text);
    if (plan !== undefined && plan.state !== 'asked' && plan.state !== 'running') return plan.lines;
    await sleep(LOOK_MS);
  }
}

/** Shows what became of each booking, and what still needs a person. */
function showOutcome(stage: Stage, sale: Sale, lines: readonly DemoLine[]): void {
  const done = lines.filter(({ state }) => state === 'done');
  const tickedCount = lines.filter(({ state }) => state !== 'not_ticked').length;
  stage.says('page', `carried out: ${done.length} of the ${tickedCount} that were ticked.`);
  stage.rows([['', 'who', 'result', 'money'], ...lines.map((line) => outcomeRow(line, sale))]);

  // The first payment loses its answer.
  if (done.some(({ n }) => n <= MOVING))
    stage.confirms(
      'After the lost answer the booking was read, the payment was found there, and nothing was sent again.',
    );

  if (lines.some(({ state }) => state === 'skipped'))
    stage.confirms(
      `The booking of ${partyAt(sale, DRIFTED).name} changed after the question, so nothing was sent for it.`,
    );

  const open = lines.filter(({ state }) => state !== 'done').map(({ n }) => partyAt(sale, n).name);
  if (open.length > 0) stage.confirms(`Still open, and on the list: ${listed(open)}.`);
}

function outcomeRow({ n, state, sums = [] }: DemoLine, sale: Sale): readonly string[] {
  const words = state === 'not_ticked' ? 'left out' : (own(STATE_WORDS, state) ?? state);
  return [`${n}`.padStart(2), partyAt(sale, n).name, words, sums.join(', ') || '-'];
}
