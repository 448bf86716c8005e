/** The form that a host shows when it installs the .mcpb bundle, from the list of what is asked. */
import { SETTINGS, SETUP_QUESTIONS, type SettingName } from '../src/config/settings.ts';

/** `base_url` of FARECLERK_BASE_URL. */
export const formKey = (name: SettingName): string => name.replace('FARECLERK_', '').toLowerCase();

/** `user_config` of the manifest. Every field may stay empty: that is the sandbox. */
export function bundleForm() {
  return Object.fromEntries(
    SETUP_QUESTIONS.map(({ setting, title, description }) => [
      formKey(setting),
      {
        type: setting.endsWith('_FILE') ? 'file' : 'string',
        title,
        description,
        required: false,
        ...(SETTINGS[setting].secret && { sensitive: true }),
      },
    ]),
  );
}
