/**
 * One approval presented again and again, many at once, by four processes on one state folder: the act is sent once, and
 * every answer is of the same operation. Before that every process asks the same question at once, which is one; and a question is
 * answered while another call replaces it: it is paid by its yes, or that yes does nothing.
 *
 *   node test/campaigns/chaos/one-approval.ts [--runs 10000]
 */
import { setTimeout as wait } from 'node:timers/promises';
import { PAY } from '../support/acts.ts';
import { openAirline, type Settings } from '../support/airline.ts';
import { newFolder } from '../support/folders.ts';
import type { Call } from '../support/instance-process.ts';
import { type Instance, type Payment, paymentOf, questionOf, startInstances } from '../support/instances.ts';
import { startRelay } from '../support/relay.ts';
import { command, counted, type ProofOptions, type Proved } from '../support/report.ts';

const PROCESSES = 4;
const WIDTH = 200;
/** The answers that a repeat may get: the status of the one operation. */
const FINE = ['done', 'already_done', 'pending'];

/** `env`: settings besides those of the airline: another store than a folder of its own. */
export async function proveOneApproval({ runs }: ProofOptions, env: Settings = {}): Promise<Proved> {
  const { settings, stock, times, close } = await openAirline();
  const relay = await startRelay(settings);
  const folder = newFolder('once');
  const instances = await startInstances(PROCESSES, {
    ...relay.settings,
    ...{ FARECLERK_STATE_DIR: folder, XDG_STATE_HOME: folder, TEST_DIALOG_FLOOR_MS: '0' },
    ...env,
  });
  const payment = await paymentOf(stock);
  const asked = await Promise.all(instances.map((one) => questionOf(one, payment)));
  const [presented] = asked as [(typeof asked)[number]];
  const questions = new Set(asked.map(handleOf));
  const rounds: Awaited<ReturnType<typeof replacing>>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const other = await paymentOf(stock);
    rounds.push(await replacing(instances, other, { paid: () => times('paid', other.locator), afterMs: round * 5 }));
  }
  const late = await paymentOf(stock);
  const lateCodes = await answeredLate(instances, late);
  const latePaid = times('paid', late.locator);
  const before = relay.times(PAY);
  const calls = Array.from({ length: Math.ceil(runs / PROCESSES) }, () => presented);
  const all = (await Promise.all(instances.map((one) => one.calls(calls, WIDTH / PROCESSES)))).flat();
  const sends = relay.times(PAY) - before;
  const paid = times('paid', payment.locator);
  const operations = new Set(all.map(({ structured, meta }) => structured.operation_id ?? meta?.operation_id));
  for (const instance of instances) await instance.close();
  await relay.close();
  await close();
  const problems = [
    ...(questions.size === 1 ? [] : [`${questions.size} questions were asked by one call in ${PROCESSES} processes`]),
    ...rounds.flatMap(({ problems: some }) => some),
    ...(latePaid === 0 && lateCodes.join() === 'E_APPROVAL_EXPIRED'
      ? []
      : [
          `${late.locator}: paid ${latePaid} times by the yes to a replaced question, which came to ${lateCodes.join()}`,
        ]),
    ...(sends === 1 ? [] : [`${sends} payments sent`]),
    ...(paid === 1 ? [] : [`paid ${paid} times`]),
    ...(operations.size === 1 && !operations.has(undefined) ? [] : [`${operations.size} operations`]),
    ...new Set(all.filter(({ code }) => !FINE.includes(code)).map(({ code, text }) => `${code}: ${text}`)),
  ];
  const told = counted(all.map(({ code }) => code));
  const seen = `${all.length} presentations, ${WIDTH} at once, ${PROCESSES} processes: ${sends} sent, ${paid} paid, ${operations.size} operation; ${told}; ${rounds.length} questions answered while they were replaced, ${rounds.filter(({ isPaid }) => isPaid).length} of them paid`;
  return { seen, problems };
}

const ROUNDS = 8;
const handleOf = ({ yes }: Call): string | undefined => (typeof yes === 'object' ? yes.handle : undefined);

/** Arguments that ask about the same payment otherwise, and so replace the question. */
const otherArgs = ({ args }: Pick<Call, 'args'>) => ({
  ...args,
  payment: { type: 'invoice', holder_name: 'A OTHER' },
});

/** A yes to a question, by all processes, while another call replaces it: it is paid by that yes, or nobody's yes to it does anything. */
async function replacing(
  instances: readonly Instance[],
  { locator, ...payment }: Payment,
  { paid, afterMs }: { paid(): number; afterMs: number },
) {
  const [first, other] = instances as [Instance, Instance];
  const before = await questionOf(first, payment);
  const args = otherArgs(payment);
  const [replaced, ...answers] = await Promise.all([
    other.call({ ...payment, args }),
    ...instances.map((one) => wait(afterMs).then(() => one.call(before))),
  ]);
  const late = (await Promise.all(instances.map((one) => one.calls([before, before])))).flat();
  const codes = [...answers, ...late].map(({ code }) => code);
  const isPaid = codes.some((code) => FINE.includes(code));
  const fits = codes.every((code) => (isPaid ? FINE.includes(code) : code === 'E_APPROVAL_EXPIRED'));
  const again = replaced.question?.handle === handleOf(before);
  return {
    isPaid,
    problems: [
      ...(fits && paid() === (isPaid ? 1 : 0)
        ? []
        : [`${locator}: paid ${paid()} times after ${[...new Set(codes)].join()}`]),
      ...(again ? [`${locator}: another question has the same handle`] : []),
    ],
  };
}

/** A yes to a question, by all processes, after another call has replaced it. Returns the codes that came of it. */
async function answeredLate(instances: readonly Instance[], { locator: _, ...payment }: Payment) {
  const [first, other] = instances as [Instance, Instance];
  const before = await questionOf(first, payment);
  await questionOf(other, { ...payment, args: otherArgs(payment) });
  const came = await Promise.all(instances.map((one) => one.call(before)));
  return [...new Set(came.map(({ code }) => code))];
}

if (import.meta.main) await command('one approval', 10_000, proveOneApproval);
