/**
 * Where broken set-ups are tried: a sandbox airline, a state folder, and what stands between.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Level } from '../../../src/cli/doctor/check.ts';
import type { Finding } from '../../../src/cli/doctor/findings.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/start.ts';
import { AUTHORITY } from './certificates.ts';
import { type Front, type FrontOptions, type Rule, startFront } from './front.ts';

export type Env = Record<string, string>;

/** What a case may use; all of it ends with the case. */
export interface World {
  /** The settings of a sound set-up. */
  readonly env: Env;
  readonly sandbox: Sandbox;
  readonly stateDir: string;
  front(rule: Rule, options?: FrontOptions): Promise<Front>;
  sandboxWith(options: SandboxOptions): Promise<Sandbox>;
  later(end: () => unknown): void;
}

export interface SetUp {
  readonly env: Env;
  readonly now?: () => number;
  readonly ca?: string;
}

export interface Case {
  /** A word for the test and the heading of the guide. */
  readonly name: string;
  readonly check: string;
  readonly finding: Finding;
  readonly level: Level;
  /** Words that the advice must hold: the variable to change, above all. */
  readonly advice: RegExp;
  /** Options of the command. */
  readonly argv?: readonly string[];
  setUp(world: World): Promise<SetUp> | SetUp;
}

export async function withWorld<T>(use: (world: World) => Promise<T>): Promise<T> {
  const ends: (() => unknown)[] = [];
  const sandbox = await startSandbox();
  const stateDir = mkdtempSync(join(tmpdir(), 'fareclerk-doctor-'));
  const world: World = {
    env: { ...sandbox.settings, FARECLERK_STATE_DIR: stateDir, XDG_STATE_HOME: stateDir, BROWSER: 'firefox' },
    sandbox,
    stateDir,
    async front(rule, options) {
      const front = await startFront(rule, { to: sandbox.url, ...options });
      ends.push(() => front.close());
      return front;
    },
    async sandboxWith(options) {
      const other = await startSandbox(options);
      ends.push(() => other.close());
      return other;
    },
    later: (end) => ends.push(end),
  };
  try {
    return await use(world);
  } finally {
    for (const end of ends) await end();
    await sandbox.close();
  }
}

export const OTA = '/v2015b/OTA';
export const json = (status: number, body: unknown) => ({ status, body });

/** All addresses but the login's and the gateway's go to `origin`. */
export const at = (env: Env, origin: string): Env => ({ ...env, FARECLERK_BASE_URL: origin + OTA });

export async function tlsFront(world: World, certificate: string, ca = AUTHORITY): Promise<SetUp> {
  const front = await world.front(() => undefined, { certificate, name: 'localhost' });
  return { env: at(world.env, front.origin), ca };
}

/** An identity provider that refuses every login in these words. */
export async function refusingLogin(world: World, status: number, error: string, description: string): Promise<SetUp> {
  const front = await world.front(() => json(status, { error, error_description: description }));
  return { env: { ...world.env, FARECLERK_AUTH_URL: front.origin } };
}

export const isMessage: Rule = ({ url }) => (url.pathname.startsWith(OTA) ? undefined : json(404, {}));
