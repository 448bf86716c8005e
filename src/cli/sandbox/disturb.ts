/** Disturbs a running sandbox airline, never a real one: makes its next calls fail, and changes bookings unasked. */
import { existsSync } from 'node:fs';
import { readConfig, UsageError } from '../../config/load.ts';
import { alternatives } from '../../config/values.ts';
import { isLoopback } from '../../core/hosts.ts';
import { nearest } from '../../core/nearest-word.ts';
import { isObject, own } from '../../core/own.ts';
import { disturbFile, readMishaps } from '../../sandbox/failures/booking-mishaps.ts';
import { CONTROL_MARK, CONTROL_PATH, MISHAPS_PATH } from '../../sandbox/failures/control.ts';
import {
  type FaultName,
  isRunMishap,
  MISHAP_KINDS,
  MISHAPS,
  type Mishap,
  MODIFICATION,
  mishapSchema,
  NAMED_FAULTS,
  type NamedFault,
  OTA_MESSAGES,
  OTHER_CALLS,
  type PlayedMishap,
  USUAL_TOOL,
} from '../../sandbox/failures/named.ts';
import { type FaultOrder, orderFault, readFaultOrders, type SandboxFault } from '../../sandbox/failures/wire-faults.ts';
import { inStateFile } from '../../sandbox/state.ts';
import { ACTS } from '../../tools/index.ts';
import type { ExitCode, Terminal } from '../commands/command.ts';
import { wholeNumber } from '../terminal/arguments.ts';
import { table } from '../terminal/table.ts';
import { print, windowWidth, wrap } from '../terminal/window.ts';

const FAULTS: Readonly<Record<string, NamedFault>> = NAMED_FAULTS;
const FAULT_NAMES = Object.keys(NAMED_FAULTS) as readonly FaultName[];

/** The acts that are sent as changes of a booking, all by one message. */
const MODIFYING_ACTS = ACTS.all.map(({ name }) => name).filter((name) => !(name in OTA_MESSAGES));

/** The message that a tool sends, by the tool's name. */
const MESSAGES: Readonly<Record<string, string>> = {
  ...OTA_MESSAGES,
  ...Object.fromEntries(MODIFYING_ACTS.map((name) => [name, MODIFICATION])),
  ...OTHER_CALLS,
};

/** Names the sandbox inside the servers of this user in sentences. */
const EMBEDDED = 'the embedded sandbox';

/** The details that a mishap can have, and the type of each. */
const DETAILS: ReadonlyMap<string, 'number' | 'text'> = new Map([
  ['minutes', 'number'],
  ['arrives', 'number'],
  ['percent', 'number'],
  ['segment', 'text'],
  ['traveler', 'text'],
  ['number', 'text'],
  ['status', 'text'],
]);

const LOCATOR = /^[A-Z0-9]{6}$/i;

/** How many columns help texts have. */
const HELP_WIDTH = 80;
/** The most calls that one order makes fail. */
const MOST_TIMES = 1000;

// Which sandbox a command means.

type SandboxPlace = { readonly file: string } | { readonly origin: string };

/**
 * Finds the sandbox that a command means: inside the servers of this user, or on a port; never a real airline.
 * @param command begins the message of a refusal
 * @throws UsageError
 */
function findSandbox(command: string, url: string | undefined, env: Terminal['env']): SandboxPlace {
  if (url !== undefined) {
    if (isOnThisMachine(url)) return { origin: new URL(url).origin };
    throw new UsageError('--url: expected a sandbox on this machine, such as http://127.0.0.1:8770.');
  }
  const { airline, state } = readConfig(env, {});
  if (airline === undefined) return { file: state.sandboxFile };
  // These are the settings that `fareclerk sandbox` printed; the answer there must prove it.
  if (isOnThisMachine(airline.baseUrl)) return { origin: new URL(airline.baseUrl).origin };
  throw new UsageError(
    `${command}: FARECLERK_BASE_URL names a real airline, and faults and mishaps exist in the sandbox only. Give --url.`,
  );
}

function isOnThisMachine(address: string): boolean {
  return isLoopback(URL.parse(address)?.hostname ?? '');
}

function refuseMissingFile(command: string, file: string): void {
  if (existsSync(file)) return;
  throw new UsageError(`${command}: ${EMBEDDED} has not run yet (${file}). Start a server or call a tool first.`);
}

/** Asks a sandbox on a port, or posts to it. @throws UsageError if no sandbox of fareclerk answers */
async function askControl(origin: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(origin + path, { ...init, redirect: 'error' }).catch(() => undefined);
  const reply: unknown = await response?.json().catch(() => undefined);
  const answer: Record<string, unknown> = isObject(reply) ? reply : {};
  if (answer.sandbox === CONTROL_MARK) return answer;
  throw new UsageError(`--url: no sandbox of fareclerk answers at ${origin}. Start \`fareclerk sandbox\`.`);
}

// Faults: failures of the next calls.

export function showFaults(terminal: Terminal, json: boolean): ExitCode {
  const record = Object.entries(FAULTS).map(([name, fault]) => ({ name, says: fault.says, for: usualTool(fault) }));
  const rows = [['fault', 'the airline …', 'for'], ...record.map((row) => [row.name, row.says, row.for])];
  const usage = `\`fareclerk sandbox trigger FAULT [--for TOOL]\` makes the next such call fail. TOOL: ${alternatives(Object.keys(MESSAGES))}.`;
  const words = [table(rows, windowWidth(terminal.stdout)), ...wrap(usage, HELP_WIDTH), ''].join('\n');
  print({ terminal, json }, record, words);
  return 0;
}

/** Names the tool whose call fails unless `--for` names another. */
function usualTool({ tool = USUAL_TOOL }: NamedFault): string {
  return tool;
}

interface TriggerOptions {
  readonly list?: true | undefined;
  readonly json?: true | undefined;
  readonly url?: string | undefined;
  readonly for?: string | undefined;
  readonly times?: string | undefined;
}

/** Orders a fault, or with `--list` shows those that are ordered. */
export async function triggerFault(
  name: string | undefined,
  flags: TriggerOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const json = flags.json === true;
  if (flags.list === true) {
    if (name !== undefined) throw new UsageError('sandbox trigger: --list stands alone. It shows what is ordered.');
    const target = await triggerTarget(flags, terminal);
    return listFaults(await target.readFaultOrders(), target.where, terminal, json);
  }
  const { fault, tool } = readFault(name, flags);
  const { where, order } = await triggerTarget(flags, terminal);
  await order(fault);
  const { times = 1, message } = fault;
  const calls = times === 1 ? `the next ${tool} call` : `the next ${times} ${tool} calls`;
  const words = `Ordered for ${calls} in ${where}: the airline ${own(FAULTS, name)?.says}.\n`;
  print({ terminal, json }, { fault: name, for: tool, message, times, where }, words);
  return 0;
}

/** @throws UsageError */
function readFault(name: string | undefined, flags: TriggerOptions): { fault: SandboxFault; tool: string } {
  const faultByName = own(FAULTS, name);
  if (faultByName === undefined) {
    const nearestFault = name === undefined ? undefined : nearest(name, FAULT_NAMES);
    const hint = nearestFault === undefined ? '' : ` Nearest: ${nearestFault}.`;
    throw new UsageError(`sandbox trigger: expected a fault.${hint} \`fareclerk sandbox faults\` lists them.`);
  }
  const tool = flags.for ?? usualTool(faultByName);
  const message = own(MESSAGES, tool);
  if (message === undefined) {
    throw new UsageError(`--for: expected ${alternatives(Object.keys(MESSAGES))}.`);
  }
  const times = wholeNumber('--times', flags.times, 1, MOST_TIMES);
  return { fault: { message, ...faultByName.fault, ...(times && { times }) }, tool };
}

function listFaults(orders: readonly FaultOrder[], where: string, terminal: Terminal, json: boolean): ExitCode {
  const rows = orders.map(({ message, kind, skip, times }) => [message, kind, String(skip), String(times)]);
  const words =
    rows.length === 0
      ? `No faults are ordered in ${where}.\n`
      : table([['message', 'fault', 'calls before', 'times'], ...rows], windowWidth(terminal.stdout));
  print({ terminal, json }, orders, words);
  return 0;
}

/** A running sandbox, in servers of this user or behind an address, and its faults. */
interface FaultTarget {
  /** The sandbox, in words. */
  readonly where: string;
  order(fault: SandboxFault): Promise<void>;
  /** Lists the faults that are ordered and have not happened. */
  readFaultOrders(): Promise<readonly FaultOrder[]>;
}

async function triggerTarget({ url }: TriggerOptions, { env }: Terminal): Promise<FaultTarget> {
  const place = findSandbox('sandbox trigger', url, env);
  return 'file' in place ? embeddedFaults(place.file) : faultsAt(place.origin);
}

/** The faults of the sandbox inside the servers of this user: they share its file. */
function embeddedFaults(file: string): FaultTarget {
  return {
    where: EMBEDDED,
    readFaultOrders: async () => (existsSync(file) ? inStateFile(file, readFaultOrders) : []),
    async order(fault) {
      refuseMissingFile('sandbox trigger', file);
      orderFault(file, fault);
    },
  };
}

/** The faults of a `fareclerk sandbox` on a port. Checks that a sandbox answers before anything is ordered. */
async function faultsAt(origin: string): Promise<FaultTarget> {
  const ask = async (fault?: SandboxFault): Promise<readonly FaultOrder[]> => {
    const { ordered } = await askControl(origin, CONTROL_PATH, fault);
    return (ordered ?? []) as readonly FaultOrder[];
  };
  await ask();
  return {
    where: `the sandbox at ${origin}`,
    readFaultOrders: () => ask(),
    async order(fault) {
      await ask(fault);
    },
  };
}

// Mishaps: changes of bookings and departures.

export function showMishaps(terminal: Terminal, json: boolean): ExitCode {
  const record = MISHAP_KINDS.map((name) => ({
    name,
    says: MISHAPS[name],
    strikes: isRunMishap(name) ? 'departure' : 'booking',
  }));
  const rows = [['mishap', 'the airline …', 'strikes'], ...record.map((row) => [row.name, row.says, row.strikes])];
  const usage =
    '`fareclerk sandbox mishap KIND LOCATOR` lets it happen to a booking, or to its departure with everybody on it; `mishap KIND TRAIN DATE` to a departure. Details: minutes=90 arrives=30 segment=2 traveler=1 number=0117 status=HX percent=120.';
  const words = [table(rows, windowWidth(terminal.stdout)), ...wrap(usage, HELP_WIDTH), ''].join('\n');
  print({ terminal, json }, record, words);
  return 0;
}

interface MishapOptions {
  readonly list?: true | undefined;
  readonly json?: true | undefined;
  readonly url?: string | undefined;
}

/**
 * Makes a mishap happen, or with `--list` shows those that happened.
 * @param words the kind, then a locator, or a train and its date; then details such as `minutes=90`
 */
export async function playMishap(
  words: readonly string[],
  flags: MishapOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const json = flags.json === true;
  const place = findSandbox('sandbox mishap', flags.url, terminal.env);
  const { where, play, readPlayed } = 'file' in place ? embeddedMishaps(place.file) : mishapsAt(place.origin);
  if (flags.list === true) {
    if (words.length > 0) throw new UsageError('sandbox mishap: --list stands alone. It shows what happened.');
    return listMishaps(await readPlayed(), where, terminal, json);
  }
  const mishap = readMishap(words);
  const played = await play(mishap);
  const text = `Happened in ${where}: the airline ${MISHAPS[mishap.kind]}.\n${touchedText(played.touched)}.\n`;
  print({ terminal, json }, { ...played, where }, text);
  return 0;
}

function touchedText(locators: readonly string[]): string {
  if (locators.length === 0) return 'No booking is on it';
  return `${locators.length === 1 ? 'Booking' : `${locators.length} bookings:`} ${locators.join(', ')}`;
}

/** @throws UsageError */
function readMishap(words: readonly string[]): Mishap {
  const [name, target, date, ...rest] = words.filter((word) => !word.includes('='));
  const kind = MISHAP_KINDS.find((known) => known === name);
  if (kind === undefined) {
    const nearestKind = name === undefined ? undefined : nearest(name, MISHAP_KINDS);
    const hint = nearestKind === undefined ? '' : ` Nearest: ${nearestKind}.`;
    throw new UsageError(`sandbox mishap: expected a mishap.${hint} \`fareclerk sandbox mishaps\` lists them.`);
  }
  const subject = readSubject(kind, target, date);
  if (rest.length > 0 || subject === undefined) {
    const alternative = isRunMishap(kind) ? ', or a train and its date, such as 0101 2026-12-01' : '';
    throw new UsageError(`sandbox mishap ${kind}: expected the locator of a booking${alternative}.`);
  }
  const details = readDetails(words.filter((word) => word.includes('=')));
  const parsed = mishapSchema.safeParse({ kind, ...subject, ...details });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`sandbox mishap ${kind}: ${issue?.path.join('.') ?? ''}: ${issue?.message}.`);
}

/** Reads `LOCATOR`, or `TRAIN DATE` for a mishap that can strike a departure. Undefined for anything else. */
function readSubject(kind: Mishap['kind'], target: string | undefined, date: string | undefined) {
  if (date !== undefined) return isRunMishap(kind) ? { train: target, date } : undefined;
  if (target === undefined || !LOCATOR.test(target)) return undefined;
  return { locator: target.toUpperCase() };
}

/** Reads `minutes=90` as a number, and `segment=2` as text. @throws UsageError */
function readDetails(pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      const type = DETAILS.get(name);
      if (type === undefined)
        throw new UsageError(`sandbox mishap: ${name}: expected ${[...DETAILS.keys()].join(', ')}.`);
      return [name, type === 'number' ? Number(value || Number.NaN) : value];
    }),
  );
}

function listMishaps(mishaps: readonly PlayedMishap[], where: string, terminal: Terminal, json: boolean): ExitCode {
  const rows = mishaps.map(({ at, mishap: { kind, locator, train, date }, touched }) => [
    at,
    kind,
    locator ?? `${train} ${date}`,
    touched.join(', '),
  ]);
  const words =
    rows.length === 0
      ? `No mishaps happened in ${where}.\n`
      : table([['at', 'mishap', 'named by', 'bookings'], ...rows], windowWidth(terminal.stdout));
  print({ terminal, json }, mishaps, words);
  return 0;
}

/** A running sandbox, in servers of this user or behind an address, and its mishaps. */
interface MishapTarget {
  /** The sandbox, in words. */
  readonly where: string;
  play(mishap: Mishap): Promise<PlayedMishap>;
  /** Lists the mishaps that happened. */
  readPlayed(): Promise<readonly PlayedMishap[]>;
}

/** The mishaps of the sandbox inside the servers of this user: they share its file. */
function embeddedMishaps(file: string): MishapTarget {
  return {
    where: EMBEDDED,
    readPlayed: async () => (existsSync(file) ? inStateFile(file, readMishaps) : []),
    async play(mishap) {
      refuseMissingFile('sandbox mishap', file);
      try {
        return await disturbFile(file, mishap);
      } catch (error) {
        throw mishapRefusal(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

/** The mishaps of a `fareclerk sandbox` on a port. */
function mishapsAt(origin: string): MishapTarget {
  return {
    where: `the sandbox at ${origin}`,
    async readPlayed() {
      const { mishaps } = await askControl(origin, MISHAPS_PATH);
      return (mishaps ?? []) as readonly PlayedMishap[];
    },
    async play(mishap) {
      // Asks who answers before it changes anything.
      await askControl(origin, MISHAPS_PATH);
      const { happened, error } = await askControl(origin, MISHAPS_PATH, mishap);
      if (happened === undefined) throw mishapRefusal(String(error));
      return happened as PlayedMishap;
    },
  };
}

function mishapRefusal(why: string): UsageError {
  return new UsageError(`sandbox mishap: this cannot happen: ${why}.`);
}
