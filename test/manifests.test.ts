import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FILES, manifest, registryEntry } from '../scripts/manifests.ts';
import { SETTING_NAMES, SETTINGS } from '../src/config/settings.ts';
import { CATALOG } from '../src/tools/index.ts';
import { VERSION } from '../src/version.ts';

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

describe('files written from the sources', () => {
  it.each(Object.keys(FILES))('%s is what `node scripts/manifests.ts` writes', (file) => {
    expect(read(file)).toBe(FILES[file]?.());
  });

  it('have the version of the package', () => {
    const { version, mcpName } = JSON.parse(read('package.json'));
    expect(version).toBe(VERSION);
    expect(manifest().version).toBe(VERSION);
    expect(registryEntry()).toMatchObject({ version: VERSION, name: mcpName });
  });
});

describe('manifest.json (MCPB)', () => {
  it('lists every tool, and asks for every setting of a stdio server', () => {
    const { tools, user_config: form, server } = manifest();
    expect(tools.map(({ name }) => name)).toEqual(CATALOG.map(({ name }) => name));
    const ofStdio = SETTING_NAMES.filter((name) => !SETTINGS[name].http);
    expect(Object.keys(form).length).toBe(ofStdio.length);
    expect(ofStdio).toContain('FARECLERK_API_KEY');
    expect(ofStdio).not.toContain('FARECLERK_ISSUER');
    expect(Object.keys(server.mcp_config.env).every((name) => SETTING_NAMES.includes(name as never))).toBe(true);
    expect(form.api_key).toMatchObject({ sensitive: true });
  });
});

describe('server.json (registry)', () => {
  it('fits the registry: a short description, a reverse-DNS name with one slash', () => {
    const { description, name } = registryEntry();
    expect(description.length).toBeLessThanOrEqual(100);
    expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  });
});
