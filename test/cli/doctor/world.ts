/**
 * Where the doctor is tried: a sandbox airline, a state folder, and what lies between. It runs as the command does.
 */
import { diagnose } from '../../../src/cli/commands/doctor.ts';
import { startSandbox } from '../../support/sandbox/start.ts';
import { type Person, screen, temporary } from '../screen.ts';
import { type FrontOptions, type Rule, startFront } from './front.ts';

export type Env = Record<string, string>;

/** Settings, and what tests set beside them: a clock, certificates. */
export interface SetUp {
  readonly env: Env;
  readonly now?: () => number;
  readonly ca?: string;
}

/** Also of a report's JSON. */
export interface Check {
  readonly id: string;
  readonly title: string;
  readonly level: string;
  readonly finding: string;
  readonly said: string;
  readonly advice?: string;
}

/** What a case may use; all of it ends with the case. `env`: the settings of a sound set-up. */
export type World = Awaited<ReturnType<typeof newWorld>>['world'];

async function newWorld() {
  const ends: (() => unknown)[] = [];
  const stateDir = temporary('doctor');
  const sandboxWith = async (options: Parameters<typeof startSandbox>[0]) => {
    const sandbox = await startSandbox(options);
    ends.push(() => sandbox.close());
    return sandbox;
  };
  const sandbox = await sandboxWith({});
  const env: Env = { ...sandbox.settings, FARECLERK_STATE_DIR: stateDir, XDG_STATE_HOME: stateDir, BROWSER: 'firefox' };
  const front = async (rule: Rule, options?: FrontOptions) => {
    const started = await startFront(rule, { to: sandbox.url, ...options });
    ends.push(() => started.close());
    return started;
  };
  const later = (end: () => unknown) => ends.push(end);
  return { world: { env, sandbox, stateDir, front, sandboxWith, later }, ends };
}

export async function withWorld<T>(use: (world: World) => Promise<T>): Promise<T> {
  const { world, ends } = await newWorld();
  try {
    return await use(world);
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

/** Short: nobody waits for an airline that does not answer. */
const PATIENCE_MS = 3_000;

export async function doctorOn({ env, ...more }: SetUp, argv: readonly string[] = [], person: Person = {}) {
  const { terminal, stderr } = screen({ PATH: '/usr/local/bin', ...env }, person);
  const { ok, report, text } = await diagnose(argv, terminal, { deadlineMs: PATIENCE_MS, ...more });
  const checks: readonly Check[] = report.checks;
  const check = (id: string) => checks.find((one) => one.id === id);
  return { code: ok ? 0 : 1, text, stderr: stderr(), report, checks, check };
}

export const OTA = '/v2015b/OTA';
export const json = (status: number, body: unknown) => ({ status, body });

/** All addresses but the login's and the gateway's go to `origin`. */
export const at = (env: Env, origin: string): Env => ({ ...env, FARECLERK_BASE_URL: origin + OTA });
/** The sandbox airline's realm there. */
export const realmAt = (origin: string): string => `${origin}/realms/sandbox`;
