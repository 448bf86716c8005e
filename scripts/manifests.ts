/**
 * Writes manifest.json (MCPB 0.3), server.json (registry schema 2025-12-11), the pages of settings and commands, and the
 * one-click install links from the settings, the commands and the catalog. `npm run write` writes them; a test compares them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { SETTINGS, SETUP_QUESTIONS, type SetupQuestion, settingWords } from '../src/config/settings.ts';
import { VERSION } from '../src/core/version.ts';
import { CATALOG } from '../src/tools/index.ts';
import { bundleForm, formKey } from './bundle-form.ts';
import { repositoryOf, withInstallLinks } from './install-links.ts';
import { commandsPage } from './reference/commands-page.ts';
import { settingsPage } from './reference/settings-page.ts';

const DESCRIPTION = 'Books, changes and refunds airline trips; nothing moves money without your yes to the exact terms';

interface PackageFile {
  readonly name: string;
  readonly mcpName: string;
  readonly license: string;
  readonly engines: { readonly node: string };
}

function packageFile(): PackageFile {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
}

export function manifest() {
  const { name, mcpName, license, engines } = packageFile();
  const repository = repositoryOf(mcpName);
  return {
    manifest_version: '0.3',
    name,
    icon: 'icon.png',
    display_name: 'fareclerk',
    version: VERSION,
    description: DESCRIPTION,
    author: { name: 'The fareclerk authors' },
    repository: { type: 'git', url: repository },
    documentation: `${repository}#readme`,
    support: `${repository}/issues`,
    license,
    keywords: ['travel', 'airline', 'rail', 'booking', 'tickets', 'refunds'],
    server: {
      type: 'node',
      entry_point: 'bin/fareclerk.js',
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/bin/fareclerk.js`, 'serve'],
        env: Object.fromEntries(SETUP_QUESTIONS.map(({ setting }) => [setting, `\${user_config.${formKey(setting)}}`])),
      },
    },
    tools: CATALOG.map((tool) => ({ name: tool.name, description: tool.description })),
    compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: engines.node } },
    user_config: bundleForm(),
  };
}

/** A setting for the registry's clients. */
function variable({ setting: name, description }: SetupQuestion) {
  const choices = settingWords(name);
  return {
    name,
    description,
    isRequired: false,
    isSecret: SETTINGS[name].secret,
    ...(name.endsWith('_FILE') && { format: 'filepath' }),
    ...(choices.length > 0 && { choices }),
  };
}

export function registryEntry() {
  const { name, mcpName } = packageFile();
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'fareclerk',
    description: DESCRIPTION,
    version: VERSION,
    repository: { url: repositoryOf(mcpName), source: 'github' },
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version: VERSION,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        environmentVariables: SETUP_QUESTIONS.map(variable),
      },
    ],
  };
}

const page = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

/** Every generated file with its content. */
export const FILES: Readonly<Record<string, () => string>> = {
  'manifest.json': () => print(manifest()),
  'server.json': () => print(registryEntry()),
  'docs/reference/settings.md': settingsPage,
  'docs/reference/commands.md': commandsPage,
  'README.md': () => withInstallLinks(page('README.md'), registryEntry(), 'web'),
  'docs/start/hosts.md': () => withInstallLinks(page('docs/start/hosts.md'), registryEntry(), 'direct'),
};

/** As biome formats it: a short list of words is on one line. */
function print(content: unknown): string {
  const json = JSON.stringify(content, undefined, 2);
  const short = json.replace(/\[\n(?:\s+"[^"\n]*",?\n)+\s+\]/g, (list) => {
    const line = list
      .replace(/\n\s+(?=\])/, '')
      .replace(/\n\s+/g, ' ')
      .replace('[ ', '[');
    return line.length <= 100 ? line : list;
  });
  return `${short}\n`;
}

if (import.meta.main) {
  for (const [file, content] of Object.entries(FILES)) {
    writeFileSync(new URL(`../${file}`, import.meta.url), content());
  }
}
