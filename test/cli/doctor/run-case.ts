/**
 * Runs the doctor on a set-up, as the command does, and keeps what it says.
 */
import { existsSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { Terminal } from '../../../src/cli/commands/command.ts';
import { runDoctor } from '../../../src/cli/commands/doctor.ts';
import type { Result } from '../../../src/cli/doctor/check.ts';
import type { Report } from '../../../src/cli/doctor/report.ts';
import { NOBODYS } from '../screen.ts';
import type { Case, SetUp, World } from './world.ts';

export interface Spoken {
  readonly code: number;
  readonly text: string;
  readonly stderr: string;
  readonly report: Report;
  readonly checks: readonly Result[];
}

/** Short: nobody waits for an airline that does not answer. */
const PATIENCE_MS = 1_500;

export async function doctorOn(
  { env, ...more }: SetUp,
  argv: readonly string[] = [],
  { isTTY = false }: { isTTY?: boolean } = {},
): Promise<Spoken> {
  const written = { stdout: '', stderr: '' };
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  streams.stdout.on('data', (chunk) => {
    written.stdout += chunk;
  });
  streams.stderr.on('data', (chunk) => {
    written.stderr += chunk;
  });
  Object.assign(streams.stderr, { isTTY });
  const terminal = {
    env: { ...NOBODYS, PATH: '/usr/local/bin', ...env },
    execPath: process.execPath,
    argv: [process.execPath, '/usr/local/bin/fareclerk'],
    ...streams,
  } as unknown as Terminal;
  const code = await runDoctor(argv, terminal, { deadlineMs: PATIENCE_MS, ...more });
  const file = /: (\S+doctor-report\.json)$/m.exec(written.stdout)?.[1];
  const report = (
    file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { checks: [] }
  ) as Report;
  return { code, text: written.stdout, stderr: written.stderr, report, checks: report.checks };
}

export async function runCase({ setUp, argv = [] }: Case, world: World): Promise<Spoken> {
  return doctorOn(await setUp(world), [...argv, '--report', `${world.stateDir}/doctor-report.json`]);
}
