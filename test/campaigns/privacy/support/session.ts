/**
 * A sandbox airline with canaries for credentials, the relay before it, and a clerk with a state folder of its own.
 */
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '../../../../src/sandbox/start.ts';
import { folderFor, type Program } from '../../../cli/program.ts';
import { PLANTED } from './canaries.ts';
import { Clerk, type Person } from './clerk.ts';
import { lookIntoFiles, lookIntoTables, runCommands, somethingOpen } from './places.ts';
import { type Relay, startRelay } from './relay.ts';
import type { Seen } from './seen.ts';

export interface Session {
  readonly airline: Sandbox;
  readonly relay: Relay;
  readonly clerk: Clerk;
  readonly env: Readonly<Record<string, string>>;
  readonly stateDir: string;
}

export interface SessionOptions {
  readonly program: Program;
  readonly seen: Seen;
  readonly person?: Person;
  readonly env?: Readonly<Record<string, string>>;
  /** Also runs the commands that look at the state afterwards. */
  readonly commands?: boolean;
}

const QUICK = { FARECLERK_ANSWER_SECONDS: '0.3', FARECLERK_SETTLE_SECONDS: '2' };

/** The clerk empties the write-ahead log a second after the last write; operations in doubt may go on for a while. */
async function logEmptied(file: string): Promise<void> {
  for (let tried = 0; tried < 100; tried++) {
    if (!existsSync(file) || statSync(file).size === 0) return;
    await setTimeout(50);
  }
}

/** Runs the work in a session, then looks everywhere, before and after the clerk has gone. */
export async function inSession(options: SessionOptions, work: (session: Session) => Promise<void>): Promise<void> {
  const { program, seen } = options;
  const stateDir = folderFor('canaries');
  const recordFile = join(stateDir, 'record.ndjson');
  const airline = await startSandbox({
    credentials: {
      apiKey: PLANTED['api key'],
      clientSecret: PLANTED['client secret'],
      password: PLANTED.password,
    },
  });
  const relay = await startRelay(airline.url, seen.canaries);
  const pointed = Object.entries(airline.settings).map(([name, value]) => [
    name,
    value.replace(airline.url, relay.origin),
  ]);
  const env = {
    ...Object.fromEntries(pointed),
    ...QUICK,
    FARECLERK_STATE_DIR: stateDir,
    FARECLERK_DIALOG_FLOOR_MS: '0',
    XDG_STATE_HOME: stateDir,
    FARECLERK_RECORD_FILE: recordFile,
    FARECLERK_ASSUMED_OPERATIONS: 'true',
    FARECLERK_PLANS: 'true',
    ...options.env,
  };
  const person = options.person ?? 'yes';
  const clerk = await Clerk.start({ program, env, seen, person });
  try {
    await work({ airline, relay, clerk, env, stateDir });
    const state = join(stateDir, 'fareclerk.sqlite');
    await logEmptied(`${state}-wal`);
    look('state file, running');
    await clerk.close();
    if (options.commands) await runCommands(seen, program, env);
    look('state file');

    function look(channel: 'state file' | 'state file, running'): void {
      const open = existsSync(state) && somethingOpen(state);
      if (existsSync(state)) lookIntoTables(seen, state);
      lookIntoFiles(seen, stateDir, open ? 'state file, something open' : channel);
    }
  } finally {
    await clerk.close();
    await relay.close();
    await airline.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}
