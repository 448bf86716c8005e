/** The end of the story: the airline's ledger, the page, the events, the report and the journal must say the same. */
import { addMoney, formatMoney, type Money, showMoney } from '../../../core/money.ts';
import { must } from '../scenes.ts';
import { bookingsOnce, type LedgerMovements, movedSince, sumOf } from './airline.ts';
import type { DemoDesk } from './desk.ts';
import { type PlanPage, textOf } from './page.ts';
import { DRIFTED, LEFT_OUT, lineOf, type Scenery, until } from './scenery.ts';
import type { Sold } from './selling.ts';

export interface Proof {
  readonly sold: Sold;
  readonly page: PlanPage;
  readonly planId: string;
  /** Last entry of the airline's ledger before the yes. */
  readonly before: number;
}

/** Lines that are done in the end. */
const DONE = [1, 2, 3, 4, 5, 6, 8, 10, 11];

export async function proving(scenery: Scenery, proof: Proof): Promise<void> {
  const { stage, desk, receiver } = scenery;
  const { sold, planId } = proof;
  const moved = await compared(scenery, proof);
  await reported(scenery, proof, moved);
  await journalled(scenery, planId);
  const done = DONE.map((line) => lineOf(sold, line).locator);
  const isReported = (locator: string) =>
    receiver.heard().some((one) => one.type === 'operation.settled' && one.locator === locator);
  await until('the events of what was done', () => done.every(isReported) || undefined);
  stage.right('The agency’s own system heard of each of the nine lines too.');
  const list = await until('closing what was dealt with', () => attended(desk, sold));
  stage.call('list_bookings', { needs_attention: true, refresh: true });
  stage.right(`Still open are the three that nobody has dealt with: ${list.join(', ')}.`);
}

/** The ledger and the page. */
async function compared({ sandbox, stage }: Scenery, { sold, page, before }: Proof): Promise<LedgerMovements> {
  const { paid, refunded } = movedSince(sandbox, before);
  const returned = bookingsOnce(refunded, 'refunded');
  const done = DONE.map((line) => lineOf(sold, line).locator);
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
  return { paid, refunded };
}

/** The report counts the twelve sales of the day before as well. */
async function reported({ sandbox, stage, desk }: Scenery, { before }: Proof, { paid, refunded }: LedgerMovements) {
  const { data, text } = await desk.host.call('report_activity', {});
  const all = movedSince(sandbox, 0);
  const isSame = (measure: 'paid' | 'refunded', count: number, sum: Money) => {
    const { [measure]: figure } = data.totals ?? {};
    return figure?.count === count && figure.sums?.[sum.currency] === formatMoney(sum) && !figure.not_stated;
  };
  const sales = all.paid.filter(({ seq }) => seq <= before);
  const sum = addMoney(sumOf(sales), sumOf(paid));
  must(isSame('paid', sales.length + paid.length, sum), `the report has other payments than the ledger: ${text}`);
  must(isSame('refunded', refunded.length, sumOf(refunded)), `the report has other refunds than the ledger: ${text}`);
  const [earlier, now, back] = [sumOf(sales), sumOf(paid), sumOf(refunded)].map(showMoney);
  stage.right(
    `\`report_activity\`: ${showMoney(sum)} paid, that is ${earlier} for the twelve sales and ${now} now; ${back} refunded. The ledger and the page say the same.`,
  );
}

interface DemoLine {
  readonly line: number;
  readonly state: string;
  readonly sent_at?: string;
  /** Whether the operation is the one of the yes. Absent: there is none. */
  readonly as_approved?: boolean;
}

/** Six moves hold, pay and cancel; three lines cancel. */
const SENT = 6 * 3 + 3;

/** Every line of the yes as the journal has it. */
async function journalled({ stage, desk }: Scenery, planId: string): Promise<void> {
  const printed = await desk.command('journal', 'plan', planId);
  const { acts, digest } = JSON.parse(printed) as { acts: readonly DemoLine[]; digest?: string };
  const operations = acts.filter((act) => act.as_approved !== undefined);
  const sent = operations.filter((act) => act.sent_at !== undefined);
  const [skipped, ...others] = operations.filter((act) => act.sent_at === undefined);
  const done = new Set(sent.map(({ line }) => line));
  must(sent.length === SENT && sent.every(({ state }) => state === 'done'), `the journal has other acts: ${printed}`);
  must([...done].join() === DONE.join(), `the journal has other lines: ${printed}`);
  must(skipped?.line === DRIFTED && others.length === 0, `line ${DRIFTED} is not the one that was skipped: ${printed}`);
  must(digest !== undefined && operations.every((act) => act.as_approved), `not as approved: ${printed}`);
  stage.right(
    `\`fareclerk journal plan\`: ten lines approved, nine done with ${SENT} requests, line ${DRIFTED} not sent. All fit the digest of the yes.`,
  );
  await desk.command('journal', 'verify');
  stage.right('`fareclerk journal verify`: the chain of the journal is whole.');
}

/** Bookings that still need a person, once they are those of the lines that were not done. */
async function attended({ host }: DemoDesk, sold: Sold): Promise<readonly string[] | undefined> {
  const { data } = await host.call('list_bookings', { needs_attention: true, refresh: true, max_results: 50 });
  const left = [...LEFT_OUT, DRIFTED].map((line) => lineOf(sold, line).locator);
  const named = data.bookings?.map(({ locator }) => locator) ?? [];
  return named.length === left.length && left.every((one) => named.includes(one)) ? named : undefined;
}
