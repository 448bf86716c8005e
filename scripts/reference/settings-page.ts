/** docs/reference/settings.md: every setting, grouped by what people want to do. */
import { fileVariable, flagOf, SETTING_NAMES, SETTINGS, type SettingName } from '../../src/config/settings.ts';
import { SETTING_EXAMPLES, SETTING_GROUPS } from './setting-groups.ts';

const HEAD = `# Settings

Written by \`node scripts/manifests.ts\` from \`src/config/settings.ts\`.

- Settings are environment variables. In a host they are in \`"env"\` of the server's entry: a host does not pass on the settings of
  your shell. [Connect a host](../start/hosts.md) shows where.
- A setting that is not secret is also a flag of the commands that use it. A flag overrides the variable.
- A secret can also come from a file: add \`_FILE\` to its name. A secret is never a flag.
- Settings can also come from a text file, one \`NAME=value\` a line: name it in \`FARECLERK_SETTINGS_FILE\`. \`#\` begins a comment,
  \`export\` and quotes are allowed. Variables and flags override the file. It may hold secrets: make it readable for yourself only. The
  form of the Claude Desktop bundle asks for the few settings that most people need; the file is for the others.
- If a setting is wrong or misspelt, the program exits with code 2 and says what it expected. \`fareclerk init\` asks for the settings,
  and \`fareclerk doctor\` checks them.
`;

/** Written the way a parser says it: "a whole https address, without …". */
function formatOf(name: SettingName): string {
  const parsed = SETTINGS[name].kind().safeParse('\u0000');
  if (parsed.success) return 'any text';
  return (parsed.error.issues[0]?.message ?? '').replace(/^expected /, '');
}

function defaultOf(name: SettingName): string {
  const { fallback }: { fallback: unknown } = SETTINGS[name];
  if (fallback === undefined || (Array.isArray(fallback) && fallback.length === 0)) return 'not set';
  if (typeof fallback === 'number' && name.endsWith('_SECONDS')) return `\`${fallback / 1000}\``;
  return `\`${String(fallback)}\``;
}

function section(name: SettingName): string {
  const { says, secret } = SETTINGS[name];
  const example = SETTING_EXAMPLES[name];
  if (example === undefined) throw new Error(`${name} has no example in scripts/reference/setting-groups.ts`);
  const given = secret ? `secret; or a file, in \`${fileVariable(name)}\`` : `flag \`${flagOf(name)}\``;
  return [
    `### ${name}\n`,
    `${says.charAt(0).toUpperCase()}${says.slice(1)}.\n`,
    `- **Format:** ${formatOf(name)}`,
    `- **Default:** ${defaultOf(name)}`,
    `- **Example:** \`${name}=${example}\``,
    `- **Also:** ${given}\n`,
  ].join('\n');
}

export function settingsPage(): string {
  const known = new Set<string>(SETTING_NAMES);
  const groups = SETTING_GROUPS.map(({ heading, says, names }) =>
    [`## ${heading}\n`, `${says}\n`, ...names.filter((name): name is SettingName => known.has(name)).map(section)].join(
      '\n',
    ),
  );
  return [HEAD, ...groups].join('\n');
}
