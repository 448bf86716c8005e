/**
 * One approval presented again and again, many at once, by four processes on one state folder: the act is sent once, and
 * every answer is of the same operation.
 *
 *   node test/campaigns/chaos/one-approval.ts [--runs 10000] [--seed 1]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACTS, payArgs } from '../support/acts.ts';
import { openAirline } from '../support/airline.ts';
import { startRelay } from '../support/relay.ts';
import { command, type ProofOptions, type Proved } from '../support/report.ts';
import { startClerks } from './support/clerks.ts';

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
  const folder = mkdtempSync(join(tmpdir(), 'fareclerk-once-'));
  const clerks = await startClerks(processes, {
    ...relay.settings,
    FARECLERK_STATE_DIR: folder,
    FARECLERK_DIALOG_FLOOR_MS: '0',
    XDG_STATE_HOME: folder,
    ...env,
  });
  try {
    const { locator } = await stock.held();
    const args = payArgs(locator);
    const [first] = clerks;
    if (first === undefined) throw new Error('no clerk');
    const question = await first.ask(PAY.tool, args);
    const times = Math.ceil(runs / processes);
    const present = { tool: PAY.tool, args, ...question, times, width: WIDTH / processes };
    const all = (await Promise.all(clerks.map((clerk) => clerk.hear({ present })))).flat();
    const sends = relay.arrived.filter((name) => name === PAY.message).length;
    const paid = did(PAY.event, locator);
    const operations = new Set(all.map((one) => one.operationId));
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
    for (const clerk of clerks) await clerk.close();
    await relay.close();
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await command('one approval', { runs: 10_000, seed: 1 }, proveOneApproval);
