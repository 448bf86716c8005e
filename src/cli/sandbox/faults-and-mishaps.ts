/** Disturbs a sandbox airline, never a real one: makes its next calls fail, and changes bookings unasked. */
import { existsSync } from 'node:fs';
import { readConfig, UsageError } from '../../config/load.ts';
import { alternatives } from '../../config/values.ts';
import { own } from '../../core/own.ts';
import { FAULTS, type FaultName, MODIFICATION, orderFault, TOOL_MESSAGES } from '../../sandbox/faults.ts';
import { disturbFile, MISHAPS, type Mishap, type MishapKind, MOST_MINUTES } from '../../sandbox/mishaps.ts';
import { inStateFile } from '../../sandbox/state.ts';
import { ACTS } from '../../tools/index.ts';
import { wholeNumber } from '../terminal/arguments.ts';
import type { ExitCode, Terminal } from '../terminal/command.ts';
import { print } from '../terminal/window.ts';

const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];
const MISHAP_KINDS = Object.keys(MISHAPS) as readonly MishapKind[];

/** The message that a tool sends, by the tool's name. */
const MESSAGES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ACTS.all.map(({ name }) => [name, MODIFICATION])),
  ...TOOL_MESSAGES,
};

const LOCATOR = /^[A-Z0-9]{6}$/i;
/** The most calls that one order makes fail. */
const MOST_TIMES = 1000;

export interface DisturbOptions {
  readonly json?: true | undefined;
  readonly for?: string | undefined;
  readonly times?: string | undefined;
  readonly segment?: string | undefined;
  readonly minutes?: string | undefined;
  /** State file of the sandbox; default: that of the embedded one. */
  readonly state?: string | undefined;
}

/** Finds the sandbox that a command means: its state file, and where it is in words. @throws UsageError if it never ran, or if the settings name an airline */
function findSandbox(command: string, { state }: DisturbOptions, env: Terminal['env']) {
  if (state !== undefined) {
    if (!existsSync(state)) throw new UsageError(`--state: there is no file ${state}.`);
    return { file: state, where: `the sandbox of ${state}` };
  }

  const { airline, state: own } = readConfig(env, {});
  if (airline !== undefined) {
    throw new UsageError(
      `${command}: FARECLERK_BASE_URL names another airline than the embedded sandbox. Remove it, or give the --state of a sandbox.`,
    );
  }
  if (existsSync(own.sandboxFile)) return { file: own.sandboxFile, where: 'the embedded sandbox' };

  throw new UsageError(
    `${command}: the embedded sandbox has not run yet (${own.sandboxFile}). Start a server or call a tool first.`,
  );
}

/** Makes the next calls of a tool fail. */
export function triggerFault(word: string | undefined, flags: DisturbOptions, terminal: Terminal): ExitCode {
  const name = FAULT_NAMES.find((known) => known === word);
  if (name === undefined) throw new UsageError(`sandbox trigger: expected ${alternatives(FAULT_NAMES)}.`);

  const { says, tool: usualTool } = FAULTS[name];
  const tool = flags.for ?? usualTool;
  const message = own(MESSAGES, tool);
  if (message === undefined) throw new UsageError(`--for: expected ${alternatives(Object.keys(MESSAGES))}.`);

  const times = wholeNumber('--times', flags.times, 1, MOST_TIMES) ?? 1;
  const { file, where } = findSandbox('sandbox trigger', flags, terminal.env);
  inStateFile(file, (state) => orderFault(state, { name, message, times }));

  const calls = times === 1 ? `the next ${tool} call` : `the next ${times} ${tool} calls`;
  const text = `Ordered for ${calls} in ${where}: the airline ${says}.\n`;
  print({ terminal, json: flags.json === true }, { fault: name, for: tool, message, times, where }, text);

  return 0;
}

/**
 * Makes a mishap happen.
 * @param words the kind, and the locator of a booking
 */
export async function playMishap(
  words: readonly string[],
  flags: DisturbOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const mishap = readMishap(words, flags);
  const { file, where } = findSandbox('sandbox mishap', flags, terminal.env);
  const touched = await disturbFile(file, mishap).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`sandbox mishap: this cannot happen: ${why}.`);
  });
  const text = `Happened in ${where}: the airline ${MISHAPS[mishap.kind]}.\nBookings on it: ${touched.join(', ') || 'none'}.\n`;
  print({ terminal, json: flags.json === true }, { mishap, touched, where }, text);

  return 0;
}

/** @throws UsageError */
function readMishap([name, locator = '', ...rest]: readonly string[], flags: DisturbOptions): Mishap {
  const kind = MISHAP_KINDS.find((known) => known === name);
  if (kind === undefined) throw new UsageError(`sandbox mishap: expected ${alternatives(MISHAP_KINDS)}.`);
  if (!LOCATOR.test(locator) || rest.length > 0)
    throw new UsageError(`sandbox mishap ${kind}: expected the locator of a booking on the train.`);
  const minutes = wholeNumber('--minutes', flags.minutes, 1, MOST_MINUTES);
  return { kind, locator: locator.toUpperCase(), minutes, segment: flags.segment };
}
