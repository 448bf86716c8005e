/** Asks for the settings. Checks each as it is typed, and all together at the end. */
import { ASKED, type AskedSetting, defaultWord } from '../../config/asked-settings.ts';
import { readConfig, SettingsError } from '../../config/load.ts';
import type { Problem } from '../../config/problem.ts';
import {
  fileVariable,
  parseSettings,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingTexts,
} from '../../config/settings.ts';
import { readSettingsFile } from '../../config/settings-file.ts';
import { pathOf } from '../../config/state-dir.ts';
import type { Prompter } from './prompter.ts';

/** Values by variable, including secrets and `…_FILE` variables that were set before. */
export type InterviewAnswers = Readonly<Record<string, string>>;

/** A host starts the server in another folder, so paths must be absolute. */
const PATHS: readonly SettingName[] = [
  'FARECLERK_STATE_DIR',
  'FARECLERK_WITNESS_DIR',
  'FARECLERK_RECORD_FILE',
  'FARECLERK_TICKETS_DIR',
];

type Drafts = Record<string, string>;

/** The word that returns to the question before. */
const BACK = 'back';

/** The settings of environment and flags. Leaves out those of HTTP mode, because a host starts the server on stdio. */
export function givenSettings(
  env: Readonly<Record<string, string | undefined>>,
  flags: SettingTexts,
): InterviewAnswers {
  const given: Drafts = {};
  for (const name of SETTING_NAMES.filter((each) => !SETTINGS[each].http && each !== 'FARECLERK_SETTINGS_FILE')) {
    const file = SETTINGS[name].secret ? fileVariable(name) : undefined;
    const [value, path] = [flags[name] || env[name], file && env[file]];
    if (value) given[name] = PATHS.includes(name) ? pathOf(value) : value;
    else if (file !== undefined && path) given[file] = pathOf(path);
  }
  return given;
}

/** The settings `before` with those that are given. A secret and its file replace each other. */
export function replaced(before: InterviewAnswers, given: InterviewAnswers): InterviewAnswers {
  const answers: Drafts = { ...before };
  for (const name of SETTING_NAMES) if (name in given || fileVariable(name) in given) forget(answers, name);
  return { ...answers, ...given };
}

/** Removes a setting and its `_FILE` variable. */
function forget(answers: Drafts, name: SettingName): void {
  delete answers[name];
  delete answers[fileVariable(name)];
}

/**
 * Undefined for the sandbox.
 * @param known the airline that is set up already
 * @throws PromptCancelled
 */
export async function interview(
  prompter: Prompter,
  given: InterviewAnswers,
  known: string | undefined,
): Promise<InterviewAnswers | undefined> {
  const choices = [
    { value: 'sandbox', label: 'the embedded sandbox airline: nothing is real, nothing to set' },
    { value: 'real', label: known === undefined ? 'a real one' : `${known}: go through its settings` },
    ...(known === undefined ? [] : [{ value: 'known', label: `${known}, as it is set up` }]),
  ];
  const first = known === undefined ? Number('FARECLERK_BASE_URL' in given) : 2;
  const airline = await prompter.choose('Which airline is it for?', choices, first);
  if (airline === 'sandbox') return undefined;
  if (airline === 'known') return given;
  const answers: Drafts = { ...given };
  prompter.say(HOW_TO_ANSWER);
  if (!(await putAll(prompter, answers))) return interview(prompter, given, known);
  return together(prompter, answers);
}

const HOW_TO_ANSWER = `Enter takes what is in brackets. "${BACK}" returns to the question before. Ctrl-C stops, and nothing is written.`;

/** In order, and back again. False: the person went back behind the first question. */
async function putAll(prompter: Prompter, answers: Drafts): Promise<boolean> {
  const asked: number[] = [];
  for (let at = 0; at < ASKED.length; at++) {
    const question = ASKED[at] as AskedSetting;
    if (question.when?.(answers) === false) {
      forget(answers, question.setting);
      continue;
    }
    if (await put(question, prompter, answers)) {
      asked.push(at);
      continue;
    }
    const before = asked.pop();
    if (before === undefined) return false;
    at = before - 1;
  }
  return true;
}

/** Asks until the answer is valid. False: the person wants to go back. */
async function put(
  { setting, title, description, optional }: AskedSetting,
  prompter: Prompter,
  answers: Drafts,
): Promise<boolean> {
  prompter.say(`\n${description}`);
  for (;;) {
    const known = setting in answers || fileVariable(setting) in answers;
    const question = `${title} (${setting}${optional && known ? '; - for none' : ''})`;
    const typed = SETTINGS[setting].secret
      ? await prompter.secret(question, known)
      : await prompter.ask(question, answers[setting] ?? defaultWord(setting));
    if (typed.toLowerCase() === BACK) return false;
    if (typed === '' && (optional || known)) return true;
    if (typed === '-' && optional) {
      forget(answers, setting);
      return true;
    }
    const wrong = typed === '' ? 'This setting is required.' : taken(setting, typed, answers);
    if (wrong === undefined) return true;
    prompter.say(wrong);
  }
}

/** Takes a valid answer; returns what is wrong with another. */
function taken(setting: SettingName, typed: string, answers: Drafts): string | undefined {
  if (setting === 'FARECLERK_SETTINGS_FILE') return takenFrom(typed, answers);
  const [wrong] = parseSettings({ [setting]: typed }).wrong;
  if (wrong !== undefined) return `Expected ${wrong.expected}.`;
  forget(answers, setting);
  answers[setting] = typed;
  return undefined;
}

/** A profile names no other file: it gets the settings that are in it, and what was answered wins. */
function takenFrom(path: string, answers: Drafts): string | undefined {
  const problems: Problem[] = [];
  const { settings } = readSettingsFile({ path, namedBy: 'FARECLERK_SETTINGS_FILE' }, problems);
  const [problem] = problems;
  if (problem !== undefined) return `This ${problem.wrong} Expected: ${problem.expected}.`;
  Object.assign(answers, replaced(givenSettings(settings, {}), answers));
  return undefined;
}

/** Checks the rules between settings, and asks again for those that break one. */
async function together(prompter: Prompter, answers: Drafts): Promise<InterviewAnswers> {
  for (;;) {
    try {
      // A copy: reading settings removes the secrets from it.
      readConfig({ ...answers });
      return answers;
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      prompter.say(error.message);
      const again = ASKED.filter(({ setting }) =>
        error.problems.some((problem) => problem.setting === setting || problem.setting === fileVariable(setting)),
      );
      if (again.length === 0) throw error;
      for (const { setting } of again) delete answers[fileVariable(setting)];
      for (const question of again) await put(question, prompter, answers);
    }
  }
}
