/**
 * The journal goes backwards: an older copy is restored, with or without running instances, or its file is removed,
 * replaced or emptied. Later payments must not be paid again, and `journal restored` settles them.
 *
 *   node test/campaigns/chaos/restore.ts [--runs 50] [--seed 1]
 */
import { setTimeout as wait } from 'node:timers/promises';
import { mintConfirmed } from '../../../src/approvals/confirmed.ts';
import type { Airline, Dispatch } from '../../../src/domain/airline.ts';
import { ClerkError } from '../../../src/errors.ts';
import { payArgs } from '../support/acts.ts';
import { type OpenAirline, openAirline } from '../support/airline.ts';
import { codeOf, type Office, openOffice } from '../support/office.ts';
import { command, type ProofOptions, type Proved } from '../support/report.ts';
import { type Ground, type Loss, openGrounds } from './support/restore-grounds.ts';

/**
 * What the caller knew when the journal went back: nothing, while the airline is still at work or has done it; the
 * outcome; or its own question, which the copy has too.
 */
const ANSWERS = ['under way', 'lost', 'known', 'asked before the copy'] as const;
type Answer = (typeof ANSWERS)[number];

interface Drill {
  readonly ground: Ground;
  readonly loss: Loss;
  readonly answer: Answer;
}

const SETTLE_MS = 1_200;
const SEND_MS = 1_500;
/** A payment that is under way is done so long after it was sent. */
const WORK_MS = 700;

interface Fate {
  answer: 'comes' | 'lost' | 'lost and late';
  readonly working: Promise<unknown>[];
}

const OPEN: Dispatch = { mayStart: () => true, keep: async () => undefined };

/** The airline, whose answers to payments are lost where `fate` says so. */
function losing(airline: Airline, fate: Fate): Airline {
  const lost = () => new ClerkError('E_AIRLINE_TIMEOUT', 'no answer', { next: 'wait', effect: 'unknown' });
  return {
    ...airline,
    async pay(order) {
      if (fate.answer === 'lost and late') {
        order.dispatch.mayStart();
        const late = mintConfirmed(order.terms, order.operationId, OPEN);
        fate.working.push(wait(WORK_MS).then(() => airline.pay(late)));
        throw lost();
      }
      const receipt = await airline.pay(order);
      if (fate.answer === 'comes') return receipt;
      throw lost();
    },
  };
}

export async function proveRestores({ runs, seed }: ProofOptions, only?: (drill: Drill) => boolean): Promise<Proved> {
  const airline = await openAirline({ seed });
  const grounds = await openGrounds();
  const problems: string[] = [];
  const told = new Map<string, number>();
  try {
    const drills = grounds.all
      .flatMap((ground) => ground.losses.flatMap((loss) => ANSWERS.map((answer) => ({ ground, loss, answer }))))
      .filter(only ?? (() => true));
    for (let run = 0; run < runs; run++) {
      const drill = drills[run % drills.length];
      if (drill === undefined) throw new Error('no drill');
      const wrong = await drillOnce(drill, airline);
      const name = `${drill.ground.name}, ${drill.loss}, answer ${drill.answer}`;
      problems.push(...wrong.map((problem) => `${name}: ${problem}`));
      const kind = `${drill.ground.name} ${drill.loss}`;
      told.set(kind, (told.get(kind) ?? 0) + 1);
    }
  } finally {
    await grounds.close();
    await airline.close();
  }
  const kinds = [...told].map(([kind, times]) => `${kind} ${times}`).join(', ');
  const twice = problems.filter((problem) => problem.includes('paid 2 times')).length;
  return { seen: `${runs} drills, ${twice} second payments (${kinds})`, problems };
}

const FATES: Record<Answer, Fate['answer']> = {
  'under way': 'lost and late',
  lost: 'lost',
  known: 'comes',
  'asked before the copy': 'lost',
};

async function drillOnce({ ground, loss, answer }: Drill, { airline, stock, times }: OpenAirline): Promise<string[]> {
  const problems: string[] = [];
  const fate: Fate = { answer: 'comes', working: [] };
  const journal = { sendMs: SEND_MS, leaseMs: 2_000 };
  const slow = losing(airline, fate);
  const open = async (): Promise<Office> =>
    openOffice({ airline: slow, state: await ground.open(), settleMs: SETTLE_MS, waitMs: 500, journal });
  let offices = [await open(), await open()];
  const paying = async (office: Office, locator: string) =>
    office.yes('pay_booking', payArgs(locator), await office.question('pay_booking', payArgs(locator)));
  const first = (await stock.held()).locator;
  const { locator } = await stock.held();
  const [one] = offices as [Office, Office];
  await paying(one, first);
  const early = answer === 'asked before the copy' ? await one.question('pay_booking', payArgs(locator)) : undefined;
  await ground.copy();
  fate.answer = FATES[answer];
  const question = early ?? (await one.question('pay_booking', payArgs(locator)));
  const paid = await one.yes('pay_booking', payArgs(locator), question);
  fate.answer = 'comes';
  if (!['done', 'pending'].includes(codeOf(paid))) problems.push(`paying came to ${codeOf(paid)}: ${paid.text}`);

  // As every instance does from time to time.
  for (const office of offices) await office.parts.state.chain?.status();

  const restart = async () => {
    for (const office of offices) await office.close();
    offices = [];
  };
  if (!ground.isUnderRunning(loss)) await restart();
  await ground.lose(loss);
  if (offices.length === 0) offices = [await open(), await open()];
  for (const office of [...offices].reverse()) problems.push(...(await refuses(office, payArgs(locator), question)));
  if (ground.needsRestart(loss)) {
    await restart();
    // What ended last may have written to its file.
    await ground.lose(loss);
    offices = [await open(), await open()];
    for (const office of offices) problems.push(...(await refuses(office, payArgs(locator), question)));
  }
  const [settler, second] = offices as [Office, Office];
  await Promise.all(fate.working);
  const restored = await settler.parts.journal.restored('os:drill');
  if (restored?.end !== 'released') problems.push(`restored came to ${JSON.stringify(restored)}`);
  for (const office of [second, settler]) {
    const again = await office.call('pay_booking', payArgs(locator));
    if (codeOf(again) !== 'E_ALREADY_DONE') problems.push(`paying again came to ${codeOf(again)}`);
    const repeated = await office.yes('pay_booking', payArgs(locator), question);
    if (!['done', 'already_done', 'E_APPROVAL_INVALID', 'E_APPROVAL_EXPIRED'].includes(codeOf(repeated)))
      problems.push(`the same yes again came to ${codeOf(repeated)}: ${repeated.text}`);
  }
  const own = (await settler.operations()).filter((operation) => operation.locator === locator);
  if (!own.some(({ state }) => state === 'succeeded'))
    problems.push(`the journal says ${own.map(({ state }) => state)}`);
  // Nothing stops the next one.
  const next = (await stock.held()).locator;
  const then = await paying(second, next);
  if (codeOf(then) !== 'done') problems.push(`the next payment came to ${codeOf(then)}: ${then.text}`);
  if ((await settler.parts.state.operations.verify()) !== undefined) problems.push('the chain is broken');
  for (const office of offices) problems.push(...office.failures.map((error) => `failed inside: ${String(error)}`));
  await restart();
  await ground.clear();
  for (const booking of [first, locator, next]) {
    const paid = times('paid', booking);
    if (paid !== 1) problems.push(`${booking} paid ${paid} times`);
  }
  return problems;
}

/** Neither asks again nor takes the old yes; says that nothing was sent. */
async function refuses(office: Office, args: object, question: Awaited<ReturnType<Office['question']>>) {
  const problems: string[] = [];
  const again = await office.call('pay_booking', args);
  const repeated = await office.yes('pay_booking', args, question);
  for (const answer of [again, repeated]) {
    const { effect } = ((answer.kind === 'result' && answer.structured.error) || {}) as { effect?: string };
    // Reports what the airline shows or the journal still has.
    const isAsked = answer.kind === 'ask';
    const isKnown = ['E_ALREADY_DONE', 'E_BOOKING_BUSY', 'pending', 'done', 'already_done'].includes(codeOf(answer));
    if (isAsked) problems.push('asked for a second payment');
    else if (!isKnown && effect !== 'none') problems.push(`${codeOf(answer)} with effect ${effect}, where all is held`);
  }
  return problems;
}

if (import.meta.main) await command('restore', { runs: 50, seed: 1 }, (options) => proveRestores(options));
