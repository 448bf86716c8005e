/**
 * `fareclerk init`: asks for the settings, has them checked, and puts the server into a host's configuration. Nothing is
 * written before the change was shown and agreed to; secrets are neither shown nor put into the host's file.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { readConfig, UsageError } from '../../config/load.ts';
import { stateRoot } from '../../config/state-dir.ts';
import { VERSION } from '../../version.ts';
import { changeLines, isSame } from '../init/change.ts';
import { readHostFile, SERVER, writeHostFile } from '../init/host-file.ts';
import { type Entry, HOST_NAMES, type Host, type HostName, hostOf, type Place } from '../init/hosts.ts';
import { type Answers, givenSettings, interview } from '../init/interview.ts';
import { createPrompter, PromptCancelled, type Prompter } from '../init/prompter.ts';
import { apart, writeSecrets } from '../init/secrets.ts';
import { type Arguments, readArguments } from '../terminal/arguments.ts';
import { settingsHelp } from '../terminal/help.ts';
import { isInteractive } from '../terminal/typed-yes.ts';
import type { Command, ExitCode, Terminal } from './command.ts';

const OPTIONS = {
  host: { type: 'string' },
  project: { type: 'boolean' },
  yes: { type: 'boolean' },
  'no-check': { type: 'boolean' },
} as const;

interface Run {
  readonly terminal: Terminal;
  readonly own: Arguments['own'];
  /** Undefined where nobody is at the keyboard. */
  readonly prompter: Prompter | undefined;
}

const say = ({ terminal }: Run, text: string): void => void terminal.stderr.write(`${text}\n`);

/** The environment of a host's server: settings of this shell are not in it. */
function hostEnvironment({ env }: Terminal, answers: Answers): Record<string, string | undefined> {
  const rest = Object.entries(env).filter(([name]) => !/^fareclerk_/i.test(name));
  return { ...Object.fromEntries(rest), ...answers };
}

/** The doctor's examination of these settings, shown on stderr. */
async function examined({ terminal }: Run, answers: Answers): Promise<boolean> {
  const { doctor } = await import('./doctor.ts');
  const ward: Terminal = { ...terminal, env: hostEnvironment(terminal, answers), stdout: terminal.stderr };
  return (await doctor.run(['--no-report'], ward)) === 0;
}

/** Asks, examines, and asks again where the person wants to mend something. Undefined: they stopped. */
async function agreedSettings(run: Run, given: Answers): Promise<Answers | undefined> {
  const { own, prompter } = run;
  let answers = given;
  for (;;) {
    if (prompter !== undefined) answers = await interview(prompter, answers);
    // A copy: reading settings takes the secrets out of it.
    readConfig(hostEnvironment(run.terminal, answers));
    if (own['no-check'] === true || (await examined(run, answers))) return answers;
    if (prompter === undefined) return undefined;
    const next = await prompter.choose('Something must be mended. What now?', [
      { value: 'again', label: 'answer the questions again' },
      { value: 'on', label: 'go on all the same' },
      { value: 'stop', label: 'stop; nothing was written' },
    ]);
    if (next === 'on') return answers;
    if (next === 'stop') return undefined;
  }
}

function placeOf({ env }: Terminal): Place {
  return { env, platform: process.platform, folder: process.cwd() };
}

/** As the flag names it; where nobody can be asked it must. Told before anything is examined. */
function namedHost({ terminal, own: { host, project }, prompter }: Run): Host | undefined {
  if (host !== undefined) {
    const name = HOST_NAMES.find((each) => each === host);
    if (name === undefined) throw new UsageError(`--host: expected ${HOST_NAMES.join(', ')}.`);
    return hostOf(name, placeOf(terminal), project === true);
  }
  if (prompter === undefined) {
    throw new UsageError(`init: nobody is at the keyboard; --host says which: ${HOST_NAMES.join(', ')}.`);
  }
  return undefined;
}

async function chosenHost({ terminal, own, prompter }: Run): Promise<Host> {
  const [place, project] = [placeOf(terminal), own.project === true];
  if (prompter === undefined) throw new PromptCancelled();
  const choices = HOST_NAMES.map((name: HostName) => hostOf(name, place, project)).map((each) => ({
    value: each,
    label: each.file === undefined ? each.label : `${each.label} (${each.file})`,
  }));
  return prompter.choose('Which host is it for?', choices);
}

const BROUGHT = /[/\\]_npx[/\\]/;

/** `npx` in a clone leads to the clone, by a link among the packages that npx brought. */
function linked(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** What starts this very program: npx for one that npx brought, else Node and the file, by their whole paths. */
export function entryOf({ execPath, argv }: Pick<Terminal, 'execPath' | 'argv'>, env: Answers): Entry {
  const started = argv[1] ?? SERVER;
  const file = BROUGHT.test(started) ? linked(started) : started;
  if (BROUGHT.test(file)) return { command: 'npx', args: ['-y', `${SERVER}@${VERSION}`, 'serve'], env };
  return { command: execPath, args: [file, 'serve'], env };
}

/** One airline's secrets apart from another's. */
function secretsFolder({ env }: Terminal, answers: Answers): string {
  const host = URL.parse(answers.FARECLERK_BASE_URL ?? '')?.host ?? 'sandbox';
  const agency = answers.FARECLERK_AGENCY_ID ?? '';
  const name = `${host}-${agency}`.toLowerCase().replace(/[^a-z0-9.-]+/g, '-');
  return join(stateRoot(answers.FARECLERK_STATE_DIR, env), 'secrets', name);
}

function coloured(line: string, { stderr }: Terminal): string {
  const style = line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : 'dim';
  return styleText(style, line, { stream: stderr });
}

async function install(run: Run, host: Host, answers: Answers): Promise<ExitCode> {
  const { terminal, own, prompter } = run;
  const folder = secretsFolder(terminal, answers);
  const { env, files } = apart(answers, folder);
  const entry = host.written(entryOf(terminal, env));
  const secretsTold =
    files.size === 0
      ? []
      : [`Secrets: ${files.size} ${files.size === 1 ? 'file' : 'files'} in ${folder}, for this user alone.`];
  if (host.file === undefined) {
    writeSecrets(folder, files);
    terminal.stdout.write(`${JSON.stringify({ [host.field]: { [SERVER]: entry } }, undefined, 2)}\n`);
    for (const line of [...secretsTold, host.afterwards]) say(run, line);
    return 0;
  }
  const file = readHostFile(host.file, host.field);
  if (isSame(file, entry)) {
    writeSecrets(folder, files);
    for (const line of [...secretsTold, `${file.path} is as it should be already.`]) say(run, line);
    return 0;
  }
  say(
    run,
    ['', ...changeLines(file, host.field, entry).map((line) => coloured(line, terminal)), '', ...secretsTold].join(
      '\n',
    ),
  );
  const agreed = own.yes === true || (await prompter?.yes('Write this?')) === true;
  if (!agreed) {
    say(run, prompter === undefined ? 'Nothing was written: --yes writes it.' : 'Nothing was written.');
    return 1;
  }
  writeSecrets(folder, files);
  const backup = writeHostFile(file, file.with(entry), Date.now());
  say(run, `Written: ${file.path}`);
  if (backup !== undefined) say(run, `As it was: ${backup}`);
  say(run, host.afterwards);
  return 0;
}

async function conduct(run: Run, given: Answers): Promise<ExitCode> {
  const named = namedHost(run);
  const answers = await agreedSettings(run, given);
  if (answers === undefined) {
    say(run, 'Nothing was written.');
    return 1;
  }
  return install(run, named ?? (await chosenHost(run)), answers);
}

export const init: Command = {
  get help() {
    return `usage: fareclerk init [--host NAME] [options]

Asks for the settings, has the doctor check them, and puts fareclerk into the
configuration of a host. The change is shown before it is made, and the file as
it was is kept. Secrets are typed unseen and kept in files of their own.

  fareclerk init
  fareclerk init --host claude-desktop
  fareclerk init --host vscode --project
  FARECLERK_API_KEY_FILE=/run/secrets/key fareclerk init --host cursor --yes \\
    --base-url https://air.example/ota --credentials key \\
    --agent-id A1 --agency-id Agency --currency SAR

  --host NAME  claude-desktop, claude-code, vscode, cursor or generic (prints
               the lines); without a keyboard it must be given
  --project    the configuration of this folder, for vscode and cursor
  --yes        writes without asking
  --no-check   does not ask the airline

${settingsHelp()}`;
  },
  async run(argv, terminal): Promise<ExitCode> {
    const { own, settings } = readArguments(argv, OPTIONS, { takesSettings: true });
    const prompter = isInteractive(terminal) ? createPrompter(terminal) : undefined;
    const run: Run = { terminal, own, prompter };
    try {
      return await conduct(run, givenSettings(terminal.env, settings));
    } catch (error) {
      if (!(error instanceof PromptCancelled)) throw error;
      say(run, '\nNothing was written.');
      return 1;
    } finally {
      prompter?.close();
    }
  },
};
