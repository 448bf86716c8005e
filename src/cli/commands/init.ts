/**
 * `fareclerk init` asks for the settings, checks them, writes them into a profile, and adds the server to a host's
 * configuration, which only names the profile. It shows each change and asks before it writes.
 */
import { isAbsolute } from 'node:path';
import { styleText } from 'node:util';
import { absolutePath } from '../../config/folders.ts';
import { readConfig, UsageError } from '../../config/load.ts';
import { type Problem, SettingsError } from '../../config/problem.ts';
import { isOurVariable } from '../../config/refused-settings.ts';
import { fileVariable, isSettingName, SETTING_NAMES, SETTINGS, type SettingTexts } from '../../config/settings.ts';
import { filledVariables, readSettingsFile } from '../../config/sources.ts';
import { changeLines, hasEntry, readHostFile, replaceFile } from '../init/host-file.ts';
import { describeHost, HOST_NAMES, type Host, type HostEntry, PROJECT_HOSTS, SERVER_NAME } from '../init/hosts.ts';
import { type InterviewAnswers, interview, settingsFrom, withSettings } from '../init/interview.ts';
import { nameAirline, openProfile, type Profile, profileChange, withStateFolders } from '../init/profile.ts';
import { createPrompter, PromptCancelled, type Prompter } from '../init/prompter.ts';
import { type Arguments, readArguments } from '../terminal/arguments.ts';
import { startCommand } from '../terminal/this-program.ts';
import { isInteractive } from '../terminal/typed-yes.ts';
import type { Command, ExitCode, Terminal } from './command.ts';
import { COMMANDS } from './index.ts';

/** Variables of this shell that a host would not know: they say where the profile and the second records are. */
const FOLDER_VARIABLES = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME'] as const;

/** The colours of lines that are added or removed; the others are dim. */
const STYLES = { '+': 'green', '-': 'red' } as const;

/** One call of `fareclerk init`. */
interface InitRun {
  readonly terminal: Terminal;
  readonly flags: Arguments<typeof COMMANDS.init.options>['flags'];
  /** `--sandbox` */
  readonly sandbox: boolean;
  readonly profile: Profile;
  /** The settings of this call: its environment and flags. */
  readonly ownSettings: InterviewAnswers;
  /** Undefined if nobody is at the keyboard. */
  readonly prompter: Prompter | undefined;
}

interface AgreedSettings {
  readonly answers: InterviewAnswers;
  /** False: the sandbox. */
  readonly isReal: boolean;
}

async function setUp(run: InitRun): Promise<ExitCode> {
  const chooseHost = hostChooser(run);
  const agreed = await agreedSettings(run);
  if (agreed !== undefined) return install(run, await chooseHost(), agreed);
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
    // A copy: reading settings removes the secrets from it. Refuses default folders that belong to another user.
    readConfig(hostEnvironment(terminal, answers));
    agreed = { answers: isReal ? withStateFolders(answers, profile, terminal.env) : answers, isReal };
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
  const { runDoctor } = await import('./doctor.ts');
  const doctorTerminal: Terminal = { ...terminal, env: hostEnvironment(terminal, answers), stdout: terminal.stderr };
  if (!isReal) return (await runDoctor(['--no-report', '--sandbox'], doctorTerminal, { isBrief: true })) === 0;
  const later = { from: 'profile', profile: profile.name, file: profile.file } as const;
  return (await runDoctor(['--no-report'], doctorTerminal, { later, isBrief: true })) === 0;
}

/** The environment of a host's server, without the settings of this shell. */
function hostEnvironment({ env }: Terminal, answers: InterviewAnswers): Record<string, string | undefined> {
  const rest = Object.entries(env).filter(([name]) => !isOurVariable(name));
  return { ...Object.fromEntries(rest), ...answers };
}

// The host, and what is written.

/**
 * Returns a function that gets the host, by asking if need be: the settings are asked for first.
 * @throws UsageError at once if `--host` is missing and nobody is at the keyboard
 */
function hostChooser({ terminal, flags, prompter }: InitRun): () => Promise<Host> {
  const { host, project } = flags;
  const machine = {
    env: terminal.env,
    platform: process.platform,
    project: project === undefined ? undefined : absolutePath(project),
  };
  const names = project === undefined ? HOST_NAMES : PROJECT_HOSTS;
  if (host !== undefined && !names.includes(host)) {
    throw new UsageError(`--project: ${host} has no file in a folder; ${names.join(', ')} have one.`);
  }
  if (host !== undefined) return async () => describeHost(host, machine);
  if (prompter === undefined) {
    throw new UsageError(`init: nobody is at the keyboard; --host says which: ${names.join(', ')}.`);
  }
  const choices = names
    .map((name) => describeHost(name, machine))
    .map((candidate) => ({
      value: candidate,
      label: candidate.file === undefined ? candidate.label : `${candidate.label} (${candidate.file})`,
    }));
  return () => prompter.choose('Which host is it for?', choices);
}

/** Shows what changes, asks, and writes the profile and the host's file. */
async function install(run: InitRun, host: Host, agreed: AgreedSettings): Promise<ExitCode> {
  const { terminal, flags, prompter, profile } = run;
  const entry = { ...(host.namesTransport && { type: 'stdio' }), ...hostEntry(terminal, agreed, profile.name) };
  const profileUpdate = agreed.isReal ? profileChange(profile, agreed.answers) : undefined;
  const hostFile = host.file === undefined ? undefined : await readHostFile(host.file, host.field);
  const hostText = hostFile === undefined || hasEntry(hostFile, entry) ? undefined : hostFile.with(entry);
  const changes = [
    ...(profileUpdate === undefined || profileUpdate.isSame ? [] : ['', ...profileUpdate.lines, '']),
    ...(hostFile === undefined || hostText === undefined
      ? []
      : ['', ...(await changeLines(hostFile, host.field, entry)), '']),
  ];
  say(run, ...changes.map((line) => coloured(line, terminal)));
  if (changes.length > 0 && !flags.yes && !(await prompter?.yes('Write this?'))) {
    say(run, prompter === undefined ? 'Nothing was written. Use --yes to write it.' : 'Nothing was written.');
    return 1;
  }
  if (profileUpdate !== undefined) writeProfile(run, profileUpdate);
  if (hostFile === undefined)
    terminal.stdout.write(`${JSON.stringify({ [host.field]: { [SERVER_NAME]: entry } }, undefined, 2)}\n`);
  else if (hostText === undefined) say(run, `${hostFile.path} is up to date already.`);
  else say(run, `Written: ${hostFile.path}`, ...backupLine(replaceFile(hostFile, hostText, Date.now())));
  say(run, host.afterwards);
  if (agreed.isReal) warnOfShellVariables(run);
  return 0;
}

/** The entry by which a host starts this program. @throws UsageError */
function hostEntry(
  terminal: Pick<Terminal, 'execPath' | 'argv' | 'env'>,
  agreed: AgreedSettings,
  profile: string,
): HostEntry {
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
  const { file, isOpen } = run.profile;
  if (!update.isSame) {
    const backup = update.write(Date.now());
    say(run, `Settings: ${file}, readable by this user alone.`, ...backupLine(backup));
    return;
  }
  say(run, `${file} is up to date already.`);
  if (isOpen) say(run, `Every user of this machine can read it. Run \`chmod 600\` on it.`);
}

function warnOfShellVariables(run: InitRun): void {
  const { env } = run.terminal;
  const variables = filledVariables(env);
  if (variables.length === 0) return;
  say(run, `Commands in this shell use its settings, not the profile. Unset ${variables.join(', ')}.`);
}

const backupLine = (path: string | undefined): string[] => (path === undefined ? [] : [`Backup: ${path}`]);

function coloured(line: string, { stderr }: Terminal): string {
  const style = STYLES[line.charAt(0) as keyof typeof STYLES] ?? 'dim';
  return styleText(style, line, { stream: stderr });
}

const say = ({ terminal }: InitRun, ...lines: readonly string[]): void =>
  void terminal.stderr.write(lines.map((line) => `${line}\n`).join(''));

export const init: Command = {
  about: `usage: fareclerk init [--host NAME] [options]

Asks for the settings, has the doctor check them, and writes them into a
profile: a file for this user alone, which every command reads from then on.
Then it adds fareclerk to the configuration of a host, which only names the
profile. It shows each change first, and keeps copies of the old files.

  fareclerk init
  fareclerk init --host claude-desktop
  fareclerk init --host claude-code --sandbox
  fareclerk init --host vscode --project ~/desk --profile jeddah
  FARECLERK_API_KEY_FILE=/run/secrets/key fareclerk init --host cursor --yes \\
    --base-url https://air.example/ota --credentials key \\
    --agent-id A1 --agency-id Agency --currency SAR
`,
  async run(argv, terminal) {
    const { flags, settings, originChoice } = readArguments(argv, COMMANDS.init);
    const sandbox = originChoice.sandbox === true;
    if (sandbox && originChoice.profile !== undefined)
      throw new UsageError('--profile and --sandbox: choose one of the two.');
    const ownSettings = readOwnSettings(terminal.env, settings);
    const profile = openProfile(terminal.env, originChoice.profile);
    const prompter = isInteractive(terminal) ? createPrompter(terminal) : undefined;
    const run: InitRun = { terminal, flags, sandbox, profile, ownSettings, prompter };
    try {
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
