/** Opens the desk of the story: a server over HTTP that watches bookings, and an assistant's server on stdio, with one state. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type DemoHost, demoEnvironment, newStateDir, openHost, rehearsalFlags, removeState } from '../host.ts';
import { must } from '../scenes.ts';
import type { Receiver } from './receiver.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface DemoDesk {
  readonly host: DemoHost;
  /** Pages that the host was asked to open. */
  readonly pages: readonly string[];
  /** Starts the server over HTTP. */
  watch(): Promise<void>;
  /** Runs a command of fareclerk; returns what it printed. @throws StoryFailure unless it exits with 0 */
  command(...args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

export interface DeskOptions {
  readonly program: readonly [string, ...string[]];
  readonly env: Env;
  /** Settings that point at the airline. */
  readonly airline: Readonly<Record<string, string>>;
  readonly receiver: Receiver;
}

/** Time for the server to start, milliseconds, also if other programs take most of the machine. */
const START_MS = 40_000;

/**
 * Bookings are read again after some seconds, and a program answers the dialogs of the sale before the story. The seconds are
 * enough for a slow machine: a payment that is only pending would end the story.
 */
const REHEARSAL = { rehearsal: 24 };

export async function openDesk({ program, env, airline, receiver }: DeskOptions): Promise<DemoDesk> {
  const stateDir = await newStateDir();
  const pages: string[] = [];
  const settings = { ...airline, FARECLERK_TOOLSET: 'plans' };
  const host = await openHost({
    program,
    env,
    settings,
    stateDir,
    ...REHEARSAL,
    opens: (url) => void pages.push(url),
    answer: async ({ choices }) => choices.find((choice) => choice !== 'no'),
  });
  const deskEnv = demoEnvironment({ env, settings }, stateDir);
  const watcherEnv = {
    ...deskEnv,
    // Nobody calls it.
    FARECLERK_HTTP_TOKEN: randomBytes(32).toString('hex'),
    FARECLERK_WATCH_READS_PER_HOUR: '100000',
    FARECLERK_WEBHOOKS: receiver.url,
    FARECLERK_WEBHOOK_SECRET: receiver.secret,
    FARECLERK_PRIVATE_HOSTS: '127.0.0.1',
  };
  let server: ChildProcess | undefined;
  return {
    host,
    pages,
    async watch() {
      server = await startServer(program, watcherEnv);
    },
    command: (...args) => runCommand(program, args, deskEnv),
    async close() {
      await host.close();
      server?.kill('SIGTERM');
      if (server?.exitCode === null) await once(server, 'exit');
      await removeState(stateDir);
    },
  };
}

/** Starts the server over HTTP. Resolves when it listens. */
async function startServer([command, ...args]: DeskOptions['program'], env: Env) {
  const server = spawn(command, [...args, 'serve', '--http', '--port', '0', ...rehearsalFlags(REHEARSAL)], {
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  const listens = new Promise<boolean>((resolve) => {
    server.stderr.on('data', (chunk) => {
      output += chunk;
      if (/serves MCP on \S+\s/.test(output)) resolve(true);
    });
    server.once('exit', () => resolve(false));
    setTimeout(() => resolve(false), START_MS).unref();
  });
  must(await listens, `the server over HTTP does not start: ${output}`);
  return server;
}

/** Runs a command of fareclerk; returns what it printed. @throws StoryFailure unless it exits with 0 */
async function runCommand(
  [command, ...programArgs]: DeskOptions['program'],
  args: readonly string[],
  env: Env,
): Promise<string> {
  const { error, stdout, stderr } = await new Promise<CommandOutput>((resolve) => {
    execFile(command, [...programArgs, ...args], { env: env as NodeJS.ProcessEnv }, (error, stdout, stderr) =>
      resolve({ error, stdout, stderr }),
    );
  });
  must(error === null, `fareclerk ${args.join(' ')} failed: ${stderr || stdout}`);
  return stdout;
}

interface CommandOutput {
  readonly error: Error | null;
  readonly stdout: string;
  readonly stderr: string;
}
