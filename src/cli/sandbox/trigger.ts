/** `fareclerk sandbox faults` and `trigger`: failures of the sandbox airline on demand. Never for a real airline. */

import { existsSync } from 'node:fs';
import { UsageError } from '../../config/load.ts';
import { alternatives } from '../../config/values.ts';
import { nearest } from '../../core/nearest-word.ts';
import { own } from '../../core/own.ts';
import { CONTROL_PATH } from '../../sandbox/failures/control.ts';
import type { OrderedFault, SandboxFault } from '../../sandbox/failures/faults.ts';
import {
  type FaultName,
  MODIFICATION,
  NAMED_FAULTS,
  type NamedFault,
  OTA_MESSAGES,
  OTHER_CALLS,
  USUAL_TOOL,
} from '../../sandbox/failures/named.ts';
import { ACTS } from '../../tools/index.ts';
import type { ExitCode, Terminal } from '../commands/command.ts';
import { wholeNumber } from '../terminal/arguments.ts';
import { table } from '../terminal/table.ts';
import { print, windowWidth, wrap } from '../terminal/window.ts';
import { askControl, EMBEDDED, findSandbox, needFile } from './place.ts';

const FAULTS: Readonly<Record<string, NamedFault>> = NAMED_FAULTS;
const FAULT_NAMES = Object.keys(NAMED_FAULTS) as readonly FaultName[];

/** The acts that send nothing else. */
const modifying = ACTS.all.map(({ name }) => name).filter((name) => !(name in OTA_MESSAGES));

/** The message that a tool sends. */
const MESSAGES: Readonly<Record<string, string>> = {
  ...OTA_MESSAGES,
  ...Object.fromEntries(modifying.map((name) => [name, MODIFICATION])),
  ...OTHER_CALLS,
};

const faultTool = ({ tool = USUAL_TOOL }: NamedFault): string => tool;

export function showFaults(terminal: Terminal, json: boolean): ExitCode {
  const record = Object.entries(FAULTS).map(([name, fault]) => ({ name, says: fault.says, for: faultTool(fault) }));
  const rows = [['fault', 'the airline …', 'for'], ...record.map((row) => [row.name, row.says, row.for])];
  const use = `\`fareclerk sandbox trigger FAULT [--for TOOL]\` makes the next such call fail. TOOL: ${alternatives(Object.keys(MESSAGES))}.`;
  const words = [table(rows, windowWidth(terminal.stdout)), ...wrap(use, 80), ''].join('\n');
  print({ terminal, json }, record, words);
  return 0;
}

interface TriggerOptions {
  readonly list?: true | undefined;
  readonly json?: true | undefined;
  readonly url?: string | undefined;
  readonly for?: string | undefined;
  readonly times?: string | undefined;
}

/** A sandbox that runs: in servers of this user, or behind an address. */
interface Target {
  readonly where: string;
  order(fault: SandboxFault): Promise<void>;
  ordered(): Promise<readonly OrderedFault[]>;
}

export async function trigger(name: string | undefined, flags: TriggerOptions, terminal: Terminal): Promise<ExitCode> {
  const json = flags.json === true;
  if (flags.list === true) {
    if (name !== undefined) throw new UsageError('sandbox trigger: --list stands alone. It shows what is ordered.');
    const { ordered, where } = await triggerTarget(flags, terminal);
    return listOrdered(await ordered(), where, terminal, json);
  }
  const { fault, tool } = namedFault(name, flags);
  const { where, order } = await triggerTarget(flags, terminal);
  await order(fault);
  const { times = 1, message } = fault;
  const calls = times === 1 ? `the next ${tool} call` : `the next ${times} ${tool} calls`;
  const words = `Ordered for ${calls} in ${where}: the airline ${own(FAULTS, name)?.says}.\n`;
  print({ terminal, json }, { fault: name, for: tool, message, times, where }, words);
  return 0;
}

function namedFault(name: string | undefined, flags: TriggerOptions): { fault: SandboxFault; tool: string } {
  const known = own(FAULTS, name);
  if (known === undefined) {
    const near = name === undefined ? undefined : nearest(name, FAULT_NAMES);
    const hint = near === undefined ? '' : ` Nearest: ${near}.`;
    throw new UsageError(`sandbox trigger: expected a fault.${hint} \`fareclerk sandbox faults\` lists them.`);
  }
  const tool = flags.for ?? faultTool(known);
  const message = own(MESSAGES, tool);
  if (message === undefined) {
    throw new UsageError(`--for: expected ${alternatives(Object.keys(MESSAGES))}.`);
  }
  const times = wholeNumber('--times', flags.times, 1, 1000);
  return { fault: { message, ...known.fault, ...(times && { times }) }, tool };
}

function listOrdered(ordered: readonly OrderedFault[], where: string, terminal: Terminal, json: boolean): ExitCode {
  const rows = ordered.map(({ message, kind, skip, times }) => [message, kind, String(skip), String(times)]);
  const words =
    rows.length === 0
      ? `No faults are ordered in ${where}.\n`
      : table([['message', 'fault', 'calls before', 'times'], ...rows], windowWidth(terminal.stdout));
  print({ terminal, json }, ordered, words);
  return 0;
}

async function triggerTarget({ url }: TriggerOptions, { env }: Terminal): Promise<Target> {
  const place = findSandbox('sandbox trigger', url, env);
  return 'file' in place ? embedded(place.file) : runningAt(place.origin);
}

/** The sandbox inside the servers of this user: they share its file. */
async function embedded(file: string): Promise<Target> {
  const { orderFault, readOrders } = await import('../../sandbox/failures/faults.ts');
  return {
    where: EMBEDDED,
    ordered: async () => (existsSync(file) ? readOrders(file) : []),
    async order(fault) {
      needFile('sandbox trigger', file);
      orderFault(file, fault);
    },
  };
}

/** `fareclerk sandbox` on a port. Asks who answers before it orders anything. */
async function runningAt(origin: string): Promise<Target> {
  const ask = async (posted?: object): Promise<readonly OrderedFault[]> => {
    const { ordered } = await askControl(origin, CONTROL_PATH, posted);
    return (ordered ?? []) as readonly OrderedFault[];
  };
  await ask();
  return {
    where: `the sandbox at ${origin}`,
    ordered: () => ask(),
    async order(fault) {
      await ask(fault);
    },
  };
}
