/** Asks the person at the keyboard for the settings: checks each as it is typed, and all together at the end. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { absolutePath } from '../../config/folders.ts';
import { readConfig, SettingsError } from '../../config/load.ts';
import type { Problem } from '../../config/problem.ts';
import {
  defaultWord,
  fileVariable,
  parseSettings,
  SETTING_NAMES,
  SETTINGS,
  SETUP_QUESTIONS,
  type SettingName,
  type SettingTexts,
  type SetupQuestion,
} from '../../config/settings.ts';
import { readSettingsFile } from '../../config/sources.ts';
import type { Terminal } from '../commands/command.ts';

/** Values by variable, including secrets and `…_FILE` variables that were set before. */
export type InterviewAnswers = Readonly<Record<string, string>>;

/** A host starts the server in another folder, so paths must be absolute. */
const PATH_SETTINGS: readonly SettingName[] = [
  'FARECLERK_STATE_DIR',
  'FARECLERK_WITNESS_DIR',
  'FARECLERK_RECORD_FILE',
  'FARECLERK_TICKETS_DIR',
];

type Drafts = Record<string, string>;

/** The word that returns to the question before. */
const BACK = 'back';

/** Reads the settings from variables and flags. Leaves out those of HTTP mode, because a host starts the server on stdio. */
export function settingsFrom(
  variables: Readonly<Record<string, string | undefined>>,
  flags: SettingTexts,
): InterviewAnswers {
  const settings: Drafts = {};
  for (const name of SETTING_NAMES.filter((each) => !SETTINGS[each].http && each !== 'FARECLERK_SETTINGS_FILE')) {
    const value = flags[name] || variables[name];
    const pathVariable = SETTINGS[name].secret ? fileVariable(name) : undefined;
    const path = pathVariable && variables[pathVariable];
    if (value) settings[name] = PATH_SETTINGS.includes(name) ? absolutePath(value) : value;
    else if (pathVariable !== undefined && path) settings[pathVariable] = absolutePath(path);
  }
  return settings;
}

/** Returns the settings `before` with these changes. A secret and its file replace each other. */
export function withSettings(before: InterviewAnswers, changes: InterviewAnswers): InterviewAnswers {
  const answers: Drafts = { ...before };
  for (const name of SETTING_NAMES) if (name in changes || fileVariable(name) in changes) removeSetting(answers, name);
  return { ...answers, ...changes };
}

/** Removes a setting and its `_FILE` variable. */
function removeSetting(answers: Drafts, name: SettingName): void {
  delete answers[name];
  delete answers[fileVariable(name)];
}

const HOW_TO_ANSWER = `Enter takes what is in brackets. "${BACK}" returns to the question before. Ctrl-C stops, and nothing is written.`;

/**
 * Asks for the settings of one airline; undefined for the sandbox.
 * @param before the settings before the interview: the defaults of its questions
 * @param currentAirline the airline that is set up already
 * @throws PromptCancelled
 */
export async function interview(
  prompter: Prompter,
  before: InterviewAnswers,
  currentAirline: string | undefined,
): Promise<InterviewAnswers | undefined> {
  const choices = [
    { value: 'sandbox', label: 'the embedded sandbox airline: nothing is real, nothing to set' },
    {
      value: 'real',
      label: currentAirline === undefined ? 'a real one' : `${currentAirline}: go through its settings`,
    },
    ...(currentAirline === undefined ? [] : [{ value: 'current', label: `${currentAirline}, as it is set up` }]),
  ];
  const preselected = currentAirline === undefined ? Number('FARECLERK_BASE_URL' in before) : 2;
  const airline = await prompter.choose('Which airline is it for?', choices, preselected);
  if (airline === 'sandbox') return undefined;
  if (airline === 'current') return before;
  const answers: Drafts = { ...before };
  prompter.say(HOW_TO_ANSWER);
  if (!(await askAll(prompter, answers))) return interview(prompter, before, currentAirline);
  return askUntilRulesHold(prompter, answers);
}

/** Asks in order, and goes back where the person wants to. Returns false if they went back from the first question. */
async function askAll(prompter: Prompter, answers: Drafts): Promise<boolean> {
  const askedBefore: number[] = [];
  for (let i = 0; i < SETUP_QUESTIONS.length; i++) {
    const question = SETUP_QUESTIONS[i] as SetupQuestion;
    if (question.when?.(answers) === false) {
      removeSetting(answers, question.setting);
      continue;
    }
    if (await askSetting(question, prompter, answers)) {
      askedBefore.push(i);
      continue;
    }
    const previous = askedBefore.pop();
    if (previous === undefined) return false;
    i = previous - 1;
  }
  return true;
}

/** Asks until the answer is valid. Returns false if the person wants to go back. */
async function askSetting(
  { setting, title, description, optional }: SetupQuestion,
  prompter: Prompter,
  answers: Drafts,
): Promise<boolean> {
  prompter.say(`\n${description}`);
  for (;;) {
    const isSet = setting in answers || fileVariable(setting) in answers;
    const question = `${title} (${setting}${optional && isSet ? '; - for none' : ''})`;
    const typed = SETTINGS[setting].secret
      ? await prompter.secret(question, isSet)
      : await prompter.ask(question, answers[setting] ?? defaultWord(setting));
    if (typed.toLowerCase() === BACK) return false;
    if (typed === '' && (optional || isSet)) return true;
    if (typed === '-' && optional) {
      removeSetting(answers, setting);
      return true;
    }
    const problem = typed === '' ? 'This setting is required.' : acceptAnswer(setting, typed, answers);
    if (problem === undefined) return true;
    prompter.say(problem);
  }
}

/** Keeps a valid answer. Returns what is wrong with an invalid one. */
function acceptAnswer(setting: SettingName, typed: string, answers: Drafts): string | undefined {
  if (setting === 'FARECLERK_SETTINGS_FILE') return acceptSettingsFile(typed, answers);
  const [wrong] = parseSettings({ [setting]: typed }).invalid;
  if (wrong !== undefined) return `Expected ${wrong.expected}.`;
  removeSetting(answers, setting);
  answers[setting] = typed;
  return undefined;
}

/** Takes over the settings in a file, because a profile names no other file. Answers that were given before win. */
function acceptSettingsFile(path: string, answers: Drafts): string | undefined {
  const problems: Problem[] = [];
  const { settings } = readSettingsFile({ path, namedBy: 'FARECLERK_SETTINGS_FILE' }, problems);
  const [problem] = problems;
  if (problem !== undefined) return `This ${problem.wrong} Expected: ${problem.expected}.`;
  Object.assign(answers, withSettings(settingsFrom(settings, {}), answers));
  return undefined;
}

/** Checks the rules between settings, and asks again for those that break one. */
async function askUntilRulesHold(prompter: Prompter, answers: Drafts): Promise<InterviewAnswers> {
  for (;;) {
    try {
      // A copy: reading settings removes the secrets from it.
      readConfig({ ...answers });
      return answers;
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      prompter.say(error.message);
      const brokenSettings = SETUP_QUESTIONS.filter(({ setting }) =>
        error.problems.some((problem) => problem.setting === setting || problem.setting === fileVariable(setting)),
      );
      if (brokenSettings.length === 0) throw error;
      for (const { setting } of brokenSettings) delete answers[fileVariable(setting)];
      for (const question of brokenSettings) await askSetting(question, prompter, answers);
    }
  }
}

/** The person left: Ctrl-C, Ctrl-D or a closed window. */
export class PromptCancelled extends Error {
  override readonly name = 'PromptCancelled';
}

/**
 * Asks at the keyboard. Writes everything to stderr: stdout carries the result. Text typed ahead answers the next question, except for a secret, which
 * is never echoed.
 */
export function createPrompter({ stdin, stderr }: Terminal) {
  const input = createLines(stdin, stderr);
  const bold = (text: string): string => styleText('bold', text, { stream: stderr });
  const say = (text: string): void => void stderr.write(`${text}\n`);

  /** Enter takes the default, if there is one. */
  async function ask(question: string, fallback = ''): Promise<string> {
    const defaultText = fallback === '' ? '' : ` [${fallback}]`;
    return (await input.line(`${bold(question)}${defaultText}: `)) || fallback;
  }

  return {
    say,
    ask,
    /** Enter keeps a secret that is set: the answer is empty then. */
    secret(question: string, isSet: boolean): Promise<string> {
      const prompt = `${bold(question)} (not shown)${isSet ? ' [keep the one that is set]' : ''}: `;
      return input.hidden(prompt);
    },
    /** @param preselected index of the choice that Enter takes */
    async choose<T>(question: string, choices: readonly { value: T; label: string }[], preselected = 0): Promise<T> {
      say([bold(question), ...choices.map(({ label }, i) => `  ${i + 1}) ${label}`)].join('\n'));
      for (;;) {
        const typed = await ask(`1-${choices.length}`, String(preselected + 1));
        const chosen = /^\d+$/.test(typed) ? choices[Number(typed) - 1] : undefined;
        if (chosen !== undefined) return chosen.value;
        say(`Type a number from 1 to ${choices.length}.`);
      }
    },
    async yes(question: string): Promise<boolean> {
      for (;;) {
        const typed = (await ask(`${question} (yes/no)`)).toLowerCase();
        if (/^y(?:es)?$/.test(typed)) return true;
        if (/^no?$/.test(typed)) return false;
      }
    },
    close: input.close,
  };
}

export type Prompter = ReturnType<typeof createPrompter>;

/** Reads lines from the keyboard, trimmed. Each reading throws {@link PromptCancelled} once the person has left. */
function createLines(stdin: Terminal['stdin'], stderr: Terminal['stderr']) {
  let isMuted = false;
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) stderr.write(chunk);
      done();
    },
  });
  // The line editor needs the width of the real window.
  Object.defineProperty(echo, 'columns', { get: () => stderr.columns });
  // Keeps no history: the arrow key must not bring a secret back.
  const reader = createInterface({ input: stdin, output: echo, terminal: true, historySize: 0 });
  const linesAhead: string[] = [];
  let waiting: PromiseWithResolvers<string> | undefined;
  let hasLeft = false;
  reader.on('line', (line) => {
    if (waiting === undefined) linesAhead.push(line);
    else waiting.resolve(line);
  });
  reader.once('SIGINT', () => reader.close());
  reader.once('close', () => {
    hasLeft = true;
    waiting?.reject(new PromptCancelled());
  });

  async function line(prompt: string): Promise<string> {
    if (hasLeft) throw new PromptCancelled();
    const typedAhead = linesAhead.shift();
    reader.setPrompt(prompt);
    reader.prompt();
    if (typedAhead !== undefined) {
      echo.write(`${typedAhead}\n`);
      return typedAhead.trim();
    }
    waiting = Promise.withResolvers();
    try {
      return (await waiting.promise).trim();
    } finally {
      waiting = undefined;
    }
  }

  return {
    line,
    /** Reads a line without echo. Ignores what was typed before the prompt. */
    async hidden(prompt: string): Promise<string> {
      linesAhead.length = 0;
      stderr.write(prompt);
      isMuted = true;
      try {
        return await line('');
      } finally {
        isMuted = false;
        stderr.write('\n');
      }
    },
    close: () => reader.close(),
  };
}
