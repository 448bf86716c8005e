/**
 * Flags of a command: its own, and those of the settings, by node:util parseArgs.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from '../../config/problem.ts';
import { ABOUT, flagOf, isSettingName, SETTING_NAMES, settingOfFlag } from '../../config/settings.ts';
import type { Flags } from '../../config/source.ts';
import { nearest } from '../../domain/time-and-text/nearest-word.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

export interface Arguments {
  /** The command's own flags. */
  readonly own: Readonly<Record<string, string | boolean | undefined>>;
  /** Settings given as flags. */
  readonly settings: Flags;
  readonly positionals: readonly string[];
}

function settingOptions(): Options {
  const open = SETTING_NAMES.filter((name) => ABOUT[name].secret === undefined);
  return Object.fromEntries(open.map((name) => [flagOf(name).slice(2), { type: 'string' as const }]));
}

/** `--read-only` alone means true; `--read-only false` and `--read-only=false` are understood too. */
function spellOutYesNo(argv: readonly string[]): string[] {
  const spelt: string[] = [];
  for (const arg of argv) {
    const last = spelt.at(-1);
    if ((arg === 'true' || arg === 'false') && last !== undefined && /^--[a-z-]+=true$/.test(last)) {
      spelt[spelt.length - 1] = last.replace(/true$/, arg);
      continue;
    }
    const setting = arg.startsWith('--') ? settingOfFlag(arg.slice(2)) : undefined;
    spelt.push(setting !== undefined && ABOUT[setting].yesNo ? `${arg}=true` : arg);
  }
  return spelt;
}

/** Refuses what is not an option, naming the nearest; a secret's name gets told where secrets come from. */
function refuseUnknown(argv: readonly string[], options: Options): void {
  for (const arg of argv) {
    if (arg === '--') return;
    const name = /^--([^=]+)/.exec(arg)?.[1];
    if (name === undefined || Object.hasOwn(options, name)) continue;
    const variable = `FARECLERK_${name.toUpperCase().replaceAll('-', '_')}`;
    if (isSettingName(variable) && ABOUT[variable].secret) {
      throw new UsageError(`--${name}: a secret is never a flag. Set ${variable} or ${variable}_FILE.`);
    }
    const near = nearest(name, Object.keys(options));
    throw new UsageError(`--${name}: there is no such option.${near === undefined ? '' : ` Nearest: --${near}.`}`);
  }
}

/**
 * Reads the arguments of a command. `takesSettings`: whether the flags of settings are among its options.
 * @throws UsageError
 */
export function readArguments(
  argv: readonly string[],
  own: Options,
  { takesSettings, positionals = 0 }: { takesSettings: boolean; positionals?: number },
): Arguments {
  const options: Options = {
    ...(takesSettings ? settingOptions() : {}),
    ...own,
    help: { type: 'boolean', short: 'h' },
  };
  const args = takesSettings ? spellOutYesNo(argv) : [...argv];
  refuseUnknown(args, options);
  const parsed = parse(args, options);
  const extra = parsed.positionals[positionals];
  if (extra !== undefined) throw new UsageError(`"${extra.slice(0, 40)}" is one argument too many.`);
  const settings: Flags = {};
  const mine: Record<string, string | boolean | undefined> = {};
  for (const [flag, value] of Object.entries(parsed.values)) {
    const setting = Object.hasOwn(own, flag) ? undefined : settingOfFlag(flag);
    if (setting === undefined) mine[flag] = value as string | boolean;
    else settings[setting] = String(value);
  }
  return { own: mine, settings, positionals: parsed.positionals };
}

function parse(args: string[], options: Options): Pick<ReturnType<typeof parseArgs>, 'values' | 'positionals'> {
  // How a host starts us: Node's parser is not loaded for nothing.
  if (args.length === 0) return { values: {}, positionals: [] };
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? (error.message.split('. To specify')[0] ?? '') : 'unreadable options',
    );
  }
}

/** A whole number in a range; undefined where the flag was not given. */
export function wholeNumber(flag: string, value: string | boolean | undefined, least: number, most: number) {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (typeof value === 'string' && /^\d+$/.test(value) && number >= least && number <= most) return number;
  throw new UsageError(`${flag}: expected a whole number from ${least} to ${most}.`);
}
