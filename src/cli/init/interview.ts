/** Asks for the settings. Checks each as it is typed, and all together at the end. */
import { readConfig, SettingsError } from '../../config/load.ts';
import {
  fileVariable,
  parseSettings,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingTexts,
} from '../../config/settings.ts';
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

interface InterviewQuestion {
  readonly setting: SettingName;
  readonly asks: string;
  /** The answer may be empty. */
  readonly optional?: true;
  /** Whether to ask; default: always. */
  readonly when?: (answers: SettingTexts) => boolean;
}

const withKey = ({ FARECLERK_CREDENTIALS: mode }: SettingTexts): boolean => mode !== 'token';
const withLogin = ({ FARECLERK_CREDENTIALS: mode }: SettingTexts): boolean => mode !== 'key';

/** In order. Other settings have defaults that most people keep; flags and the environment set them. */
const QUESTIONS: readonly InterviewQuestion[] = [
  { setting: 'FARECLERK_BASE_URL', asks: 'Address of the reservation messages (base address)' },
  { setting: 'FARECLERK_CREDENTIALS', asks: 'Credentials: both, key or token' },
  { setting: 'FARECLERK_API_KEY', asks: 'Api key', when: withKey },
  { setting: 'FARECLERK_AUTH_URL', asks: 'Address of the identity provider, with /realms/NAME', when: withLogin },
  { setting: 'FARECLERK_CLIENT_ID', asks: 'Application id', when: withLogin },
  { setting: 'FARECLERK_CLIENT_SECRET', asks: 'Application secret', when: withLogin },
  { setting: 'FARECLERK_USERNAME', asks: 'User name', when: withLogin },
  { setting: 'FARECLERK_PASSWORD', asks: 'Password', when: withLogin },
  { setting: 'FARECLERK_AGENT_ID', asks: 'Agent id (point of sale)' },
  { setting: 'FARECLERK_AGENCY_ID', asks: 'Agency id (point of sale)' },
  { setting: 'FARECLERK_CURRENCY', asks: 'Currency (point of sale), such as SAR' },
  { setting: 'FARECLERK_GATEWAY_URL', asks: 'Address of routes and calendar, if there is one', optional: true },
  { setting: 'FARECLERK_REST_URL', asks: 'Address of ticket downloads, if there is one', optional: true },
  { setting: 'FARECLERK_CARRIER', asks: 'Carrier code where replies name none, such as HHR', optional: true },
  {
    setting: 'FARECLERK_LIMIT_PER_ACTION',
    asks: 'Most money that one action may move, if there is a limit',
    optional: true,
  },
  { setting: 'FARECLERK_LIMIT_PER_DAY', asks: 'Most money in 24 hours, if there is a limit', optional: true },
];

/** What every real airline needs. */
export const NEEDED = QUESTIONS.filter(({ optional }) => optional !== true).map(({ setting }) => setting);

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
  const answers: Drafts = { FARECLERK_CREDENTIALS: 'both', ...given };
  for (const question of QUESTIONS) await put(question, prompter, answers);
  return together(prompter, answers);
}

/** Asks until the answer is valid. */
async function put(question: InterviewQuestion, prompter: Prompter, answers: Drafts): Promise<void> {
  const { setting, asks, optional, when } = question;
  if (when?.(answers) === false) return forget(answers, setting);
  const { secret } = SETTINGS[setting];
  for (;;) {
    const known = setting in answers || fileVariable(setting) in answers;
    const question = optional && known ? `${asks} (- for none)` : asks;
    const typed = secret ? await prompter.secret(question, known) : await prompter.ask(question, answers[setting]);
    if (typed === '' && (optional || known)) return;
    if (typed === '-' && optional) return forget(answers, setting);
    const [wrong] = parseSettings({ [setting]: typed }).wrong;
    if (typed !== '' && wrong === undefined) {
      forget(answers, setting);
      answers[setting] = typed;
      return;
    }
    prompter.say(typed === '' ? 'This setting is required.' : `Expected ${wrong?.expected}.`);
  }
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
      const again = QUESTIONS.filter(({ setting }) =>
        error.problems.some((problem) => problem.setting === setting || problem.setting === fileVariable(setting)),
      );
      if (again.length === 0) throw error;
      for (const { setting } of again) delete answers[fileVariable(setting)];
      for (const question of again) await put(question, prompter, answers);
    }
  }
}
