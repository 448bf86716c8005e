/**
 * `fareclerk init`: asks for the settings, checks them, and adds the server to a host's configuration. It shows the change
 * and asks before it writes. Secrets are neither shown nor put into the host's file.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { readConfig, UsageError } from '../../config/load.ts';
import { stateRoot } from '../../config/state-dir.ts';
import { VERSION } from '../../version.ts';
import { changeLines, isSame } from '../init/change.ts';
import { readHostFile, SERVER, writeHostFile } from '../init/host-file.ts';
import { type Entry, HOST_NAMES, type Host, hostOf } from '../init/hosts.ts';
import { type Answers, givenSettings, interview } from '../init/interview.ts';
import { createPrompter, PromptCancelled, type Prompter } from '../init/prompter.ts';
import { apart, writeSecrets } from '../init/secrets.ts';
import { type Arguments, readArguments } from '../terminal/arguments.ts';
import { isInteractive } from '../terminal/typed-yes.ts';
import type { Command, ExitCode, Terminal } from './command.ts';
import { COMMANDS } from './index.ts';

interface Run {
  readonly terminal: Terminal;
  readonly own: Arguments<typeof COMMANDS.init.options>['own'];
  /** Undefined if nobody is at the keyboard. */
  readonly prompter: Prompter | undefined;
}

const say = ({ terminal }: Run, ...lines: readonly string[]): void =>
  void terminal.stderr.write(lines.map((line) => `${line}\n`).join(''));

/** The environment of a host's server, without the settings of this shell. */
function hostEnvironment({ env }: Terminal, answers: Answers): Record<string, string | undefined> {
  const rest = Object.entries(env).filter(([name]) => !/^fareclerk_/i.test(name));
  return { ...Object.fromEntries(rest), ...answers };
}

/** Runs the doctor on these settings; its result goes to stderr. */
async function examined({ terminal }: Run, answers: Answers): Promise<boolean> {
  const { doctor } = await import('./doctor.ts');
  const ward: Terminal = { ...terminal, env: hostEnvironment(terminal, answers), stdout: terminal.stderr };
  return (await doctor.run(['--no-report'], ward)) === 0;
}

/** Asks and checks until the person agrees. Undefined if they stopped. */
async function agreedSettings(run: Run, given: Answers): Promise<Answers | undefined> {
  const { own, prompter } = run;
  let answers = given;
  for (;;) {
    if (prompter !== undefined) answers = await interview(prompter, answers);
    // A copy: reading settings removes the secrets from it.
    readConfig(hostEnvironment(run.terminal, answers));
    if (own['no-check'] || (await examined(run, answers))) return answers;
    if (prompter === undefined) return undefined;
    const next = await prompter.choose('Something must be corrected. What now?', [
      { value: 'again', label: 'answer the questions again' },
      { value: 'on', label: 'continue anyway' },
      { value: 'stop', label: 'stop; nothing was written' },
    ]);
    if (next === 'on') return answers;
    if (next === 'stop') return undefined;
  }
}

/** Returns how to get the host. Checks first that --host is given if nobody is at the keyboard. */
function chosenHost({ terminal, own, prompter }: Run): () => Promise<Host> {
  const { host, project = false } = own;
  const place = { env: terminal.env, platform: process.platform, folder: process.cwd() };
  if (host !== undefined) return async () => hostOf(host, place, project);
  if (prompter === undefined) {
    throw new UsageError(`init: nobody is at the keyboard; --host says which: ${HOST_NAMES.join(', ')}.`);
  }
  const choices = HOST_NAMES.map((name) => hostOf(name, place, project)).map((each) => ({
    value: each,
    label: each.file === undefined ? each.label : `${each.label} (${each.file})`,
  }));
  return () => prompter.choose('Which host is it for?', choices);
}

const BROUGHT = /[/\\]_npx[/\\]/;

/** Follows the link by which `npx` in a clone starts the clone. */
function linked(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** How to start this program again: with npx if npx installed it, else with Node and absolute paths. */
export function entryOf({ execPath, argv }: Pick<Terminal, 'execPath' | 'argv'>, env: Answers): Entry {
  const started = argv[1] ?? SERVER;
  const file = BROUGHT.test(started) ? linked(started) : started;
  if (BROUGHT.test(file)) return { command: 'npx', args: ['-y', `${SERVER}@${VERSION}`, 'serve'], env };
  return { command: execPath, args: [file, 'serve'], env };
}

/** One folder per airline and agency. */
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
  const entry = { ...(host.typed && { type: 'stdio' }), ...entryOf(terminal, env) };
  const count = files.size === 1 ? '1 file' : `${files.size} files`;
  const secrets = files.size === 0 ? [] : [`Secrets: ${count} in ${folder}, readable by this user alone.`];
  if (host.file === undefined) {
    writeSecrets(folder, files);
    terminal.stdout.write(`${JSON.stringify({ [host.field]: { [SERVER]: entry } }, undefined, 2)}\n`);
    say(run, ...secrets, host.afterwards);
    return 0;
  }
  const file = await readHostFile(host.file, host.field);
  if (isSame(file, entry)) {
    writeSecrets(folder, files);
    say(run, ...secrets, `${file.path} is up to date already.`);
    return 0;
  }
  const text = file.with(entry);
  const change = await changeLines(file, host.field, entry);
  say(run, '', ...change.map((line) => coloured(line, terminal)), '', ...secrets);
  if (!own.yes && !(await prompter?.yes('Write this?'))) {
    say(run, prompter === undefined ? 'Nothing was written. Use --yes to write it.' : 'Nothing was written.');
    return 1;
  }
  writeSecrets(folder, files);
  const backup = writeHostFile(file, text, Date.now());
  say(run, `Written: ${file.path}`, ...(backup === undefined ? [] : [`Backup: ${backup}`]), host.afterwards);
  return 0;
}

async function conduct(run: Run, given: Answers): Promise<ExitCode> {
  const host = chosenHost(run);
  const answers = await agreedSettings(run, given);
  if (answers !== undefined) return install(run, await host(), answers);
  say(run, 'Nothing was written.');
  return 1;
}

export const init: Command = {
  about: `usage: fareclerk init [--host NAME] [options]

Asks for the settings, has the doctor check them, and adds fareclerk to the
configuration of a host. It shows the change before it writes, and keeps a copy
of the old file. Secrets are typed unseen and kept in files of their own.

  fareclerk init
  fareclerk init --host claude-desktop
  fareclerk init --host vscode --project
  FARECLERK_API_KEY_FILE=/run/secrets/key fareclerk init --host cursor --yes \\
    --base-url https://air.example/ota --credentials key \\
    --agent-id A1 --agency-id Agency --currency SAR
`,
  async run(argv, terminal) {
    const { own, settings } = readArguments(argv, COMMANDS.init);
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
