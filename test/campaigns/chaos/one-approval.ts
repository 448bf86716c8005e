/**
 * One approval presented again and again, many at once, by four processes on one state folder: the act is sent once, and
 * every answer is of the same operation.
 *
 *   node test/campaigns/chaos/one-approval.ts [--runs 10000] [--seed 1]
 */
import { rmSync } from 'node:fs';
import { ACTS, payArgs } from '../support/acts.ts';
import { openAirline } from '../support/airline.ts';
import { newFolder } from '../support/folders.ts';
import { questionsOf, startInstances } from '../support/instances.ts';
import { startRelay } from '../support/relay.ts';
import { command, type ProofOptions, type Proved } from '../support/report.ts';

/** Two for a few, to spare the machine. */
const processesFor = (runs: number) => (runs < 1_000 ? 2 : 4);
/** At once, over all processes. */
const WIDTH = 200;
const PAY = ACTS.find((act) => act.name === 'pay_booking');

/** The answers that a repeat may get: the status of the one operation. */
const FINE = ['done', 'already_done', 'pending'];

/** `env`: settings besides those of the airline: another store than a folder of its own. */
export async function proveOneApproval(
  { runs }: ProofOptions,
  env: Readonly<Record<string, string>> = {},
): Promise<Proved> {
  const processes = processesFor(runs);
  if (PAY === undefined) throw new Error('nothing to approve');
  const { settings, stock, times: did, close } = await openAirline();
  const relay = await startRelay(settings);
  const folder = newFolder('once');
  const instances = await startInstances(processes, {
    ...relay.settings,
    FARECLERK_STATE_DIR: folder,
    FARECLERK_DIALOG_FLOOR_MS: '0',
    XDG_STATE_HOME: folder,
    ...env,
  });
  try {
    const { locator } = await stock.held();
    const args = payArgs(locator);
    const [first] = instances;
    if (first === undefined) throw new Error('no instance');
    const presented = await questionsOf(first, [{ tool: PAY.tool, args }]);
    const calls = Array.from({ length: Math.ceil(runs / processes) }, () => presented).flat();
    const all = (await Promise.all(instances.map((one) => one.calls(calls, WIDTH / processes)))).flat();
    const sends = relay.arrived.filter((name) => name === PAY.message).length;
    const paid = did(PAY.event, locator);
    const operations = new Set(all.map(({ structured }) => structured.operation_id));
    const codes = [...Map.groupBy(all, (one) => one.code)];
    const problems = [
      ...(sends === 1 ? [] : [`${sends} payments sent`]),
      ...(paid === 1 ? [] : [`paid ${paid} times`]),
      ...(operations.size === 1 && !operations.has(undefined) ? [] : [`${operations.size} operations`]),
      ...codes.filter(([code]) => !FINE.includes(code)).map(([code, of]) => `${of.length} × ${code}: ${of[0]?.text}`),
    ];
    const told = codes.map(([code, of]) => `${code} ${of.length}`).join(', ');
    const seen = `${all.length} presentations, ${WIDTH} at once, ${processes} processes: ${sends} sent, ${paid} paid, ${operations.size} operation; ${told}`;
    return { seen, problems };
  } finally {
    for (const instance of instances) await instance.close();
    await relay.close();
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await command('one approval', { runs: 10_000, seed: 1 }, proveOneApproval);
