/** A sandbox airline with canaries for credentials, the relay before it, and a clerk with a state folder of its own. */
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from '../../../cli/program.ts';
import { startSandbox } from '../../../support/sandbox/start.ts';
import { newFolder } from '../../support/folders.ts';
import { seenWithin } from '../../support/pace.ts';
import { PLANTED } from './canaries.ts';
import { Clerk, type Person } from './clerk.ts';
import { lookIntoFiles, lookIntoTables, runCommands, somethingOpen } from './places.ts';
import { startEchoing } from './relay.ts';
import type { Seen } from './seen.ts';

export type Session = Awaited<ReturnType<typeof openSession>>;

export interface SessionOptions {
  readonly program: Program;
  readonly seen: Seen;
  readonly person?: Person;
  /** Only the airline dialect takes special services with a new booking. */
  readonly dialect?: 'rail' | 'airline';
  readonly env?: Readonly<Record<string, string>>;
  /** Also runs the commands that look at the state afterwards. */
  readonly commands?: boolean;
}

const LOUD = { FARECLERK_LOG_LEVEL: 'trace', NODE_NO_WARNINGS: '1' };

async function openSession({ program, seen, person = 'yes', dialect = 'rail', env: more }: SessionOptions) {
  const stateDir = newFolder('canaries');
  const { 'api key': apiKey, 'client secret': clientSecret, password } = PLANTED;
  const airline = await startSandbox({ dialect, credentials: { apiKey, clientSecret, password } });
  const relay = await startEchoing(airline.settings, seen.canaries);
  const env = {
    ...relay.settings,
    ...{ FARECLERK_STATE_DIR: stateDir, XDG_STATE_HOME: stateDir },
    FARECLERK_RECORD_FILE: join(stateDir, 'record.ndjson'),
    ...{ FARECLERK_ASSUMED_OPERATIONS: 'true' },
    ...more,
  };
  const clerk = new Clerk(program.start(['serve', '--rehearsal', '2'], { ...LOUD, ...env }), seen, person);
  await clerk.initialize(person === 'cannot be asked' ? {} : { elicitation: {} });
  return { airline, relay, clerk, env, stateDir };
}

/** Runs the work in a session, then looks everywhere, before and after the clerk has gone. */
export async function inSession(options: SessionOptions, work: (session: Session) => Promise<void>): Promise<void> {
  const { program, seen, commands } = options;
  const session = await openSession(options);
  const { airline, relay, clerk, env, stateDir } = session;
  const state = join(stateDir, 'fareclerk.sqlite');
  const look = (channel: 'state file' | 'state file, running') => {
    const open = existsSync(state) && somethingOpen(state);
    if (existsSync(state)) lookIntoTables(seen, state);
    lookIntoFiles(seen, stateDir, open ? 'state file, something open' : channel);
  };
  try {
    await work(session);
    // The clerk empties the log a second after the last write; operations in doubt may go on for a while.
    const logSize = () => statSync(`${state}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    await seenWithin(5_000, 50, logSize, (size) => size === 0);
    look('state file, running');
    await clerk.close();
    if (commands) await runCommands(seen, program, env);
    look('state file');
  } finally {
    await clerk.close();
    await relay.close();
    await airline.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}
