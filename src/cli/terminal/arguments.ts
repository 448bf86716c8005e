/** Reads the arguments of a command: its own options, and settings that are typed as flags. */
import { userInfo } from 'node:os';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from '../../config/problem.ts';
import { insteadOfSetting, REMOVED_SETTINGS, wasRemoved } from '../../config/removed-settings.ts';
import { FLAG_SETTINGS, type Flags, flagName, settingOfFlag } from '../../config/settings.ts';
import type { OriginChoice } from '../../config/sources.ts';
import { alternatives } from '../../config/values.ts';
import { cleanText } from '../../core/clean-text.ts';
import { own } from '../../core/own.ts';
import type { CommandInfo, Option, Options } from './command-table.ts';

/** The most characters of a name in `--by`. */
const LONGEST_NAME = 80;

type ParserOptions = NonNullable<ParseArgsConfig['options']>;

type OptionValue<O> = O extends { value: string } ? (O extends { choices: readonly (infer C)[] } ? C : string) : true;

/** The values by the name of the option; any values if the command is not known to the compiler. */
type OptionValues<O extends Options> = Options extends O
  ? Readonly<Record<string, string | true | undefined>>
  : { readonly [K in keyof O]?: OptionValue<O[K]> | undefined };

export interface Arguments<O extends Options = Options> {
  /** The command's own options. */
  readonly flags: OptionValues<O>;
  /** The settings that were typed as flags. */
  readonly settings: Flags;
  /** `--profile` and `--sandbox`: where the other settings come from. */
  readonly originChoice: OriginChoice;
  readonly positionals: readonly string[];
}

/** Reads the arguments by the table of commands. @throws UsageError */
export function readArguments<O extends Options>(
  argv: readonly string[],
  command: Omit<CommandInfo, 'says' | 'group'> & { readonly options: O },
): Arguments<O> {
  const { options: ownOptions, takesSettings, positionals: mostPositionals = 0 } = command;
  refuseRemoved(argv, command);

  const { values, positionals } = parse([...argv], parserOptions(ownOptions, takesSettings));
  const extra = positionals[mostPositionals];
  if (extra !== undefined) throw new UsageError(`"${extra.slice(0, 40)}" is one argument too many.`);

  const settings: Record<string, string> = {};
  const flags: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const setting = Object.hasOwn(ownOptions, name) ? undefined : settingOfFlag(name);
    if (setting !== undefined) settings[setting] = String(value);
    else flags[name] = checkedChoice(name, value, ownOptions[name]);
  }

  const { profile, sandbox, ...ownFlags } = flags;
  const originChoice = { profile, sandbox } as OriginChoice;
  return { flags: ownFlags as OptionValues<O>, settings, originChoice, positionals };
}

/**
 * Refuses what an earlier version took: the nearest word would be another thing.
 * @throws UsageError
 */
function refuseRemoved(
  argv: readonly string[],
  { options, takesSettings, removed = {} }: Omit<CommandInfo, 'says' | 'group'>,
): void {
  const [action = ''] = argv;
  const flags = argv.filter((word) => word.startsWith('--')).map((word) => word.split('=', 1)[0] ?? '');

  for (const word of [action, ...flags]) {
    const setting = takesSettings ? removedSetting(word) : undefined;
    const instead = own(removed, word) ?? (setting && insteadOfSetting(setting));
    if (instead !== undefined && !Object.hasOwn(options, word.slice(2)))
      throw new UsageError(`${setting === undefined ? word : `${word} (${setting})`} ${wasRemoved(instead)}.`);
  }
}

/** The setting of an earlier version that a flag named. */
const removedSetting = (flag: string): string | undefined =>
  Object.keys(REMOVED_SETTINGS).find((name) => flagName(name) === flag);

/** All options of a command as Node's parser takes them: its own, the settings, and `--help`. */
function parserOptions(ownOptions: Options, takesSettings: boolean): ParserOptions {
  const settingNames = takesSettings ? FLAG_SETTINGS : [];
  return {
    ...(takesSettings && { profile: { type: 'string' }, sandbox: { type: 'boolean' } }),
    ...Object.fromEntries(settingNames.map((name) => [flagName(name).slice(2), { type: 'string' }])),
    ...Object.fromEntries(
      Object.entries(ownOptions).map(([name, { value }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string' },
      ]),
    ),
    help: { type: 'boolean', short: 'h' },
  };
}

/** @throws UsageError if the option has a closed list of values, and this is none of them */
function checkedChoice(flag: string, value: unknown, option: Option | undefined): unknown {
  if (option?.choices === undefined || option.choices.includes(String(value))) return value;
  throw new UsageError(`--${flag}: expected ${alternatives(option.choices)}.`);
}

/** @throws UsageError with the first sentence of the parser's message */
function parse(args: string[], options: ParserOptions) {
  // A host starts the server without arguments: Node's parser is not loaded for that.
  if (args.length === 0) return { values: {}, positionals: [] };
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(String((error as Error).message).split('. To specify')[0]);
  }
}

/** A whole number in a range; undefined without the flag. @throws UsageError */
export function wholeNumber(flag: string, value: string | undefined, least: number, most: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  throw new UsageError(`${flag}: expected a whole number from ${least} to ${most}.`);
}

/** How many rows a call lists: without `--limit`, and at most. */
const USUALLY_LISTED = 50;
const MOST_LISTED = 10_000;

/** Reads `--limit`. @throws UsageError */
export function listLimit(value: string | undefined): number {
  return wholeNumber('--limit', value, 1, MOST_LISTED) ?? USUALLY_LISTED;
}

/** Reads `--by`. Default: the OS user. */
export function personNamed(by: unknown): string {
  const name = typeof by === 'string' ? cleanText(by, LONGEST_NAME) : '';
  return name === '' ? osUser() : name;
}

/** `os:ann`; `os:user` for accounts without an entry (containers). */
export function osUser(): string {
  try {
    return `os:${userInfo().username}`;
  } catch {
    return 'os:user';
  }
}

/** Finds the only one of these whose id begins as a person typed it. Undefined if there is none, or there are several. */
export function onlyBeginning<T>(all: readonly T[], idOf: (each: T) => string, typed: string): T | undefined {
  const [found, ...others] = all.filter((each) => idOf(each).startsWith(typed.toLowerCase()));
  return others.length === 0 ? found : undefined;
}
