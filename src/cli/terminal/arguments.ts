/** Reads the arguments of a command: its own options, and the settings given as flags. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from '../../config/problem.ts';
import { type Flags, flagName, isSettingName, SETTING_NAMES, SETTINGS, settingOfFlag } from '../../config/settings.ts';
import type { Chosen } from '../../config/sources.ts';
import { alternatives } from '../../config/values.ts';
import { nearest } from '../../core/nearest-word.ts';
import type { CommandInfo, Option, Options } from '../commands/index.ts';

type OptionValue<O> = O extends { value: string } ? (O extends { choices: readonly (infer C)[] } ? C : string) : true;

/** By option; for options of an unknown command any value. */
type OptionValues<O extends Options> = Options extends O
  ? Readonly<Record<string, string | true | undefined>>
  : { readonly [K in keyof O]?: OptionValue<O[K]> | undefined };

export interface Arguments<O extends Options = Options> {
  /** The command's own options. */
  readonly flags: OptionValues<O>;
  /** Settings given as flags. */
  readonly settings: Flags;
  /** `--profile` and `--sandbox`. */
  readonly chosen: Chosen;
  readonly positionals: readonly string[];
}

/** @throws UsageError */
export function readArguments<O extends Options>(
  argv: readonly string[],
  { options: known, takesSettings, positionals = 0 }: Omit<CommandInfo, 'says' | 'group'> & { readonly options: O },
): Arguments<O> {
  const settingNames = takesSettings ? SETTING_NAMES.filter((name) => !SETTINGS[name].secret) : [];
  const options: NonNullable<ParseArgsConfig['options']> = {
    ...(takesSettings && { profile: { type: 'string' }, sandbox: { type: 'boolean' } }),
    ...Object.fromEntries(settingNames.map((name) => [flagName(name).slice(2), { type: 'string' }])),
    ...Object.fromEntries(
      Object.entries(known).map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
    ),
    help: { type: 'boolean', short: 'h' },
  };
  const args = takesSettings ? spellOutYesNo(argv) : [...argv];
  refuseUnknown(args, Object.keys(options));
  const parsed = parse(args, options);
  const extra = parsed.positionals[positionals];
  if (extra !== undefined) throw new UsageError(`"${extra.slice(0, 40)}" is one argument too many.`);
  const settings: Flags = {};
  const ownFlags: Record<string, unknown> = {};
  for (const [flag, value] of Object.entries(parsed.values)) {
    const setting = Object.hasOwn(known, flag) ? undefined : settingOfFlag(flag);
    if (setting !== undefined) settings[setting] = String(value);
    else ownFlags[flag] = checkedChoice(flag, value, known[flag]);
  }
  const { profile, sandbox, ...rest } = ownFlags;
  const chosen = { profile, sandbox } as Chosen;
  return { flags: rest as OptionValues<O>, settings, chosen, positionals: parsed.positionals };
}

function checkedChoice(flag: string, value: unknown, option: Option | undefined): unknown {
  if (option?.choices === undefined || option.choices.includes(String(value))) return value;
  throw new UsageError(`--${flag}: expected ${alternatives(option.choices)}.`);
}

/** `--price-check` alone means true; `--price-check false` and `--price-check=false` are understood too. */
function spellOutYesNo(argv: readonly string[]): string[] {
  const spelt: string[] = [];
  for (const arg of argv) {
    const last = spelt.at(-1);
    if ((arg === 'true' || arg === 'false') && last !== undefined && /^--[a-z-]+=true$/.test(last)) {
      spelt[spelt.length - 1] = last.replace(/true$/, arg);
      continue;
    }
    const setting = arg.startsWith('--') ? settingOfFlag(arg.slice(2)) : undefined;
    spelt.push(setting !== undefined && SETTINGS[setting].yesNo ? `${arg}=true` : arg);
  }
  return spelt;
}

/** Refuses unknown options and names the nearest one. For a secret it names the variables to use. */
function refuseUnknown(argv: readonly string[], options: readonly string[]): void {
  for (const arg of argv) {
    if (arg === '--') return;
    const name = /^--([^=]+)/.exec(arg)?.[1];
    if (name === undefined || options.includes(name)) continue;
    const variable = `FARECLERK_${name.toUpperCase().replaceAll('-', '_')}`;
    if (isSettingName(variable) && SETTINGS[variable].secret) {
      throw new UsageError(`--${name}: a secret is never a flag. Set ${variable} or ${variable}_FILE.`);
    }
    const nearestOption = nearest(name, options);
    const hint = nearestOption === undefined ? '' : ` Nearest: --${nearestOption}.`;
    throw new UsageError(`--${name}: there is no such option.${hint}`);
  }
}

function parse(args: string[], options: NonNullable<ParseArgsConfig['options']>) {
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
