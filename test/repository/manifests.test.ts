import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PUBLISHED, withInstallLinks } from '../../scripts/install-links.ts';
import { FILES, manifest, registryEntry } from '../../scripts/manifests.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from '../../src/config/settings.ts';
import { VERSION } from '../../src/core/version.ts';
import { CATALOG } from '../../src/tools/index.ts';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe('files written from the sources', () => {
  it.each(Object.keys(FILES))('%s is what `npm run write` writes', (file) => {
    expect(read(file)).toBe(FILES[file]?.());
  });

  it('have the version of the package', () => {
    const { version, mcpName } = JSON.parse(read('package.json'));
    expect(version).toBe(VERSION);
    expect(manifest().version).toBe(VERSION);
    expect(registryEntry()).toMatchObject({ version: VERSION, name: mcpName });
    const lock = JSON.parse(read('package-lock.json'));
    expect([lock.version, lock.packages[''].version]).toEqual([VERSION, VERSION]);
    expect(read('deploy/kubernetes.yaml').match(/image: fareclerk:.*/g)).toEqual([`image: fareclerk:${VERSION}`]);
    expect(read('docs/reference/doctor.md')).toContain(`\nfareclerk ${VERSION} doctor\n`);
  });

  it('have the version of the newest section of the changelog, which has a day, below what is unreleased', () => {
    const headings = read('CHANGELOG.md').match(/^## .*$/gm) ?? [];
    expect(headings.slice(0, 2)).toEqual([
      '## [Unreleased]',
      expect.stringMatching(new RegExp(`^## \\[${VERSION.replaceAll('.', '\\.')}\\] - 20\\d\\d-[01]\\d-[0-3]\\d$`)),
    ]);
  });
});

describe('links that install in one click', () => {
  const pages = globSync('{README.md,docs/**/*.md}', {
    cwd: new URL('../..', import.meta.url),
    exclude: ['**/node_modules/**'],
  });
  const place = '<!-- install -->\n<!-- /install -->';

  it('start no package of our name that is not published, in no page', () => {
    expect(pages.length).toBeGreaterThan(30);
    const anyVersion = /npx (?:-y|--yes) fareclerk(?!@\d)/;
    const link = /mcp\/install\?|install-mcp\?|insiders\.vscode\.dev|\.mcpb\)/;
    for (const page of pages) {
      expect([page, anyVersion.test(read(page))]).toEqual([page, false]);
      expect([page, PUBLISHED === undefined && link.test(read(page))]).toEqual([page, false]);
    }
  });

  it.each(['web', 'direct'] as const)('name the published version, and are absent without one: %s', (kind) => {
    const entry = registryEntry();
    const without = withInstallLinks(place, entry, kind, undefined);
    expect(without).toContain('Nothing is published yet');
    expect(without).not.toContain('](');
    const links = withInstallLinks(place, entry, kind, '9.8.7');
    const at = links.match(/\]\([^)]+\)/g)?.map((link) => decodeURIComponent(decodeURIComponent(link))) ?? [];
    const config = Buffer.from(/config=([^&)]+)/.exec(at[2] ?? '')?.[1] ?? '', 'base64').toString();
    expect([at[0], at[1], config].filter((text) => text?.includes('"args":["-y","fareclerk@9.8.7"]'))).toHaveLength(3);
    expect(at[3]).toContain('/releases/download/v9.8.7/fareclerk.mcpb');
  });
});

describe('manifest.json (MCPB)', () => {
  it('lists every tool, and has an icon', () => {
    const { tools, icon } = manifest();
    expect(tools.map(({ name }) => name)).toEqual(CATALOG.map(({ name }) => name));
    const png = readFileSync(new URL(`../../${icon}`, import.meta.url));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, 512]);
  });

  it('asks in plain words for twelve to sixteen settings, and for the file with the others', () => {
    const { user_config: form, server } = manifest();
    const fields = Object.values(form);
    expect(fields.length).toBeGreaterThanOrEqual(12);
    expect(fields.length).toBeLessThanOrEqual(16);
    for (const { title, description } of fields) {
      expect(title).toMatch(/^[A-Z][^_]*$/);
      expect(description).toMatch(/^[^_]*(?:FARECLERK_DIALECT=airline[^_]*)?\.$/);
    }
    expect(form).toMatchObject({
      base_url: { description: expect.stringContaining('Without it a built-in airline answers: nothing is real') },
      settings_file: { type: 'file' },
    });
    const { env } = server.mcp_config;
    expect(Object.keys(env).every((name) => SETTING_NAMES.includes(name as SettingName))).toBe(true);
    expect(Object.values(env)).toEqual(Object.keys(form).map((key) => `\${user_config.${key}}`));
  });

  it('marks every secret of the form as sensitive', () => {
    const { user_config: form, server } = manifest();
    const secret = Object.keys(server.mcp_config.env).filter((name) => SETTINGS[name as SettingName].secret);
    const sensitive = Object.entries(form).flatMap(([key, { sensitive: marked }]) => (marked ? [key] : []));
    expect(sensitive).toEqual(secret.map((name) => name.replace('FARECLERK_', '').toLowerCase()));
    expect(sensitive).toEqual(['api_key', 'client_secret', 'password']);
  });
});

describe('server.json (registry)', () => {
  it('asks for the settings of the form, in the same words', () => {
    const { user_config: form, server } = manifest();
    const [npm] = registryEntry().packages;
    const asked = npm?.environmentVariables.map(({ name, description, isSecret }) => [name, description, isSecret]);
    const names = Object.keys(server.mcp_config.env);
    expect(asked).toEqual(
      Object.values(form).map(({ description, sensitive }, i) => [names[i], description, sensitive === true]),
    );
  });

  it('fits the registry: a short description, a reverse-DNS name with one slash', () => {
    const { description, name } = registryEntry();
    expect(description.length).toBeLessThanOrEqual(100);
    expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  });
});
