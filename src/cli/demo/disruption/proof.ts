/** Proves the end of the story: the airline's ledger, the page, the events, query_ledger and the journal must say the same. */
import { formatMoney, type Money, showAmount, showMoney, sumMoney } from '../../../core/money.ts';
import { own } from '../../../core/own.ts';
import { capitalized, counted, listed } from '../../../core/words.ts';
import { STATE_WORDS } from '../../../plans/plan-words.ts';
import { CONTROL_PATH } from '../../../sandbox/failures/control.ts';
import type { LedgerEntry, Sandbox } from '../../../sandbox/start.ts';
import type { DemoLine } from '../host.ts';
import type { PlanPage } from '../pages.ts';
import { must } from '../scenes.ts';
import type { DemoDesk } from './desk.ts';
import { DRIFTED, MOVING, partyAt, type Sale, type Scenery, until } from './selling.ts';

const STATE_TEXTS: Readonly<Record<string, string>> = { ...STATE_WORDS, not_ticked: 'left out' };

/** A move holds a new booking, pays it and cancels the old one. A booking that is not moved is cancelled with one request. */
const REQUESTS_OF_MOVE = 3;

/** How the story ended, to be proved. */
interface StoryEnd {
  readonly sale: Sale;
  /** The page of the plan; undefined if it is in the person's browser. */
  readonly page: PlanPage | undefined;
  readonly planId: string;
  /** Number of the last entry in the airline's ledger before the yes. */
  readonly ledgerSeqBefore: number;
  /** The outcome of each booking, as the assistant hears it. */
  readonly lines: readonly DemoLine[];
}

/** Proves each sentence about the end of the story before the stage says it. @throws StoryFailure */
export async function proveOutcome(scenery: Scenery, end: StoryEnd): Promise<void> {
  const { stage, desk, receiver, sandbox } = scenery;
  const { sale, lines } = end;
  const tickedCount = lines.filter(({ state }) => state !== 'not_ticked').length;
  const doneNumbers = lines.filter(({ state }) => state === 'done').map(({ n }) => n);
  stage.says('page', `carried out: ${doneNumbers.length} of the ${tickedCount} that were ticked.`);
  stage.rows([['', 'who', 'result', 'paid', 'came back'], ...lines.map((line) => lineRow(line, sale))]);
  if (await wasFaultPlayed(sandbox))
    stage.confirms(
      'After the lost answer the booking was read, the payment was found there, and nothing was sent again.',
    );
  // A person may leave bookings out, and stop the rest on the page.
  const unexpected = lines.find(({ n, state }) => !expectedStates(n).includes(state));
  must(unexpected === undefined, `${unexpected?.n} is ${unexpected?.state}`);
  if (lines.some(({ state }) => state === 'skipped'))
    stage.confirms(
      `The booking of ${partyAt(sale, DRIFTED).name} changed after the question, so nothing was sent for it.`,
    );
  await compareRecords(scenery, end, doneNumbers);
  const isReported = (n: number) =>
    receiver.heard().some(({ type, locator }) => type === 'operation.settled' && locator === partyAt(sale, n).locator);
  await until('the events of what was done', () => doneNumbers.every(isReported));
  stage.confirms("The agency's own system heard of each of them too.");
  const openParties = lines.filter(({ state }) => state !== 'done').map(({ n }) => partyAt(sale, n));
  const openLocators = new Set(openParties.map(({ locator }) => locator));
  await until('closing what was dealt with', () => needOnly(desk, openLocators));
  if (openParties.length > 0)
    stage.confirms(`Still open, and on the list: ${listed(openParties.map(({ name }) => name))}.`);
}

/** The states in which a line may end. @param n its number in the plan */
function expectedStates(n: number): readonly string[] {
  return ['not_ticked', 'not_begun', n === DRIFTED ? 'skipped' : 'done'];
}

function lineRow({ n, state, sums = [] }: DemoLine, sale: Sale): readonly string[] {
  const amounts = (field: 'paid' | 'came_back') =>
    sums.flatMap(({ currency, [field]: amount }) => (amount ? [showAmount(amount, currency)] : [])).join(', ') || '-';
  return [
    `${n}`.padStart(2),
    partyAt(sale, n).name,
    own(STATE_TEXTS, state) ?? state,
    amounts('paid'),
    amounts('came_back'),
  ];
}

/** Whether the airline took a payment and lost its answer. Then no ordered fault is left. */
async function wasFaultPlayed({ url }: Sandbox): Promise<boolean> {
  const { ordered } = (await (await fetch(url + CONTROL_PATH)).json()) as { ordered: readonly unknown[] };
  return ordered.length === 0;
}

/** Compares the ledger with the page, query_ledger and the journal. @param doneNumbers lines of the plan */
async function compareRecords(scenery: Scenery, end: StoryEnd, doneNumbers: readonly number[]): Promise<void> {
  const { sandbox, stage } = scenery;
  const { sale, page, ledgerSeqBefore } = end;
  const moved = movedSince(sandbox, ledgerSeqBefore);
  checkLedger(moved, sale, doneNumbers);
  const { paid, refunded } = moved;
  const paidText = `${counted(paid.length, 'payment')}, ${sumText(paid)}`;
  const refundedText = `${counted(refunded.length, 'refund')}, ${sumText(refunded)}`;
  stage.confirms(`The airline's own ledger: ${paidText}; ${refundedText}. No booking twice.`);
  if (page !== undefined) await checkPage(page, moved);
  const isAsked = await checkQuestion(scenery);
  const moveCount = doneNumbers.filter(isMove).length;
  const sent = REQUESTS_OF_MOVE * moveCount + (doneNumbers.length - moveCount);
  await checkJournal(scenery, end, doneNumbers, sent);
  const bookings = counted(doneNumbers.length, 'booking');
  const records = listed([...(page ? ['page'] : []), ...(isAsked ? ['figures'] : []), 'journal']);
  const verb = records === 'journal' ? 'says' : 'say';
  stage.confirms(
    `${capitalized(records)} ${verb} the same. ${bookings}, ${counted(sent, 'request')}, each as approved.`,
  );
}

/** The first lines of the plan move their bookings. */
const isMove = (n: number): boolean => n <= MOVING;

/** Checks that each moved booking was paid once, and each done line refunded once. @throws StoryFailure */
function checkLedger({ paid, refunded }: LedgerMovements, sale: Sale, doneNumbers: readonly number[]): void {
  const refundedLocators = bookingsOnce(refunded, 'refunded');
  const moveCount = doneNumbers.filter(isMove).length;
  const paymentsProblem = `${paid.length} payments were made for ${moveCount} new bookings`;
  must(bookingsOnce(paid, 'paid').size === moveCount, paymentsProblem);
  const isEachRefunded = doneNumbers.every((n) => refundedLocators.has(partyAt(sale, n).locator));
  const refundsProblem = `${refundedLocators.size} bookings were refunded`;
  must(refundedLocators.size === doneNumbers.length && isEachRefunded, refundsProblem);
}

/** Checks that the page shows the sums of the ledger. It shows none where nothing moved. @throws StoryFailure */
async function checkPage(page: PlanPage, { paid, refunded }: LedgerMovements): Promise<void> {
  const text = await page.text();
  for (const entries of [paid, refunded]) {
    const sum = sumText(entries);
    must(entries.length === 0 || text.includes(sum), `the page has other sums than the ledger: ${sum}`);
  }
}

const SUMS = `select count(*), count(paid) + count(refunded), currency, sum(paid), sum(refunded)
from operation where outcome = 'done' and act = `;

/**
 * Compares what query_ledger answers with the ledger, the twelve sales of the day before included. Returns whether it is offered:
 * some versions of Node.js cannot run it.
 */
async function checkQuestion({ sandbox, desk }: Scenery): Promise<boolean> {
  if (!(await desk.host.offers('query_ledger'))) return false;
  const moved = movedSince(sandbox, 0);
  for (const [act, entries] of [
    ['payment', moved.paid],
    ['refund', moved.refunded],
  ] as const) {
    const { data, text } = await desk.host.call('query_ledger', { sql: `${SUMS}'${act}'` });
    const [[acts, stated, currency, paid, refunded] = []] = data.rows ?? [];
    const sum = entries.length === 0 ? undefined : sumAmounts(entries);
    const isSame =
      acts === entries.length &&
      stated === acts &&
      (sum === undefined || (currency === sum.currency && (paid ?? refunded) === Number(formatMoney(sum))));
    must(isSame, `query_ledger has another ${act} than the ledger: ${text}`);
  }
  return true;
}

interface JournalAct {
  readonly line: number;
  readonly state: string;
  readonly sent_at?: string;
  /** Whether the operation is the one of the yes. Absent: there is none. */
  readonly as_approved?: boolean;
}

/** Compares the journal with the plan. @param sent how many requests the done lines took */
async function checkJournal(
  { desk }: Scenery,
  { planId }: StoryEnd,
  doneNumbers: readonly number[],
  sent: number,
): Promise<void> {
  const printed = await desk.command('journal', 'plan', planId);
  const { acts, digest } = JSON.parse(printed) as { acts: readonly JournalAct[]; digest?: string };
  const operations = acts.filter(({ as_approved: asApproved }) => asApproved !== undefined);
  const sentOperations = operations.filter(({ sent_at: at }) => at !== undefined);
  must(
    sentOperations.length === sent && sentOperations.every(({ state }) => state === 'done'),
    `the journal has others: ${printed}`,
  );
  const sentLines = new Set(sentOperations.map(({ line }) => line));
  const isSame = sentLines.size === doneNumbers.length && doneNumbers.every((n) => sentLines.has(n));
  must(isSame, `the journal has other bookings: ${printed}`);
  must(digest !== undefined && operations.every((act) => act.as_approved), `not as approved: ${printed}`);
  await desk.command('journal', 'verify');
}

/** Whether the list of bookings that need a person has these, and no others. */
async function needOnly({ host }: DemoDesk, locators: ReadonlySet<string>): Promise<boolean> {
  const { data } = await host.call('list_bookings', { needs_attention: true, refresh: true, max_results: 50 });
  const listedLocators = data.bookings?.map(({ locator }) => locator) ?? [];
  return listedLocators.length === locators.size && listedLocators.every((locator) => locators.has(locator));
}

// The ledger that the sandbox keeps as the airline.

/** What was paid and refunded after one entry of the ledger that the sandbox keeps as the airline. */
interface LedgerMovements {
  readonly paid: readonly LedgerEntry[];
  readonly refunded: readonly LedgerEntry[];
}

export function movedSince(sandbox: Sandbox, seq: number): LedgerMovements {
  const later = sandbox.ledger().filter((entry) => entry.seq > seq);
  return {
    paid: later.filter(({ event }) => event === 'paid'),
    refunded: later.filter(({ event }) => event === 'refunded'),
  };
}

/** The `seq` of the newest entry; 0 for an empty ledger. */
export const lastLedgerEntry = (sandbox: Sandbox): number => sandbox.ledger().at(-1)?.seq ?? 0;

/** @throws StoryFailure if nothing moved, or in two currencies */
function sumAmounts(entries: readonly LedgerEntry[]): Money {
  const sum = sumMoney(entries.flatMap(({ amount }) => amount ?? []));
  must(sum !== undefined, 'the ledger has no sum in one currency');
  return sum;
}

function sumText(entries: readonly LedgerEntry[]): string {
  return entries.length > 0 ? showMoney(sumAmounts(entries)) : 'nothing';
}

/** The locators of these entries. @throws StoryFailure if one stands there twice */
function bookingsOnce(entries: readonly LedgerEntry[], what: string): ReadonlySet<string> {
  const locators = new Set(entries.map(({ locator }) => locator));
  must(locators.size === entries.length, `a booking was ${what} twice`);
  return locators;
}
