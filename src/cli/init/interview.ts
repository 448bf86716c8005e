/**
 * Asks for the settings, each checked as it is typed, and together when all are there.
 */

import { readConfig, SettingsError } from '../../config/load.ts';
import {
  ABOUT,
  fileVariable,
  parseSettings,
  SETTING_NAMES,
  type SettingName,
  type SettingTexts,
} from '../../config/settings.ts';
import { pathOf } from '../../config/state-dir.ts';
import type { Prompter } from './prompter.ts';
import { AIRLINE_QUESTIONS, LIMIT_QUESTIONS, type Question } from './questions.ts';

/** Values by variable, secrets among them, and `…_FILE` variables that were set before. */
export type Answers = Readonly<Record<string, string>>;

/** A host starts the server in a folder of its own: paths are written whole. */
const PATHS: readonly SettingName[] = ['FARECLERK_STATE_DIR', 'FARECLERK_RECORD_FILE'];

type Drafts = Record<string, string>;

/** What the environment and flags say already; settings of HTTP mode are not for a host that starts its own server. */
export function givenSettings(env: Readonly<Record<string, string | undefined>>, flags: SettingTexts): Answers {
  const given: Drafts = {};
  for (const name of SETTING_NAMES.filter((each) => !ABOUT[each].http)) {
    const file = ABOUT[name].secret ? fileVariable(name) : undefined;
    const [own, path] = [flags[name] ?? env[name], file && env[file]];
    if (own) given[name] = PATHS.includes(name) ? pathOf(own) : own;
    else if (file !== undefined && path) given[file] = pathOf(path);
  }
  return given;
}

const has = (answers: Answers, name: SettingName): boolean => name in answers || fileVariable(name) in answers;

/** @throws PromptCancelled */
export async function interview(prompter: Prompter, given: Answers): Promise<Answers> {
  const real = await prompter.choose(
    'Which airline is it for?',
    [
      { value: false, label: 'the embedded sandbox airline: nothing is real, nothing to set' },
      { value: true, label: 'a real one' },
    ],
    'FARECLERK_BASE_URL' in given ? 1 : 0,
  );
  const answers: Drafts = { ...given };
  if (!real) {
    for (const name of SETTING_NAMES) {
      if (ABOUT[name].airline || name === 'FARECLERK_BASE_URL') {
        delete answers[name];
        delete answers[fileVariable(name)];
      }
    }
    return answers;
  }
  answers.FARECLERK_CREDENTIALS ??= 'both';
  for (const question of [...AIRLINE_QUESTIONS, ...LIMIT_QUESTIONS]) await put(question, prompter, answers);
  return together(prompter, answers);
}

/** Asks until the answer is one. */
async function put(question: Question, prompter: Prompter, answers: Drafts): Promise<void> {
  const { setting, asks, optional, when } = question;
  if (when !== undefined && !when(answers)) {
    delete answers[setting];
    delete answers[fileVariable(setting)];
    return;
  }
  for (;;) {
    const known = has(answers, setting);
    const typed = ABOUT[setting].secret
      ? await prompter.secret(asks, known)
      : await prompter.ask(asks, answers[setting]);
    if (typed === '') {
      if (optional && !ABOUT[setting].secret) delete answers[setting];
      if (optional || known) return;
      prompter.say('This one is needed.');
      continue;
    }
    const [wrong] = parseSettings({ [setting]: typed }).wrong;
    if (wrong === undefined) {
      answers[setting] = typed;
      delete answers[fileVariable(setting)];
      return;
    }
    prompter.say(`Expected ${wrong.expected}.`);
  }
}

/** Rules between settings: what breaks one is asked for again. */
async function together(prompter: Prompter, answers: Drafts): Promise<Answers> {
  for (;;) {
    try {
      // A copy: reading settings takes the secrets out of it.
      readConfig({ ...answers });
      return answers;
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      prompter.say(error.message);
      const again = [...AIRLINE_QUESTIONS, ...LIMIT_QUESTIONS].filter(({ setting }) =>
        error.problems.some((problem) => problem.setting === setting || problem.setting === fileVariable(setting)),
      );
      if (again.length === 0) throw error;
      for (const { setting } of again) delete answers[fileVariable(setting)];
      for (const question of again) await put(question, prompter, answers);
    }
  }
}
