/** The story: a train is cancelled, and the desk sets it right with one yes. Every sentence on the stage is checked first. */
import { CONTROL_PATH } from '../../../sandbox/faults/control.ts';
import type { Sandbox } from '../../../sandbox/start.ts';
import type { DemoChange, DemoReply } from '../host.ts';
import { must } from '../scenes.ts';
import { lastEntry } from './airline.ts';
import type { DemoDesk } from './desk.ts';
import { linesIn, openPage, type PlanPage, pageTitle } from './page.ts';
import { proving } from './proof.ts';
import type { Heard } from './receiver.ts';
import { DRIFTED, LEFT_OUT, lineOf, type Scenery, until } from './scenery.ts';
import { type DemoRoute, offersOn, type Sold, sellTwelve } from './selling.ts';

/** Parties that move, from the first; the others want their money back. */
const MOVING = 7;
/** The payment, counted among those of the plan, whose answer the airline loses. */
const LOST = 3;

/** @throws Wrong at the first claim that is not true */
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
  await proving(scenery, { sold, page, planId, before });
}

async function selling({ desk, stage, route, receiver }: Scenery): Promise<Sold> {
  // A server that watches finds the bookings of other processes at its start; a reading tells it of a later one.
  const sold = await sellTwelve(desk.host, route, () => desk.watch());
  const { locator: last } = sold.parties.at(-1) ?? {};
  const isLast = (one: Heard) => one.type === 'operation.settled' && one.locator === last;
  await desk.host.call('read_booking', { locator: last });
  await until('the first event', () => receiver.heard().find(isLast));
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
async function noticing({ receiver, stage }: Scenery, { parties }: Sold, cancelledAt: number): Promise<void> {
  const about = ({ type, kind, locator }: Heard) =>
    type === 'booking.changed' && kind === 'segment_cancelled' && parties.some((one) => one.locator === locator);
  const events = await until('noticing', () => {
    const found = receiver.heard().filter(about);
    return found.length >= parties.length ? found : undefined;
  });
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
  stage.clerk(`What needs me? Move those who can take another ${route.vehicle} that day, and cancel for the others.`);
  stage.call('list_bookings', { needs_attention: true });
  const list = await host.call('list_bookings', { needs_attention: true, max_results: 50 });
  const named = new Set(list.data.bookings?.map(({ locator }) => locator));
  must(
    sold.parties.every(({ locator }) => named.has(locator)),
    'the list does not have all twelve bookings',
  );
  stage.result(list.text, 4);
  const steps = [await moves(desk, route, sold, list.data.changes?.[0]), refundsFor(sold)];
  stage.call('propose_plan', { steps });
  const plan = await host.call('propose_plan', { steps });
  const { plan_id: id, lines = [], left_out: left = [] } = plan.data;
  must(id !== undefined, plan.text);
  must(lines.length === 12 && left.length === 0, `the plan has ${lines.length} lines: ${plan.text}`);
  stage.result(plan.text, 20);
  stage.right('Proposing read every booking and sent nothing.');
  return id;
}

/** The first parties onto another departure of the day: one search, whatever their sizes. */
async function moves(
  { host }: DemoDesk,
  route: DemoRoute,
  { parties, date, flight }: Sold,
  change: DemoChange | undefined,
) {
  must(change?.bookings === parties.length, `the list does not show one change of all twelve: ${change?.what}`);
  const [offer] = (await offersOn(host, route, date, 1)).filter((one) => one.flight !== flight);
  must(offer !== undefined, 'no other departure has seats');
  const locators = parties.slice(0, MOVING).map(({ locator }) => locator);
  const { train, date: day } = change;
  return {
    tool: 'move_party',
    arguments: { train, date: day, locators, offer_ids: [offer.id], payment: { type: 'invoice' } },
  };
}

const refundsFor = ({ parties }: Sold) => ({
  tool: 'cancel_bookings',
  arguments: { locators: parties.slice(MOVING).map(({ locator }) => locator) },
});

/** The call waits while the person reads: its answer comes later. */
async function asking(
  { desk, stage }: Scenery,
  planId: string,
): Promise<{ page: PlanPage; answer: Promise<DemoReply> }> {
  const { host, pages } = desk;
  stage.clerk('Do it.');
  stage.call('run_plan', { plan_id: planId });
  const answer = host.call('run_plan', { plan_id: planId });
  answer.catch(() => undefined);
  const url = await until('the page', () => pages.at(-1));
  must(pages.length === 1, `${pages.length} questions were asked`);
  const page = await openPage(url);
  must(page.lines.length === 12 && page.ticked === 0, `the page has ${page.lines.length} lines, ${page.ticked} ticked`);
  stage.happens(
    'page',
    `asks once: “${page.title}”. Twelve lines, each with its own terms and its own tick, none ticked.`,
  );
  return { page, answer };
}

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
  const end = await until('carrying out the plan', async () => {
    const html = await page.look();
    const title = pageTitle(html);
    if (title !== live && title.startsWith('Being carried out')) stage.happens('page', `${title}.`);
    live = title;
    return title.startsWith('Carried out') ? html : undefined;
  });
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

/** The ordered fault has struck: the airline took a payment and its answer was lost. */
async function isLost({ url }: Sandbox): Promise<boolean> {
  const { ordered } = (await (await fetch(url + CONTROL_PATH)).json()) as { ordered: readonly unknown[] };
  return ordered.length === 0;
}

/** What the assistant hears at the end of its one call. */
async function answered({ stage }: Scenery, answer: Promise<DemoReply>): Promise<void> {
  const { data, text, isError } = await answer;
  must(!isError && data.plan !== undefined, text);
  stage.result(text, 6);
}
