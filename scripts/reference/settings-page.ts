/** docs/reference/settings.md: every setting in its group. */

import { anchor } from '../../docs/.vitepress/anchor.ts';
import {
  fileVariable,
  flagName,
  SETTING_GROUPS,
  SETTING_NAMES,
  SETTINGS,
  type SettingGroup,
  type SettingName,
  settingDefault,
} from '../../src/config/settings.ts';
import { GROUP_NOTES, SETTING_EXAMPLES } from './setting-groups.ts';

const HEAD = `# Settings

Written by \`npm run write\` from \`src/config/settings.ts\`. Nothing must be set: without \`FARECLERK_BASE_URL\` the
program uses its own [sandbox airline](../concepts/sandbox.md), and every result says \`sandbox\`.
`;

/** The settings that most people need, in the order in which they need them. */
const FIRST: readonly SettingName[] = [
  'FARECLERK_BASE_URL',
  'FARECLERK_CREDENTIALS',
  'FARECLERK_API_KEY',
  'FARECLERK_AGENT_ID',
  'FARECLERK_AGENCY_ID',
  'FARECLERK_CURRENCY',
  'FARECLERK_TIME_ZONE',
  'FARECLERK_LIMIT_PER_ACTION',
  'FARECLERK_LIMIT_PER_DAY',
  'FARECLERK_TOOLSET',
];

const SOURCES = `## Where settings come from

- \`fareclerk init\` writes the settings of an airline into one file, its **profile**, that only you can read: \`NAME=value\`, one a
  line; a line that begins with \`#\` is a comment, \`export\` and quotes are allowed. It is \`fareclerk/default.env\` in \`$XDG_CONFIG_HOME\` or \`~/.config\`
  (macOS: \`~/Library/Application Support\`; Windows: \`%APPDATA%\`). The host's entry only names it, and every command reads it.
  \`--profile NAME\` takes another, \`--sandbox\` the embedded sandbox airline.
- Or settings are environment variables, as containers and the form of the Claude Desktop bundle give them. As soon as one
  \`FARECLERK_\` variable is set, all settings come from the environment, and no profile is read. With \`--profile\` that is an error.
  \`FARECLERK_SETTINGS_FILE\` names a file of more of them; variables override it.
- A setting that is not secret is also a flag. A flag overrides the profile and the environment. While there is a profile, a flag
  cannot name the point of sale or a folder of the state. With \`--base-url\` or \`--settings-file\` no profile is read.
- A secret is never a flag. It can also come from a file: add \`_FILE\` to its name, in a profile too.
- Every file that is named here is believed only if nobody else could have written it: settings, profiles, files of secrets
  (\`…_FILE\`), callers, the state folder and the second records. The file, the folder in which it lies and a link that names it belong to
  this user or root, and no other user can write them. A group may write if this user is in it: a home with umask 002, or \`fsGroup\` of
  Kubernetes, so put nobody else into that group. Else the file is refused, with its mode and what to do. The folder may be open
  to all if it is sticky, so the links of a Kubernetes secret work. Folders further up, POSIX access lists and owners that a user namespace does
  not map are not looked at. A file of settings or secrets that everybody can read is reported.
- \`demo\` and \`sandbox\` read no profile.
- If a setting is wrong or misspelt, the program exits with code 2 and says what it expected. \`fareclerk init\` asks for the settings,
  and \`fareclerk doctor\` checks them.
`;

/** Written the way a parser says it: "a whole https address, without …". */
function formatOf(name: SettingName): string {
  const parsed = SETTINGS[name].parser.safeParse('\u0000');
  if (parsed.success) return 'any text';
  return (parsed.error.issues[0]?.message ?? '').replace(/^expected /, '');
}

function defaultOf(name: SettingName): string {
  const value = settingDefault(name);
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'not set';
  return `\`${String(value)}\``;
}

function section(name: SettingName): string {
  const { says, secret } = SETTINGS[name];
  const example = SETTING_EXAMPLES[name];
  if (example === undefined) throw new Error(`${name} has no example in scripts/reference/setting-groups.ts`);
  const given = secret ? `secret; or a file, in \`${fileVariable(name)}\`` : `flag \`${flagName(name)}\``;
  return [
    `### ${name}\n`,
    `${sentence(says)}\n`,
    `- **Format:** ${formatOf(name)}`,
    `- **Default:** ${defaultOf(name)}`,
    `- **Example:** \`${name}=${example}\``,
    `- **Also:** ${given}\n`,
  ].join('\n');
}

/** The settings that most people need, and links to all others. */
function firstList(groups: readonly SettingGroup[]): string {
  const rows = FIRST.map((name) => `| [\`${name}\`](#${anchor(name)}) | ${sentence(SETTINGS[name].says)} |`);
  const links = groups.map((group) => GROUP_NOTES[group].heading).map((heading) => `[${heading}](#${anchor(heading)})`);
  return ['| the ten that most people need | |', '| --- | --- |', ...rows, `\nAll others: ${links.join(', ')}.\n`].join(
    '\n',
  );
}

const sentence = (says: string): string => `${says.charAt(0).toUpperCase()}${says.slice(1)}.`;

function namesOf(group: SettingGroup): readonly SettingName[] {
  return SETTING_NAMES.filter((name) => SETTINGS[name].group === group);
}

export function settingsPage(): string {
  const groups = Object.keys(SETTING_GROUPS) as SettingGroup[];
  const sections = groups.map((group) => {
    const { heading, says } = GROUP_NOTES[group];
    return [`## ${heading}\n`, `${says}\n`, ...namesOf(group).map(section)].join('\n');
  });
  return [HEAD, firstList(groups), SOURCES, ...sections].join('\n');
}
