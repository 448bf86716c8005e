/** Tells the story of a cancelled train, which the desk sets right with one yes. Checks every sentence before the stage says it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { showDay } from '../../../core/times.ts';
import { listed } from '../../../core/words.ts';
import { startSandbox } from '../../../sandbox/start.ts';
import type { Terminal } from '../../commands/command.ts';
import { isNo, numbersNamed } from '../../terminal/typed-yes.ts';
import type { DemoChange, DemoReply } from '../host.ts';
import { openPage, type PlanPage } from '../pages.ts';
import { must } from '../scenes.ts';
import { NOTHING_SENT, type Stage } from '../stage.ts';
import { openDesk } from './desk.ts';
import { lastLedgerEntry, movedSince, proveOutcome } from './proof.ts';
import { type HeardEvent, startReceiver } from './receiver.ts';
import {
  type DemoOffer,
  DRIFTED,
  LOOK_MS,
  MOVING,
  offersOn,
  partyAt,
  ROUTES,
  type Sale,
  type Scenery,
  sellTwelve,
  until,
} from './selling.ts';

const NOTE =
  'Airline, server, page and the system that hears events run on this machine and speak real HTTP. No real money moves.';

/** For how many adults offers are searched: the plan takes an offer for one for a party of any size. */
const SEARCHED_ADULTS = 1;

/** Lines that the demo does not tick if nobody is at the keyboard. */
const LEFT_OUT = [7, 12];

/** Error codes of a call, and states of a plan, that mean that nobody said yes. */
const WITHOUT_YES: ReadonlySet<string | undefined> = new Set([
  'E_APPROVAL_DECLINED',
  'E_APPROVAL_EXPIRED',
  'declined',
  'lapsed',
]);
/** States of a plan that has not ended. */
const OPEN_STATES: ReadonlySet<string> = new Set(['asked', 'running']);

/** Starts the airline, the desk and the receiver, tells the story, and ends them. @throws StoryFailure at the first claim that is not true */
export async function performDisruption(
  dialect: keyof typeof ROUTES,
  stage: Stage,
  { execPath, argv, env }: Terminal,
): Promise<void> {
  const route = ROUTES[dialect];
  stage.title(`A ${route.vehicle} is cancelled`);
  stage.note(NOTE);
  const sandbox = await startSandbox({ dialect });
  const receiver = await startReceiver();
  try {
    const desk = await openDesk({ program: [execPath, argv[1] ?? ''], env, airline: sandbox.settings, receiver });
    try {
      await tell({ stage, desk, sandbox, receiver, route }, env);
    } finally {
      await desk.close();
    }
  } finally {
    await receiver.close();
    await sandbox.close();
  }
}

/** Plays the scenes in their order. */
async function tell(scenery: Scenery, env: Terminal['env']): Promise<void> {
  const { stage, sandbox } = scenery;
  const sale = await sellTickets(scenery);
  cancelDeparture(scenery, sale);
  await noticeChanges(scenery, sale);
  const planId = await proposePlan(scenery, sale);
  const ledgerSeqBefore = lastLedgerEntry(sandbox);
  const { url, answer } = await askOnPage(scenery, planId);
  changeMeanwhile(scenery, sale);
  const page = await answerPage(scenery, sale, url, env);
  const lines = await followPlan(scenery, planId, await answer);
  if (lines !== undefined) {
    await proveOutcome(scenery, { sale, page, planId, ledgerSeqBefore, lines });
    if (page === undefined) await stage.untilSeen();
    return;
  }
  const { paid, refunded } = movedSince(sandbox, ledgerSeqBefore);
  must(paid.length + refunded.length === 0, 'money moved without a yes');
  stage.confirms(NOTHING_SENT);
}

async function sellTickets({ desk, stage, route, receiver }: Scenery): Promise<Sale> {
  // The watching server finds the bookings of other processes when it starts, before the last sale: a reading tells it of that.
  const sale = await sellTwelve(desk.host, route, () => desk.watch());
  const lastLocator = sale.parties.at(-1)?.locator;
  const isLastSale = (event: HeardEvent) => event.type === 'operation.settled' && event.locator === lastLocator;
  await desk.host.call('read_booking', { locator: lastLocator });
  await until('the first event', () => receiver.heard().find(isLastSale));
  const people = sale.parties.reduce((sum, { adults }) => sum + adults, 0);
  stage.note(
    `Yesterday twelve parties, ${people} people, paid for ${route.vehicle} ${sale.flight} on ${showDay(sale.date)}.`,
  );
  return sale;
}

/** The airline cancels the train, and every booking on it. */
function cancelDeparture({ sandbox, stage, route }: Scenery, { parties, flight }: Sale): void {
  const [first] = parties;
  const { touched } = sandbox.disturb({ kind: 'cancel', locator: first?.locator });
  const soldLocators = new Set(parties.map(({ locator }) => locator));
  const areAllSold = touched.length === soldLocators.size && touched.every((locator) => soldLocators.has(locator));
  must(areAllSold, `it touched ${touched.length} bookings`);
  stage.says('airline', `cancels ${route.vehicle} ${flight} and calls nobody, because its interface pushes nothing.`);
}

/** The watcher reads again, and the agency's own system hears of every booking. */
async function noticeChanges({ receiver, stage }: Scenery, { parties }: Sale): Promise<void> {
  const isCancellation = ({ type, kind, locator }: HeardEvent) =>
    type === 'booking.changed' && kind === 'segment_cancelled' && parties.some((party) => party.locator === locator);
  const events = await until('noticing', () => {
    const cancellations = receiver.heard().filter(isCancellation);
    return cancellations.length >= parties.length && cancellations;
  });
  must(new Set(events.map(({ locator }) => locator)).size === parties.length, 'not every booking had one event');
  must(events.length === parties.length, `${events.length} events came for ${parties.length} bookings`);
  must(receiver.forged() === 0, 'an event had a wrong signature');
  stage.says('desk', 'reads its bookings again, here every few seconds, and finds all twelve.');
  stage.confirms("Twelve signed events reached the agency's own system.");
}

/** The assistant proposes a plan for all bookings. Returns its id. */
async function proposePlan({ desk, stage, route }: Scenery, sale: Sale): Promise<string> {
  const { host } = desk;
  stage.says('clerk', `What needs me? Move those who can take another ${route.vehicle}, and cancel for the others.`);
  stage.call('list_bookings', { needs_attention: true });
  const list = await host.call('list_bookings', { needs_attention: true, max_results: 50 });
  const listedLocators = new Set(list.data.bookings?.map(({ locator }) => locator));
  must(
    sale.parties.every(({ locator }) => listedLocators.has(locator)),
    'the list does not have all twelve bookings',
  );
  stage.result(list.text);
  const [offer] = (await offersOn(host, route, sale.date, SEARCHED_ADULTS)).filter(
    ({ flight }) => flight !== sale.flight,
  );
  must(offer !== undefined, 'no other departure has seats');
  const steps = [moveStep(sale, offer, list.data.changes?.[0]), refundStep(sale)];
  stage.call('propose_plan', { steps });
  const plan = await host.call('propose_plan', { steps });
  const { plan_id: id, lines = [], left_out: leftOut = [] } = plan.data;
  must(id !== undefined, plan.text);
  must(
    lines.length === sale.parties.length && leftOut.length === 0,
    `the plan has ${lines.length} bookings: ${plan.text}`,
  );
  stage.result(plan.text);
  const time = offer.departs.slice(11, 16);
  stage.says(
    'assistant',
    `Seven can take ${route.vehicle} ${offer.flight} at ${time}, and five get their money back. I have sent nothing yet.`,
  );
  const rows = lines.map(({ money = '' }, i) => proposalRow(i + 1, partyAt(sale, i + 1).name, money, time));
  stage.rows([['', 'who', 'what', 'pays', 'back at most'], ...rows]);
  return id;
}

/**
 * @param money of the line, in words: what is paid if the booking moves, then what comes back, if anything does
 * @param time of the departure to which bookings move
 */
function proposalRow(n: number, name: string, money: string, time: string): readonly string[] {
  const amounts = money.match(/[A-Z]{3} [\d,.]*\d/g) ?? [];
  const row = [`${n}`.padStart(2), name];
  if (n > MOVING) return [...row, 'cancel', '-', amounts.at(-1) ?? 'nothing'];
  const [pays = '-', ...refunds] = amounts;
  return [...row, `to ${time}`, pays, refunds.at(-1) ?? 'nothing'];
}

/** The step that moves the first parties to another departure of the day: one offer, whatever their sizes. */
function moveStep({ parties }: Sale, offer: DemoOffer, change: DemoChange | undefined) {
  must(change?.bookings === parties.length, `the list does not show one change of all twelve: ${change?.what}`);
  const locators = parties.slice(0, MOVING).map(({ locator }) => locator);
  const { train, date } = change;
  return {
    tool: 'move_party',
    arguments: { train, date, locators, offer_ids: [offer.id], payment: { type: 'invoice' } },
  };
}

const refundStep = ({ parties }: Sale) => ({
  tool: 'cancel_bookings',
  arguments: { locators: parties.slice(MOVING).map(({ locator }) => locator) },
});

/** Runs the plan, and returns the address of its page. The call waits while the person reads: its answer comes later. */
async function askOnPage({ desk, stage }: Scenery, planId: string) {
  const { host, pages } = desk;
  stage.says('clerk', 'Do it.');
  stage.call('run_plan', { plan_id: planId });
  const answer = host.call('run_plan', { plan_id: planId });
  answer.catch(() => undefined);
  const url = await until('the page', () => pages.at(-1));
  must(pages.length === 1, `${pages.length} questions were asked`);
  stage.says('page', 'asks once for all of it. Each booking has its own terms and its own tick, and none is ticked.');
  return { url, answer };
}

/** The airline changes a booking and prepares a lost answer while the person reads. */
function changeMeanwhile({ sandbox, stage }: Scenery, sale: Sale): void {
  const { locator, name } = partyAt(sale, DRIFTED);
  sandbox.disturb({ kind: 'passenger-gone', locator });
  sandbox.order({ message: 'OTA_AirDemandTicketRQ', kind: 'commit-then-lose' });
  stage.says('airline', `meanwhile drops a passenger of ${name}, and will lose its answer to a payment.`);
}

/** Lets the person decide: in a browser, else in the terminal. Returns undefined if the page is in the browser. */
async function answerPage(
  { stage }: Scenery,
  sale: Sale,
  url: string,
  env: Terminal['env'],
): Promise<PlanPage | undefined> {
  const browser = await stage.browser(env, 'page');
  if (await browser?.open(url)) {
    stage.says('page', 'waits for you in the browser.');
    return undefined;
  }
  const page = await openPage(url);
  must(page.lines.length === sale.parties.length && page.ticked === 0, `the page has ${page.lines.length} bookings`);
  if (stage.attended) {
    const prompt = 'Which of them? Type numbers such as 1,3-5, or all, or no for none:';
    const read = (typed: string) => (isNo(typed) ? [] : numbersNamed(typed, page.lines));
    await page.answer((await stage.ask(prompt, read, 'neither numbers of the list nor no')) ?? []);
    return page;
  }
  await page.answer(page.lines.filter((n) => !LEFT_OUT.includes(n)));
  const names = listed(LEFT_OUT.map((n) => partyAt(sale, n).name));
  stage.note(`(nobody is at the keyboard, so the demo ticks all but ${names} and approves once)`);
  return page;
}

/** Follows the plan to its end: a person may take longer than one call waits. Returns its lines; undefined without a yes. */
async function followPlan({ desk, stage }: Scenery, planId: string, first: DemoReply) {
  for (let reply = first; ; reply = await desk.host.call('run_plan', { plan_id: planId })) {
    const { plan, error } = reply.data;
    if (WITHOUT_YES.has(error?.code ?? plan?.state)) return undefined;
    must(!reply.isError, reply.text);
    if (plan !== undefined && !OPEN_STATES.has(plan.state)) {
      stage.result(reply.text);
      return plan.lines;
    }
    await sleep(LOOK_MS);
  }
}
