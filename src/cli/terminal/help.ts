/**
 * The list of settings in a command's help.
 */
import { ABOUT, flagOf, SETTING_NAMES } from '../../config/settings.ts';

/** One row per setting: its flag, or for a secret its variable, and what it is for. */
export function settingsHelp(): string {
  const rows = SETTING_NAMES.map((name) => {
    const { secret, says } = ABOUT[name];
    const label = secret ? name : flagOf(name);
    return `  ${label}\n      ${says}`;
  });
  return `Settings (flag, or environment: --base-url is FARECLERK_BASE_URL; a flag wins;
secrets come from the environment, or from the file named by NAME_FILE):
${rows.join('\n')}
`;
}
