/**
 * One approval presented again and again, many at once, by four processes on one state folder: the act is sent once, and
 * every answer is of the same operation.
 *
 *   node test/campaigns/chaos/one-approval.ts [--runs 10000]
 */
import { PAY } from '../support/acts.ts';
import { openAirline, type Settings } from '../support/airline.ts';
import { newFolder } from '../support/folders.ts';
import { paymentOf, questionOf, startInstances } from '../support/instances.ts';
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
  const presented = await questionOf(instances[0] as (typeof instances)[number], payment);
  const calls = Array.from({ length: Math.ceil(runs / PROCESSES) }, () => presented);
  const all = (await Promise.all(instances.map((one) => one.calls(calls, WIDTH / PROCESSES)))).flat();
  const sends = relay.times(PAY);
  const paid = times('paid', payment.locator);
  const operations = new Set(all.map(({ structured, meta }) => structured.operation_id ?? meta?.operation_id));
  for (const instance of instances) await instance.close();
  await relay.close();
  await close();
  const problems = [
    ...(sends === 1 ? [] : [`${sends} payments sent`]),
    ...(paid === 1 ? [] : [`paid ${paid} times`]),
    ...(operations.size === 1 && !operations.has(undefined) ? [] : [`${operations.size} operations`]),
    ...new Set(all.filter(({ code }) => !FINE.includes(code)).map(({ code, text }) => `${code}: ${text}`)),
  ];
  const told = counted(all.map(({ code }) => code));
  const seen = `${all.length} presentations, ${WIDTH} at once, ${PROCESSES} processes: ${sends} sent, ${paid} paid, ${operations.size} operation; ${told}`;
  return { seen, problems };
}

if (import.meta.main) await command('one approval', 10_000, proveOneApproval);
