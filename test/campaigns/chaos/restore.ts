/**
 * The journal goes backwards: an older copy is restored, with or without running instances, or its file is removed,
 * replaced or emptied. Later payments must not be paid again, and `journal restored` enters them again at once. Where the
 * second records of every machine are lost too, it holds sending until the bookings show what was paid.
 *
 *   node test/campaigns/chaos/restore.ts [--runs 56] [--seed S]     56: each loss of each store with each answer
 */
import { setTimeout as wait } from 'node:timers/promises';
import { mintConfirmed } from '../../../src/approvals/confirmed.ts';
import { ClerkError } from '../../../src/core/errors.ts';
import { payArgs } from '../support/acts.ts';
import { type OpenAirline, openAirline } from '../support/airline.ts';
import { type Ask, codeOf, type Office, openOffice } from '../support/office.ts';
import { retried } from '../support/pace.ts';
import { startCluster } from '../support/postgres.ts';
import { command, counted, type ProofOptions, type Proved } from '../support/report.ts';
import { OPEN } from '../support/stock.ts';
import { type Ground, isUnderRunning, type Loss, STORES } from './support/restore-grounds.ts';

/**
 * What the caller knew when the journal went back: nothing, while the airline is still at work or has done it; the
 * outcome; or its own question, which the copy has too. Each with what becomes of the airline's answer.
 */
const ANSWERS = {
  'under way': 'lost and late',
  lost: 'lost',
  known: 'comes',
  'asked before the copy': 'lost',
} as const;
type Known = keyof typeof ANSWERS;

interface Drill {
  readonly ground: Ground;
  readonly loss: Loss;
  readonly known: Known;
}

const SETTLE_MS = 1_200;
/** Sending stays held as long as these two together. A busy machine needs seconds for a request. */
const SEND_MS = 8_000;
/** A payment that is under way is done so long after it was sent. */
const WORK_MS = 700;
/** Half of it is what a last reading before a payment may take. */
const LEASE_MS = 20_000;
/** `restored` reads bookings for at most 5 seconds. */
const RESTORED_MS = 8_000;
/** Sending is allowed by then. */
const HELD_MS = 20_000;

interface Fate {
  answer: (typeof ANSWERS)[Known];
  readonly working: Promise<unknown>[];
  /** When the airline does what it is late with. */
  readonly late: () => Promise<unknown>;
  /** The bookings of the payments that reach the airline, which would take each of them. */
  readonly taken: string[];
}

/** The airline, whose answers to payments are lost where `fate` says so. */
function losing(airline: OpenAirline['airline'], fate: Fate): OpenAirline['airline'] {
  const lost = () => new ClerkError('E_AIRLINE_TIMEOUT', 'no answer', { next: 'wait', effect: 'unknown' });
  const take: typeof airline.pay = (order) => {
    fate.taken.push(order.send.order.locator);
    return airline.pay(order);
  };

  return {
    ...airline,
    async pay(order) {
      if (fate.answer === 'lost and late') {
        order.dispatch.mayStart();
        const late = mintConfirmed(order.send, order.operationId, OPEN);
        fate.working.push(fate.late().then(() => take(late)));
        throw lost();
      }
      const receipt = await take(order);
      if (fate.answer === 'comes') return receipt;
      throw lost();
    },
  };
}

/** Each loss of each store at once, on a ground of its own, with each answer in turn. */
async function proveRestores({ runs, seed }: ProofOptions): Promise<Proved> {
  const airline = await openAirline({ seed });
  const cluster = await startCluster();
  const lanes: { ground: Ground; loss: Loss }[] = [];
  for (const store of STORES) {
    for (const loss of store.losses) lanes.push({ ground: await store.ground(cluster), loss });
  }
  const problems: string[] = [];
  const played: string[] = [];
  const work = lanes.map(async ({ ground, loss }) => {
    for (let run = 0; run < Math.round(runs / lanes.length); run++) {
      const drill: Drill = { ground, loss, known: known[run % known.length] as Known };
      const name = `${ground.name} ${loss}`;
      played.push(name);
      const wrong = await (loss === 'unrecorded' ? drillUnrecorded : drillOnce)(drill, airline);
      problems.push(...wrong.map((problem) => `${name}, answer ${drill.known}: ${problem}`));
    }
  });
  await Promise.all(work);
  await cluster.close();
  await airline.close();
  const twice = problems.filter((problem) => problem.includes('paid 2 times')).length;
  return { seen: `${played.length} drills, ${twice} second payments (${counted(played)})`, problems };
}

const known = Object.keys(ANSWERS) as Known[];

async function drillOnce(
  { ground, loss, known: how }: Drill,
  { airline, stock, times }: OpenAirline,
): Promise<string[]> {
  const problems: string[] = [];
  const fate: Fate = { answer: 'comes', working: [], late: () => wait(WORK_MS), taken: [] };
  const slow = losing(airline, fate);
  const journal = { sendMs: SEND_MS, leaseMs: LEASE_MS };
  const open = async () =>
    openOffice({ airline: slow, state: await ground.open(), settleMs: SETTLE_MS, waitMs: 500, journal });
  let offices: Office[] = [];
  const start = async () => {
    for (const office of offices) await office.close();
    offices = [await open(), await open()];
    return offices as [Office, Office];
  };
  const stop = async () => {
    for (const office of offices) await office.close();
    offices = [];
  };
  const paying = async (office: Office, locator: string) =>
    office.yes('pay_booking', payArgs(locator), await office.question('pay_booking', payArgs(locator)));
  const first = (await stock.held()).locator;
  const { locator } = await stock.held();
  const args = payArgs(locator);
  const [one] = await start();
  const before = await paying(one, first);
  if (codeOf(before) !== 'done') problems.push(`the first payment came to ${codeOf(before)}: ${before.text}`);
  const early = how === 'asked before the copy' ? await one.question('pay_booking', args) : undefined;
  await ground.copy();
  fate.answer = ANSWERS[how];
  const question = early ?? (await one.question('pay_booking', args));
  const paid = await one.yes('pay_booking', args, question);
  fate.answer = 'comes';
  if (!['done', 'pending'].includes(codeOf(paid))) problems.push(`paying came to ${codeOf(paid)}: ${paid.text}`);

  // As every instance does from time to time.
  for (const office of offices) await office.parts.state.chain?.status();

  if (!isUnderRunning(loss)) await stop();
  await ground.lose(loss);
  if (offices.length === 0) await start();
  for (const office of offices.toReversed()) problems.push(...(await refuses(office, args, question)));
  if (ground.needsRestart(loss)) {
    await stop();
    // What ended last may have written to its file.
    await ground.lose(loss);
    for (const office of await start()) problems.push(...(await refuses(office, args, question)));
  }
  const [settler, second] = offices as [Office, Office];
  await Promise.all(fate.working);
  const began = performance.now();
  const restored = await settler.parts.journal.restored('os:drill');
  if (restored === undefined || restored.end === 'busy') problems.push(`restored came to ${JSON.stringify(restored)}`);
  const tookMs = performance.now() - began;
  if (tookMs > RESTORED_MS) problems.push(`restored took ${Math.round(tookMs)} ms`);
  // Nobody runs it again, however many machines have sent.
  await retried(HELD_MS / 200, 200, async () => {
    for (const { parts } of offices) if ((await parts.state.chain?.status())?.hold) throw new Error('sending is held');
  }).catch(() => problems.push('sending stayed held'));
  for (const office of [second, settler]) {
    const again = codeOf(await office.call('pay_booking', args));
    if (again !== 'E_ALREADY_DONE') problems.push(`paying again came to ${again}`);
    const repeated = await office.yes('pay_booking', args, question);
    if (!['done', 'already_done', 'E_APPROVAL_INVALID', 'E_APPROVAL_EXPIRED'].includes(codeOf(repeated)))
      problems.push(`the same yes again came to ${codeOf(repeated)}: ${repeated.text}`);
  }
  const ofBooking = (await settler.operations()).filter((operation) => operation.locator === locator);
  if (!ofBooking.some(({ state }) => state === 'succeeded'))
    problems.push(`the journal says ${ofBooking.map(({ state }) => state)}`);
  // Nothing stops the next one.
  const next = (await stock.held()).locator;
  const then = await paying(second, next);
  if (codeOf(then) !== 'done') problems.push(`the next payment came to ${codeOf(then)}: ${then.text}`);
  if ((await settler.parts.state.operations.verify()) !== undefined) problems.push('the chain is broken');
  problems.push(...offices.flatMap(({ failures }) => failures.map((error) => `failed inside: ${String(error)}`)));
  await stop();
  await ground.clear();
  for (const booking of [first, locator, next]) {
    const count = fate.taken.filter((of) => of === booking).length;
    if (count !== 1 || times('paid', booking) !== 1) problems.push(`${booking} paid ${count} times`);
  }
  return problems;
}

/**
 * Follows docs/guides/running.md, Restore, where the second records of both instances are lost. A payment that is under way is
 * carried out only after somebody tried to pay it again.
 */
async function drillUnrecorded(
  { ground, loss, known: how }: Drill,
  { airline, stock, times }: OpenAirline,
): Promise<string[]> {
  const problems: string[] = [];
  const tried = Promise.withResolvers<void>();
  const fate: Fate = { answer: 'comes', working: [], late: () => tried.promise, taken: [] };
  const slow = losing(airline, fate);
  const journal = { sendMs: SEND_MS, leaseMs: LEASE_MS };
  const open = async () =>
    openOffice({ airline: slow, state: await ground.open(), settleMs: SETTLE_MS, waitMs: 500, journal });
  const tryToPay = async (office: Office) => {
    const answer = await office.call('pay_booking', args);
    return codeOf(answer.kind === 'ask' ? await office.yes('pay_booking', args, answer) : answer);
  };

  const { locator } = await stock.held();
  const args = payArgs(locator);
  const before = [await open(), await open()] as const;
  const early = how === 'asked before the copy' ? await before[0].question('pay_booking', args) : undefined;
  await ground.copy();
  fate.answer = ANSWERS[how];
  const question = early ?? (await before[0].question('pay_booking', args));
  await before[0].yes('pay_booking', args, question);
  fate.answer = 'comes';

  // Steps 1 to 3 of the guide.
  for (const office of before) await office.close();
  await ground.lose(loss);
  const command = await ground.open();
  await command.chain.pause('restored a copy', 'os:drill', command.clock?.now() ?? Date.now());
  if ((await command.operations.verify()) !== undefined) problems.push('the copy is not whole');
  await command.close();

  // Steps 4 and 5.
  const [one, two] = [await open(), await open()];
  const restored = await one.parts.journal.restored('os:drill');
  if (restored?.end !== 'planned' || restored.allowedAt === undefined)
    problems.push(`restored came to ${JSON.stringify(restored)}`);
  const resume = () => two.parts.state.chain?.resume('os:drill', two.parts.clock.now());
  if ((await resume())?.kind !== 'held') problems.push('sending was resumed too early');
  for (const office of [one, two]) {
    const code = await tryToPay(office);
    if (!['E_NOT_PERMITTED', 'E_ALREADY_DONE'].includes(code)) problems.push(`paying while held came to ${code}`);
  }
  tried.resolve();
  // The airline of the sandbox refuses a second payment; `taken` counts it.
  await Promise.allSettled(fate.working);

  // Step 6.
  await retried(HELD_MS / 200, 200, async () => {
    if ((await resume())?.kind === 'held') throw new Error('sending is held');
  }).catch(() => problems.push('sending stayed held'));
  if (two.parts.clock.now() < (restored?.allowedAt ?? 0)) problems.push('sending was resumed before the time told');
  for (const office of [one, two]) {
    const code = await tryToPay(office);
    if (code !== 'E_ALREADY_DONE') problems.push(`paying again came to ${code}`);
    await office.yes('pay_booking', args, question);
  }

  // Nothing stops the next one.
  const next = payArgs((await stock.held()).locator);
  const then = await two.yes('pay_booking', next, await two.question('pay_booking', next));
  if (codeOf(then) !== 'done') problems.push(`the next payment came to ${codeOf(then)}: ${then.text}`);
  if ((await one.parts.state.operations.verify()) !== undefined) problems.push('the chain is broken');
  problems.push(...[one, two].flatMap(({ failures }) => failures.map((error) => `failed inside: ${String(error)}`)));
  for (const office of [one, two]) await office.close();
  await ground.clear();

  const taken = fate.taken.filter((of) => of === locator).length;
  if (taken !== 1 || times('paid', locator) !== 1) problems.push(`${locator} paid ${taken} times`);
  return problems;
}

/** Neither asks again nor takes the old yes; says that nothing was sent, but of a yes that was taken before the loss. */
async function refuses(office: Office, args: object, question: Ask): Promise<string[]> {
  const problems: string[] = [];
  const again = await office.call('pay_booking', args);
  const repeated = await office.yes('pay_booking', args, question);
  for (const answer of [again, repeated]) {
    const { effect } = ((answer.kind === 'result' && answer.structured.error) || {}) as { effect?: string };
    // Reports what the airline shows or the journal still has.
    const isKnown = ['E_ALREADY_DONE', 'E_BOOKING_BUSY', 'pending', 'done', 'already_done'].includes(codeOf(answer));
    // A file that cannot be read at that moment does not show whether this yes has sent.
    const isHonest =
      answer === repeated && ['E_INTERNAL', 'E_STATE_DOWN'].includes(codeOf(answer)) && effect === 'unknown';
    if (answer.kind === 'ask') problems.push('asked for a second payment');
    else if (!isKnown && !isHonest && effect !== 'none')
      problems.push(`${codeOf(answer)} with effect ${effect}, where all is held`);
  }
  return problems;
}

await command('restore', 56, proveRestores);
