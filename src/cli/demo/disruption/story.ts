/** The story: a train is cancelled, and the desk sets it right with one yes. Every sentence on the stage is checked first. */
import { setTimeout as sleep } from 'node:timers/promises';
import { showMoney } from '../../../domain/pricing/money.ts';
import { CONTROL_PATH } from '../../../sandbox/faults/control.ts';
import type { Sandbox } from '../../../sandbox/start.ts';
import type { Reply } from '../host.ts';
import { must } from '../scenes.ts';
import type { Stage } from '../stage.ts';
import { bookingsOnce, lastEntry, movedSince, sumOf } from './airline.ts';
import type { Desk } from './desk.ts';
import { linesIn, openPage, type PlanPage, pageTitle, textOf } from './page.ts';
import type { Heard, Receiver } from './receiver.ts';
import { offersOn, type Party, type Route, type Sold, sellTwelve } from './selling.ts';

export interface Scenery {
  readonly stage: Stage;
  readonly desk: Desk;
  readonly sandbox: Sandbox;
  readonly receiver: Receiver;
  readonly route: Route;
}

/** Parties that move, from the first; the others want their money back. */
const MOVING = 7;
/** Lines that the person leaves out. */
const LEFT_OUT = [7, 12];
/** The line whose booking changes between the question and the yes: two people, one of whom drops out. */
const DRIFTED = 9;
/** The payment, counted among those of the plan, whose answer the airline loses. */
const LOST = 3;
const LOOK_MS = 250;

async function until<T>(look: () => Promise<T | undefined> | T | undefined, seconds: number, what: string): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    must(Date.now() < end, `${what} took more than ${seconds} seconds`);
    await sleep(LOOK_MS);
  }
}

/** @throws Wrong as soon as something is not as it should be */
export async function tell(scenery: Scenery): Promise<void> {
  const sold = await selling(scenery);
  const cancelledAt = cancelling(scenery, sold);
  await noticing(scenery, sold, cancelledAt);
  const planId = await proposing(scenery, sold);
  const { page, answer } = await asking(scenery, planId);
  const before = lastEntry(scenery.sandbox);
  await saying(scenery, sold, page);
  await carrying(scenery, page);
  await answered(scenery, answer);
  await proving(scenery, { sold, page, before });
}

async function selling({ desk, stage, route, receiver }: Scenery): Promise<Sold> {
  // A server that watches finds the bookings of other processes at its start; a reading tells it of a later one.
  const sold = await sellTwelve(desk.host, route, () => desk.watch());
  const { locator: last } = sold.parties.at(-1) ?? {};
  const isLast = (one: Heard) => one.type === 'operation.settled' && one.locator === last;
  await desk.host.call('read_booking', { locator: last });
  await until(() => receiver.heard().find(isLast), 10, 'the first event');
  await until(async () => ((await desk.firstReadings()) >= sold.parties.length - 1 ? true : undefined), 10, 'reading');
  const people = sold.parties.reduce((all, { adults }) => all + adults, 0);
  stage.note(`Yesterday: twelve parties, ${people} people, paid for ${route.vehicle} ${sold.flight} on ${sold.date}.`);
  return sold;
}

function cancelling({ sandbox, stage, route }: Scenery, { parties, flight }: Sold): number {
  const [first] = parties;
  const { touched } = sandbox.disturb({ kind: 'cancel', ...(first && { locator: first.locator }) });
  const all = new Set(parties.map(({ locator }) => locator));
  must(touched.length === all.size && touched.every((one) => all.has(one)), `it touched ${touched.length} bookings`);
  stage.happens('airline', `cancels ${route.vehicle} ${flight}. It calls nobody: its interface pushes nothing.`);
  return Date.now();
}

/** The watcher reads again, and the agency's own system hears of every booking. */
async function noticing({ receiver, stage, desk }: Scenery, { parties }: Sold, cancelledAt: number): Promise<void> {
  const about = ({ type, kind, locator }: Heard) =>
    type === 'booking.changed' && kind === 'segment_cancelled' && parties.some((one) => one.locator === locator);
  const events = await until(
    () => {
      const found = receiver.heard().filter(about);
      return found.length >= parties.length ? found : undefined;
    },
    desk.interval * 2 + 6,
    'noticing',
  );
  must(new Set(events.map(({ locator }) => locator)).size === parties.length, 'not every booking had one event');
  must(events.length === parties.length, `${events.length} events came for ${parties.length} bookings`);
  must(receiver.forged() === 0, 'an event had a wrong signature');
  const seconds = ((Math.max(...events.map(({ at }) => at)) - cancelledAt) / 1000).toFixed(1);
  stage.happens('desk', 'reads its bookings again, as the settings say: here every few seconds.');
  stage.right(
    `All twelve were noticed in ${seconds} seconds, and twelve signed events reached the agency's own system.`,
  );
}

async function proposing({ desk, stage, route }: Scenery, sold: Sold): Promise<string> {
  const { host } = desk;
  stage.clerk(`What needs me? Move those who can travel later that day, and cancel for the others.`);
  stage.call('list_bookings', { needs_attention: true });
  const list = await host.call('list_bookings', { needs_attention: true, max_results: 50 });
  const named = new Set(list.data.bookings?.map(({ locator }) => locator));
  must(
    sold.parties.every(({ locator }) => named.has(locator)),
    'the list does not have all twelve bookings',
  );
  stage.result(list.text, 4);
  const steps = [...(await moves(desk, route, sold)), refundsFor(sold)];
  stage.call('propose_plan', { steps: [steps[0], '…', steps.at(-1)] });
  const plan = await host.call('propose_plan', { steps });
  const { plan_id: id, lines = [], left_out: left = [] } = plan.data;
  must(id !== undefined, plan.text);
  must(lines.length === 12 && left.length === 0, `the plan has ${lines.length} lines: ${plan.text}`);
  stage.result(plan.text, 20);
  stage.right('Proposing read every booking and sent nothing.');
  return id;
}

/** Each of the first parties onto another departure of the day. */
async function moves({ host }: Desk, route: Route, { parties, date, flight }: Sold) {
  const offers = new Map<number, string>();
  for (const adults of [1, 2]) {
    const [offer] = (await offersOn(host, route, date, adults)).filter((one) => one.flight !== flight);
    must(offer !== undefined, 'no other departure has seats');
    offers.set(adults, offer.id);
  }
  return parties.slice(0, MOVING).map(({ locator, adults }) => ({
    tool: 'move_party',
    arguments: { locator, offer_ids: [offers.get(adults) ?? ''], payment: { type: 'invoice' } },
  }));
}

const refundsFor = ({ parties }: Sold) => ({
  tool: 'cancel_bookings',
  arguments: { locators: parties.slice(MOVING).map(({ locator }) => locator) },
});

/** The call waits while the person reads: its answer comes later. */
async function asking({ desk, stage }: Scenery, planId: string): Promise<{ page: PlanPage; answer: Promise<Reply> }> {
  const { host, pages } = desk;
  stage.clerk('Do it.');
  stage.call('run_plan', { plan_id: planId });
  const answer = host.call('run_plan', { plan_id: planId });
  answer.catch(() => undefined);
  const url = await until(() => pages.at(-1), 10, 'the page');
  must(pages.length === 1, `${pages.length} questions were asked`);
  const page = await openPage(url);
  must(page.lines.length === 12 && page.ticked === 0, `the page has ${page.lines.length} lines, ${page.ticked} ticked`);
  stage.happens(
    'page',
    `asks once: “${page.title}”. Twelve lines, each with its own terms and its own tick, none ticked.`,
  );
  return { page, answer };
}

const lineOf = ({ parties }: Sold, line: number): Party => {
  const party = parties[line - 1];
  must(party !== undefined, `there is no line ${line}`);
  return party;
};

async function saying({ sandbox, stage }: Scenery, sold: Sold, page: PlanPage): Promise<void> {
  sandbox.disturb({ kind: 'passenger-gone', locator: lineOf(sold, DRIFTED).locator });
  stage.happens('airline', `drops a passenger of line ${DRIFTED} while the person reads. Nobody knows yet.`);
  sandbox.order({ message: 'OTA_AirDemandTicketRQ', kind: 'commit-then-lose', nth: LOST });
  stage.happens('airline', `will take the payment of line ${LOST} and lose its answer.`);
  const ticks = page.lines.filter((line) => !LEFT_OUT.includes(line));
  must(ticks.length === 10, `${ticks.length} lines can be ticked`);
  await page.yes(ticks);
  stage.clerk('(at the page, as a browser would) ticks ten of the twelve lines, and says yes once.');
}

async function carrying({ stage, sandbox }: Scenery, page: PlanPage): Promise<void> {
  let live = '';
  const end = await until(
    async () => {
      const html = await page.look();
      const title = pageTitle(html);
      if (title !== live && title.startsWith('Being carried out')) stage.happens('page', `${title}.`);
      live = title;
      return title.startsWith('Carried out') ? html : undefined;
    },
    25,
    'carrying out the plan',
  );
  must(live === 'Carried out: 9 of 10 lines are done', `the page says: ${live}`);
  stage.happens('page', `${live}.`);
  const states = linesIn(end);
  const unticked = LEFT_OUT.filter((line) => states.get(line)?.startsWith('Left out by the person') !== true);
  must(unticked.length === 0, `line ${unticked[0]}, which was not ticked: ${states.get(unticked[0] ?? 0)}`);
  const drifted = states.get(DRIFTED) ?? '';
  must(drifted.startsWith('Not done') && drifted.includes('terms changed'), `line ${DRIFTED}: ${drifted}`);
  must(await isLost(sandbox), `no payment lost its answer`);
  must(states.get(LOST)?.startsWith('Done') === true, `line ${LOST}: ${states.get(LOST)}`);
  stage.right(`Line ${LOST}, whose answer was lost, was settled by reading: done, and not sent again.`);
  stage.right(`Line ${DRIFTED} changed after the question: skipped, nothing was sent for it.`);
}

/** Bookings that still need a person, once they are those of the lines that were not done. */
async function attended({ host }: Desk, sold: Sold): Promise<readonly string[] | undefined> {
  const { data } = await host.call('list_bookings', { needs_attention: true, refresh: true, max_results: 50 });
  const left = [...LEFT_OUT, DRIFTED].map((line) => lineOf(sold, line).locator);
  const named = data.bookings?.map(({ locator }) => locator) ?? [];
  return named.length === left.length && left.every((one) => named.includes(one)) ? named : undefined;
}

/** The ordered fault has struck: the airline took a payment and its answer was lost. */
async function isLost({ url }: Sandbox): Promise<boolean> {
  const { ordered } = (await (await fetch(url + CONTROL_PATH)).json()) as { ordered: readonly unknown[] };
  return ordered.length === 0;
}

/** What the assistant hears at the end of its one call. */
async function answered({ stage }: Scenery, answer: Promise<Reply>): Promise<void> {
  const { data, text, isError } = await answer;
  must(!isError && data.plan !== undefined, text);
  stage.result(text, 6);
}

interface Proof {
  readonly sold: Sold;
  readonly page: PlanPage;
  /** Last entry of the airline's ledger before the yes. */
  readonly before: number;
}

async function proving({ sandbox, stage, desk, receiver }: Scenery, { sold, page, before }: Proof): Promise<void> {
  const { paid, refunded } = movedSince(sandbox, before);
  const returned = bookingsOnce(refunded, 'refunded');
  const done = [1, 2, 3, 4, 5, 6, 8, 10, 11].map((line) => lineOf(sold, line).locator);
  must(bookingsOnce(paid, 'paid').size === 6, `${paid.length} payments were made for six new bookings`);
  must(returned.size === 9 && done.every((one) => returned.has(one)), `${returned.size} bookings were refunded`);
  const [out, back] = [showMoney(sumOf(paid)), showMoney(sumOf(refunded))];
  const text = textOf(await page.look());
  must(
    text.includes(`${out} was paid`) && text.includes(`${back} came back`),
    `the page has other sums than the ledger: ${out}, ${back}`,
  );
  stage.right(
    `The airline's own ledger: six payments, ${out}; nine refunds, ${back}. No booking twice. The page says the same.`,
  );
  const told = (locator: string) =>
    receiver.heard().some((one) => one.type === 'operation.settled' && one.locator === locator);
  await until(() => (done.every(told) ? true : undefined), 8, 'the events of what was done');
  stage.right('The agency’s own system heard of each of the nine lines too.');
  const list = await until(async () => await attended(desk, sold), 12, 'closing what was dealt with');
  stage.call('list_bookings', { needs_attention: true, refresh: true });
  stage.right(`Still open are the three that nobody has dealt with: ${list.join(', ')}.`);
  await desk.command('journal', 'verify');
  stage.right('`fareclerk journal verify`: the chain of the journal is whole.');
}
