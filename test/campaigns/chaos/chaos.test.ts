/**
 * Short runs of the proofs in this folder; each is also a command for the full proof (docs/reference/proofs.md).
 * `CHAOS_RUNS=N` runs N cases of each instead.
 */
import { expect, test } from 'vitest';
import type { Proved } from '../support/report.ts';
import { proveInjection } from './injection.ts';
import { proveKills } from './kill.ts';
import { proveLimits } from './limits.ts';
import { proveOneApproval } from './one-approval.ts';
import { proveRestores } from './restore.ts';
import { proveStale } from './stale.ts';
import type { Victim } from './support/kill-lane.ts';
import type { Kill } from './support/kill-steps.ts';
import { proveWireFaults } from './wire-faults.ts';

const GIVEN = process.env.CHAOS_RUNS;
const LONG = GIVEN === undefined ? 60_000 : 3_600_000;
const options = (runs: number) => ({ runs: GIVEN === undefined ? runs : Number(GIVEN), seed: 1 });

function expectProved({ seen, problems }: Proved): void {
  expect(problems, seen).toEqual([]);
}

const GRAVEST = ['pay_booking', 'create_booking'];

/** The steps between which money moves. */
function isGrave(_: Victim, kill: Kill): boolean {
  if (kill.kind === 'inside')
    return /^(?:dispatched: (?:connected|after insert reply)|intent: after)/.test(kill.step.name);
  return kill.kind === 'asked' || (kill.kind === 'wire' && kill.message !== 'OTA_ReadRQ' && kill.moment !== 'answered');
}

test('does nothing twice and loses nothing if the process is killed while money moves', { timeout: LONG }, async () => {
  const proved = GIVEN === undefined ? proveKills(options(10), isGrave, GRAVEST) : proveKills(options(0));
  expectProved(await proved);
});

/** Some ways to lose a journal, with the payment still under way; `.ci/run` plays them all. */
test('pays nothing twice if the journal is lost or goes backwards', { timeout: Math.max(LONG, 120_000) }, async () => {
  expectProved(
    await proveRestores(options(2), GIVEN === undefined ? ({ answer }) => answer === 'under way' : undefined),
  );
});

test('reports the airline’s true outcome under faults on the wire, and sends once', { timeout: LONG }, async () => {
  expectProved(await proveWireFaults(options(30)));
});

test('sends once if one approval is presented many times', { timeout: LONG }, async () => {
  expectProved(await proveOneApproval(options(200)));
});

test('refuses an approval and sends nothing if the booking changed after the question', { timeout: LONG }, async () => {
  expectProved(await proveStale(options(200)));
});

test('treats injected texts of the airline as data', { timeout: LONG }, async () => {
  expectProved(await proveInjection(options(200), GIVEN === undefined ? ['rail'] : undefined));
});

test('keeps the limits when many payments run at once', { timeout: LONG }, async () => {
  expectProved(await proveLimits(options(30)));
});
