/** Asks the person at the keyboard for the settings, and checks each as it is typed. */
import { absolutePath } from '../../config/folders.ts';
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
import type { Prompter } from './prompter.ts';

/** Values by variable, including secrets and `…_FILE` variables that were set before. */
export type InterviewAnswers = Readonly<Record<string, string>>;

/** A host starts the server in another folder, so paths must be absolute. */
const PATH_SETTINGS: readonly SettingName[] = ['FARECLERK_STATE_DIR', 'FARECLERK_WITNESS_DIR', 'FARECLERK_RECORD_FILE'];

/** The answers so far. Each question changes them in place. */
type Drafts = Record<string, string>;

const HOW_TO_ANSWER = 'Enter takes what is in brackets. Ctrl-C stops, and nothing is written.';

/** More settings belong into the profile itself: it names no other file. */
const QUESTIONS = SETUP_QUESTIONS.filter(({ setting }) => setting !== 'FARECLERK_SETTINGS_FILE');

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
  const choices: { readonly value: 'sandbox' | 'real' | 'current'; readonly label: string }[] = [
    { value: 'sandbox', label: 'the embedded sandbox airline: nothing is real, nothing to set' },
    {
      value: 'real',
      label: currentAirline === undefined ? 'a real one' : `${currentAirline}: go through its settings`,
    },
  ];
  if (currentAirline !== undefined) choices.push({ value: 'current', label: `${currentAirline}, as it is set up` });

  const usual = 'FARECLERK_BASE_URL' in before ? 'real' : 'sandbox';
  const preselected = currentAirline === undefined ? usual : 'current';
  const airline = await prompter.choose('Which airline is it for?', choices, preselected);
  if (airline === 'sandbox') return undefined;
  if (airline === 'current') return before;

  const answers: Drafts = { ...before };
  prompter.say(HOW_TO_ANSWER);

  for (const question of QUESTIONS) {
    if (question.when?.(answers) === false) removeSetting(answers, question.setting);
    else await askSetting(question, prompter, answers);
  }

  return answers;
}

/** Asks until the answer is valid. */
async function askSetting(
  { setting, title, description, optional }: SetupQuestion,
  prompter: Prompter,
  answers: Drafts,
): Promise<void> {
  prompter.say(`\n${description}`);

  for (;;) {
    const isSet = setting in answers || fileVariable(setting) in answers;
    const question = `${title} (${setting}${optional && isSet ? '; - for none' : ''})`;
    const typed = SETTINGS[setting].secret
      ? await prompter.secret(question, isSet)
      : await prompter.ask(question, answers[setting] ?? defaultWord(setting));
    if (typed === '' && (optional || isSet)) return;
    if (typed === '-' && optional) return removeSetting(answers, setting);

    const problem = typed === '' ? 'This setting is required.' : acceptAnswer(setting, typed, answers);
    if (problem === undefined) return;

    prompter.say(problem);
  }
}

/** Keeps a valid answer. Returns what is wrong with an invalid one. */
function acceptAnswer(setting: SettingName, typed: string, answers: Drafts): string | undefined {
  const [wrong] = parseSettings({ [setting]: typed }).invalid;
  if (wrong !== undefined) return `Expected ${wrong.expected}.`;
  removeSetting(answers, setting);
  answers[setting] = typed;
  return undefined;
}
