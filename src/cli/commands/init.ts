/**
 * `fareclerk init` asks for the settings, checks them, writes them into a profile, and has the host add the server, which only names
 * the profile. It shows what it writes and runs, and asks before it does.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute } from 'node:path';
import { readConfig, UsageError } from '../../config/load.ts';
import { type Problem, SettingsError } from '../../config/problem.ts';
import { isOurVariable } from '../../config/refused-settings.ts';
import { fileVariable, isSettingName, SETTING_NAMES, SETTINGS, type SettingTexts } from '../../config/settings.ts';
import { filledVariables, readSettingsFile } from '../../config/sources.ts';
import { capitalized } from '../../core/words.ts';
import type { CommandLine } from '../../pages/approval/browser.ts';
import { type HostFileChange, hostFileChange, systemCode } from '../init/host-file.ts';
import {
  addingCommands,
  HOSTS,
  type Host,
  handOver,
  linesToPaste,
  placeOfLines,
  type StartedServer,
} from '../init/hosts.ts';
import { type InterviewAnswers, interview, settingsFrom, withSettings } from '../init/interview.ts';
import { nameAirline, openProfile, type Profile, profileChange, withStateFolders } from '../init/profile.ts';
import { createPrompter, PromptCancelled, type Prompter } from '../init/prompter.ts';
import { type Arguments, readArguments } from '../terminal/arguments.ts';
import type { Command, ExitCode, Terminal } from '../terminal/command.ts';
import { COMMANDS, HOST_NAMES, type HostName } from '../terminal/command-table.ts';
import { shellWord, startCommand } from '../terminal/this-program.ts';
import { isInteractive } from '../terminal/typed-yes.ts';

/** Variables of this shell that a host would not know: they say where the profile and the second records are. */
const FOLDER_VARIABLES = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME'] as const;

/** One call of `fareclerk init`. */
interface InitRun {
  readonly terminal: Terminal;
  readonly flags: Arguments<typeof COMMANDS.init.options>['flags'];
  /** Undefined if nobody is at the keyboard. */
  readonly prompter: Prompter | undefined;
  /** `--sandbox` */
  readonly sandbox: boolean;
  readonly profile: Profile;
  /** The settings of this call: its environment and flags. */
  readonly ownSettings: InterviewAnswers;
}

interface AgreedSettings {
  readonly answers: InterviewAnswers;
  /** False: the sandbox. */
  readonly isReal: boolean;
}

async function setUp(run: InitRun): Promise<ExitCode> {
  const agreed = await agreedSettings(run);
  if (agreed !== undefined) return install(run, await chosenHost(run), agreed);
  say(run, 'Nothing was written.');
  return 1;
}

/**
 * Reads the settings of environment and flags. They override those of the file that FARECLERK_SETTINGS_FILE names: a profile
 * names no other file, so these become its own.
 */
function readOwnSettings(env: Terminal['env'], flags: SettingTexts): InterviewAnswers {
  const path = flags.FARECLERK_SETTINGS_FILE ?? env.FARECLERK_SETTINGS_FILE;
  if (!path) return settingsFrom(env, flags);
  const problems: Problem[] = [];
  const { settings } = readSettingsFile({ path, namedBy: 'FARECLERK_SETTINGS_FILE' }, problems);
  if (problems.length > 0) throw new SettingsError(problems);
  return withSettings(settingsFrom(settings, {}), settingsFrom(env, flags));
}

// The settings of the airline.

/** Asks and checks until the person agrees; undefined if they stop. */
async function agreedSettings(run: InitRun): Promise<AgreedSettings | undefined> {
  const { terminal, flags, prompter, profile } = run;
  let agreed = settingsBeforeQuestions(run);

  for (;;) {
    const { answers, isReal } = await askAirline(run, agreed);
    agreed = { answers: isReal ? withStateFolders(answers, profile, terminal.env) : answers, isReal };

    const broken = brokenRules(hostEnvironment(terminal, answers));
    if (broken !== undefined) {
      if (prompter === undefined || run.sandbox) throw broken;
      prompter.say(broken.message);
      continue;
    }

    if (flags['no-check'] || (await passesDoctor(run, agreed))) return agreed;
    if (prompter === undefined) return undefined;

    const next = await prompter.choose('Something must be corrected. What now?', [
      { value: 'again', label: 'answer the questions again' },
      { value: 'on', label: 'continue anyway' },
      { value: 'stop', label: 'stop; nothing was written' },
    ]);
    if (next === 'on') return agreed;
    if (next === 'stop') return undefined;
  }
}

/** What is wrong with settings that are each valid alone. */
function brokenRules(settings: Record<string, string | undefined>): SettingsError | undefined {
  try {
    readConfig(settings);
    return undefined;
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
}

/** The settings before any question: those of a new airline, those of the profile with changes, or those of the sandbox. */
function settingsBeforeQuestions({ sandbox, profile: { before = {} }, ownSettings }: InitRun): AgreedSettings {
  const changedProfile = withSettings(before, ownSettings);
  // Another airline must not get the secrets of this one.
  const isNew = 'FARECLERK_BASE_URL' in ownSettings && nameAirline(changedProfile) !== nameAirline(before);
  const answers = isNew ? ownSettings : changedProfile;
  const isReal = !sandbox && 'FARECLERK_BASE_URL' in answers;
  return { answers: isReal ? answers : ownSettings, isReal };
}

async function askAirline(run: InitRun, agreed: AgreedSettings): Promise<AgreedSettings> {
  const { prompter, profile, ownSettings, sandbox } = run;
  if (prompter === undefined || sandbox) return agreed;
  const { before } = profile;
  const currentAirline = before && 'FARECLERK_BASE_URL' in before ? nameAirline(before) : undefined;
  const answers = await interview(prompter, agreed.answers, currentAirline);
  return answers === undefined ? { answers: withoutAirline(ownSettings), isReal: false } : { answers, isReal: true };
}

/** Leaves out the settings of an airline: the sandbox has none. */
function withoutAirline(settings: InterviewAnswers): InterviewAnswers {
  const airlineSettings = SETTING_NAMES.filter((name) => SETTINGS[name].airline || name === 'FARECLERK_BASE_URL');
  const airlineVariables = airlineSettings.flatMap((name): readonly string[] => [name, fileVariable(name)]);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !airlineVariables.includes(name)));
}

/** Runs the doctor on these settings; its result goes to stderr. */
async function passesDoctor({ terminal, profile }: InitRun, { answers, isReal }: AgreedSettings): Promise<boolean> {
  const { diagnose } = await import('./doctor.ts');
  const doctorTerminal: Terminal = { ...terminal, env: hostEnvironment(terminal, answers), stdout: terminal.stderr };
  const later = { from: 'profile', profile: profile.name, file: profile.file } as const;
  const { ok, text } = await diagnose(isReal ? [] : ['--sandbox'], doctorTerminal, {
    ...(isReal && { later }),
    isBrief: true,
  });
  terminal.stderr.write(text);

  return ok;
}

/** The environment of a host's server, without the settings of this shell. */
function hostEnvironment({ env }: Terminal, answers: InterviewAnswers): Record<string, string | undefined> {
  const rest = Object.entries(env).filter(([name]) => !isOurVariable(name));
  return { ...Object.fromEntries(rest), ...answers };
}

// The host, and what is written.

async function chosenHost({ flags, prompter }: InitRun): Promise<HostName> {
  const choices = HOST_NAMES.map((value) => ({ value, label: HOSTS[value].label }));
  const name = flags.host ?? (await prompter?.choose('Which host is it for?', choices));
  if (name !== undefined) return name;
  throw new UsageError(`init: nobody is at the keyboard, so --host must say which: ${HOST_NAMES.join(', ')}.`);
}

/**
 * Sets up this program: its profile, and the host. Shows what it writes and runs, asks, and does it. What no command of the host adds,
 * goes into the host's file, or the person adds it with a link, a bundle or the lines for it.
 */
async function install(run: InitRun, hostName: HostName, agreed: AgreedSettings): Promise<ExitCode> {
  const { terminal, profile } = run;
  const host = HOSTS[hostName];

  const server = startedServer(terminal, agreed, profile.name);

  const update = agreed.isReal ? profileChange(profile, agreed.answers) : undefined;
  const writes = update !== undefined && !update.isSame;
  const commands = addingCommands(host, server, terminal.env);
  const given = commands.length > 0 ? undefined : handOver(host, server, agreed.isReal ? profile.file : undefined);
  const hostFile = commands.length > 0 || given !== undefined ? undefined : changeOfHostFile(run, host, server);
  const changesHost = hostFile !== undefined && !hostFile.isSame;

  if (writes) say(run, '', ...update.lines, '');
  if (changesHost) say(run, '', ...hostFile.lines, '');
  say(run, ...commands.map((words) => `$ ${words.map(shellWord).join(' ')}`));

  const deeds: string[] = [];
  if (writes || changesHost) deeds.push('write');
  if (commands.length > 0) deeds.push('run');
  if (deeds.length > 0 && !(await agrees(run, deeds.join(' and ')))) return 1;

  if (update !== undefined) writeProfile(run, update);

  for (const [i, words] of commands.entries()) {
    const isLast = i === commands.length - 1;
    if ((await succeeds(run, words, isLast)) || !isLast) continue;
    say(run, `\`${words[0]}\` failed. ${placeOfLines(host)}`);
    terminal.stdout.write(linesToPaste(host, server));
    return 1;
  }

  const cannotWrite = hostFile === undefined ? undefined : writeHostFile(run, hostFile);
  if (cannotWrite !== undefined) {
    say(run, cannotWrite, placeOfLines(host));
    terminal.stdout.write(linesToPaste(host, server));
    return 1;
  }

  if (hostFile === undefined && commands.length === 0) {
    say(run, given?.says ?? placeOfLines(host));
    terminal.stdout.write(given?.text ?? linesToPaste(host, server));
  }

  say(run, host.afterwards);
  if (agreed.isReal) warnOfShellVariables(run);

  return 0;
}

/** How the host's file changes. Undefined if the person merges the lines: nobody can agree, or the file takes no entry. */
function changeOfHostFile(run: InitRun, host: Host, server: StartedServer): HostFileChange | undefined {
  const file = host.file?.(run.terminal.env);
  if (file === undefined) return undefined;

  if (run.prompter === undefined && !run.flags.yes) {
    say(run, `With --yes they are merged into ${file}.`);
    return undefined;
  }

  const change = hostFileChange(file, host, server);
  if (!('why' in change)) return change;

  say(run, change.why);
  return undefined;
}

/** Returns why the file cannot be written: then the person merges the lines. */
function writeHostFile(run: InitRun, change: HostFileChange): string | undefined {
  if (change.isSame) {
    say(run, `${change.path} has this entry already.`);
    return undefined;
  }

  try {
    const backup = change.write(Date.now());
    say(run, `Written: ${change.path}`, ...backupLine(backup));
    return undefined;
  } catch (error) {
    return `${change.path} cannot be written (${systemCode(error)}). It was not changed.`;
  }
}

/** @param deeds what is done: `write and run` */
async function agrees(run: InitRun, deeds: string): Promise<boolean> {
  const { flags, prompter } = run;
  if (flags.yes || (await prompter?.yes(`${capitalized(deeds)} this?`))) return true;
  say(run, prompter === undefined ? `Nothing was written. Use --yes to ${deeds} it.` : 'Nothing was written.');
  return false;
}

/** Runs a command line of a host. What it prints goes to stderr, if it `isShown`. */
async function succeeds({ terminal }: InitRun, words: CommandLine, isShown: boolean): Promise<boolean> {
  const [program, ...args] = words;
  const child = spawn(program, args, { env: hostEnvironment(terminal, {}), stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => void (isShown && terminal.stderr.write(chunk)));
  const [code] = await once(child, 'close').catch(() => [1]);
  return code === 0;
}

/** How a host starts this program. @throws UsageError */
function startedServer(
  terminal: Pick<Terminal, 'execPath' | 'argv' | 'env'>,
  agreed: AgreedSettings,
  profile: string,
): StartedServer {
  const [command, ...args] = startCommand(terminal);
  const { answers, isReal } = agreed;
  const secret = Object.keys(answers).find((name) => isSettingName(name) && SETTINGS[name].secret);
  if (!isReal && secret !== undefined) {
    throw new UsageError(
      `init: ${secret} is a secret, and the sandbox has no profile. Put it into a file: ${secret}_FILE.`,
    );
  }

  // The program ignores a relative folder.
  const folders = FOLDER_VARIABLES.map((name) => [name, terminal.env[name] ?? ''] as const).filter(([, path]) =>
    isAbsolute(path),
  );

  return {
    command,
    args: [...args, 'serve', ...(isReal ? ['--profile', profile] : ['--sandbox'])],
    env: { ...Object.fromEntries(folders), ...(isReal ? {} : answers) },
  };
}

function writeProfile(run: InitRun, update: ReturnType<typeof profileChange>): void {
  const { file } = run.profile;
  if (!update.isSame) {
    const backup = update.write(Date.now());
    say(run, `Settings: ${file}, readable by this user alone.`, ...backupLine(backup));
    return;
  }
  say(run, `${file} is up to date already.`);
}

function warnOfShellVariables(run: InitRun): void {
  const { env } = run.terminal;
  const variables = filledVariables(env);
  if (variables.length === 0) return;
  say(run, `Commands in this shell use its settings, not the profile. Unset ${variables.join(', ')}.`);
}

const backupLine = (path: string | undefined): string[] => (path === undefined ? [] : [`Backup: ${path}`]);

const say = ({ terminal }: Pick<InitRun, 'terminal'>, ...lines: readonly string[]): void =>
  void terminal.stderr.write(lines.map((line) => `${line}\n`).join(''));

export const init: Command = {
  about: `usage: fareclerk init [--host NAME] [options]

Asks for the settings, has the doctor check them, and writes them into a
profile: a file for this user alone, which every command reads from then on.
Then the host adds fareclerk, by its own command, a link or a bundle; or init
merges the entry into the host's file, or prints the lines. The entry only names
the profile. It shows first what it writes and runs, and keeps a copy of each
file that it changes.

  fareclerk init
  fareclerk init --host claude-desktop
  fareclerk init --host claude-code --sandbox
  fareclerk init --host vscode --profile jeddah
  FARECLERK_API_KEY_FILE=/run/secrets/key fareclerk init --host cursor --yes \\
    --base-url https://air.example/ota --credentials key \\
    --agent-id A1 --agency-id Agency --currency SAR
`,
  async run(argv, terminal) {
    const { flags, settings, originChoice } = readArguments(argv, COMMANDS.init);
    const { profile: profileName, sandbox = false } = originChoice;
    if (sandbox && profileName !== undefined) throw new UsageError('--profile and --sandbox: choose one of the two.');

    const ownSettings = readOwnSettings(terminal.env, settings);
    const profile = openProfile(terminal.env, profileName);
    const prompter = isInteractive(terminal) ? createPrompter(terminal) : undefined;
    const run = { terminal, flags, prompter, sandbox, profile, ownSettings };

    try {
      // Without a keyboard the host must be named before anything is checked.
      if (prompter === undefined) await chosenHost(run);
      return await setUp(run);
    } catch (error) {
      if (!(error instanceof PromptCancelled)) throw error;
      say(run, '\nNothing was written.');
      return 1;
    } finally {
      prompter?.close();
    }
  },
};
