/**
 * What happens in the demo, step by step. An assistant asks for ann as a real one does, over MCP; whoever plays answers on the pages. A
 * no is an answer, too, and the next step comes.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { callerName } from '../../src/domain/people/caller-names.ts';
import { disturbFile } from '../../src/sandbox/mishaps.ts';
import { type Pair, pairOf } from '../../test/campaigns/support/trip.ts';
import type { Called, Fields, McpCaller } from '../../test/support/mcp-http.ts';
import { dateIn, passengerNamed } from '../../test/support/people.ts';
import { ANN, BEN, CARA } from './people.ts';

export interface Team {
  readonly ann: McpCaller;
  readonly cara: McpCaller;
  /** Books of the sandbox airline. */
  readonly airlineFile: string;
  /** Address of the page with the questions. */
  readonly inbox: string;
  /** An address of the servers as people open it. */
  shown(address: string): string;
}

const PAYMENT = { payment: { type: 'invoice' } };
/** Then there is another question. */
const LAPSED = ['E_APPROVAL_EXPIRED', 'E_APPROVAL_STALE'];
/** Nothing has come of it yet. A call without an answer proves nothing. */
const OPEN = /^(?:approval_required|details_required|pending|http \d+)$/;
const ASK_AGAIN_MS = 1_000;
const STEPS = 5;
/** The days on which people travel, from today. */
const [FIRST_DAY, DAYS_APART] = [12, 2];

const SQL = `select asked_by as clerk, approved_by as approver, count(*) as payments, sum(paid) as paid, currency
  from operation where act = 'payment' and outcome = 'done' group by asked_by, approved_by, currency`;

const say = (...lines: readonly string[]) => console.log(lines.join('\n'));
/** The words of a result, which begin with the airline that it is of. */
const firstLine = ({ text, outcome }: Called): string => sandboxed(text.split('\n')[0] || outcome);
const sandboxed = (line: string): string => `Sandbox: ${line.replace(/^\[sandbox\] /, '')}`;

export async function playSteps(team: Team): Promise<void> {
  const pair = await pairOf(team.ann);
  const locator = await playPayment(team, pair);
  await playPlan(team, pair);
  if (locator !== undefined) await playChange(team, pair, locator);
  await askLedger(team);
  await playDetails(team, pair);
  say(
    '',
    'That was all of it. What you can still do:',
    `  ${team.inbox}   lists the questions, and what became of them`,
    '  Connect a host of your own as above, sign in as ann, and say: “Sell a return trip for a family of four.”',
    'The servers go on. Press Ctrl-C to end them.',
  );
}

function begin(step: number, title: string, words: string, { login } = ANN): void {
  say('', `Step ${step} of ${STEPS}: ${title}`, `  ${login} says to the assistant: “${words}”`);
}

/** Books for one traveller. */
async function book({ ann }: Team, pair: Pair, name: string, nth: number): Promise<Fields> {
  const [given = '', surname = ''] = name.split(' ');
  const [offer] = await offersFor(ann, pair, nth);
  const made = await ann.call('create_booking', {
    offer_ids: [offer?.offer_id],
    contact: { given_name: given, surname, email: `${given.toLowerCase()}@travellers.example` },
    passengers: [passengerNamed(given, surname, `P44029${100 + nth}`)],
  });
  if (made.structured.booking === undefined) throw new Error(`the sandbox airline sold nothing: ${made.text}`);
  return made.structured.booking;
}

async function offersFor(ann: McpCaller, { from, to }: Pair, nth: number): Promise<readonly Fields[]> {
  const date = dateIn(Date.now(), FIRST_DAY + nth * DAYS_APART);
  const legs = [{ from, to, date }];
  const found = await ann.call('search_fares', { legs, passengers: { adults: 1 }, max_results: 20 });
  return found.structured.offers ?? [];
}

/** Lets a person answer what `ask` asks for; once the time to answer is over it asks anew. Undefined if nobody can be asked. */
async function decided(
  { ann, shown }: Team,
  tool: string,
  ask: () => Promise<Fields> | Fields,
): Promise<Called | undefined> {
  for (;;) {
    const args = await ask();
    const asked = await ann.call(tool, args);
    const { approval } = asked.structured;
    if (approval?.url === undefined) {
      say(`  ${firstLine(asked)}`);
      return undefined;
    }
    say(
      `  Open this address, sign in as ${BEN.login} (this browser asks once), and answer:`,
      ...['', `    ${shown(approval.url)}`, '', '  Waiting …'],
    );
    const answer = await answered(ann, tool, { ...args, approval_id: approval.id });
    say(`  ${firstLine(answer)}`);
    if (!LAPSED.includes(answer.outcome)) return answer;
  }
}

/** Asks for the outcome until there is one. */
async function answered(ann: McpCaller, tool: string, args: object): Promise<Called> {
  for (;;) {
    await wait(ASK_AGAIN_MS);
    const seen = await ann.call(tool, args);
    if (!OPEN.test(seen.outcome)) return seen;
  }
}

/** @returns the booking if it was paid */
async function playPayment(team: Team, pair: Pair): Promise<string | undefined> {
  begin(1, 'a payment', 'Book a train for Layla Haddad, and pay by invoice.');
  const { locator, total, currency } = await book(team, pair, 'Layla Haddad', 0);
  say(`  ${sandboxed(`${ANN.login} holds booking ${locator} for ${currency} ${total}. Somebody else must say yes.`)}`);
  const answer = await decided(team, 'pay_booking', () => ({ locator, ...PAYMENT }));
  return answer?.outcome === 'done' ? locator : undefined;
}

async function playPlan(team: Team, pair: Pair): Promise<void> {
  begin(2, 'a plan, many acts with one question', 'Pay what we hold for Huda Saleh, Nadia Nasser and Rana Karam.');
  const held: string[] = [];
  for (const [i, name] of ['Huda Saleh', 'Nadia Nasser', 'Rana Karam'].entries())
    held.push((await book(team, pair, name, i + 1)).locator);
  say('  Tick what is to be paid. What you do not tick is left alone.');
  const steps = held.map((locator) => ({ tool: 'pay_booking', arguments: { locator, ...PAYMENT } }));
  await decided(team, 'run_plan', () => proposed(team, steps));
}

async function proposed({ ann }: Team, steps: readonly object[]): Promise<Fields> {
  const plan = await ann.call('propose_plan', { steps });
  if (plan.structured.plan_id === undefined) throw new Error(`no plan was made: ${plan.text}`);
  return { plan_id: plan.structured.plan_id };
}

/** The airline cancels the train of a paid booking. */
async function playChange(team: Team, pair: Pair, locator: string): Promise<void> {
  begin(3, 'a change by the airline', 'What needs me? Move whoever lost their train to another one of that day.');
  await disturbFile(team.airlineFile, { kind: 'cancel', locator });
  const seen = await team.ann.call('read_booking', { locator });
  say(
    `  ${firstLine(seen)}`,
    `  ${sandboxed(`the airline cancelled the train of booking ${locator}, and called nobody.`)}`,
  );
  const left = Date.parse(seen.structured.booking?.segments?.[0]?.departs);
  const away = (offer: Fields) => Math.abs(Date.parse(offer.legs?.[0]?.departs) - left);
  const move = async () => {
    const [offer] = (await offersFor(team.ann, pair, 0)).toSorted((a, b) => away(a) - away(b));
    const step = { tool: 'move_party', arguments: { locator, offer_ids: [offer?.offer_id], ...PAYMENT } };
    return await proposed(team, [step]);
  };
  await decided(team, 'run_plan', move);
}

async function askLedger({ cara }: Team): Promise<void> {
  begin(4, 'a question of the ledger', 'Who sold how much, and who said yes?', CARA);
  const { structured, text } = await cara.call('query_ledger', { sql: SQL });
  if (structured.rows === undefined) throw new Error(`the ledger did not answer: ${text}`);
  const { columns } = structured;
  const read = structured.rows.map((row: unknown[]) => row.map((value, n) => cell(columns[n], value)));
  const rows: readonly string[][] = [columns, ...read];
  const widths = rows[0]?.map((_, n) => Math.max(...rows.map((row) => row[n]?.length ?? 0))) ?? [];
  say(`  ${sandboxed('the assistant wrote one SELECT, and the ledger says:')}`, '');
  for (const row of rows)
    say(
      `    ${row
        .map((text, n) => text.padEnd(widths[n] ?? 0))
        .join('   ')
        .trimEnd()}`,
    );
}

/** People by their names, and amounts with all digits. */
function cell(column: string, value: unknown): string {
  if (column === 'paid') return Number(value).toFixed(2);
  return typeof value === 'string' && value.startsWith('oauth:') ? callerName(value) : String(value ?? '-');
}

async function playDetails(team: Team, pair: Pair): Promise<void> {
  begin(5, 'travellers who enter their own details', 'Book one more, and let the traveller type the passport.');
  const [offer] = await offersFor(team.ann, pair, STEPS);
  const contact = { given_name: 'Mona', surname: 'Rahal', email: 'mona@travellers.example' };
  const args = { offer_ids: [offer?.offer_id], contact, passenger_counts: { adults: 1 }, details: 'page' };
  const asked = await team.ann.call('create_booking', args);
  const { details } = asked.structured;
  if (details?.url === undefined) return say(`  ${firstLine(asked)}`);
  say(
    '  The traveller opens this address, without a sign-in:',
    '',
    `    ${team.shown(details.url)}`,
    '',
    '  Waiting …',
  );
  say(`  ${firstLine(await answered(team.ann, 'create_booking', { ...args, details: details.id }))}`);
}
