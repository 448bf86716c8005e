/**
 * The links are read back as the hosts read them, and what they would start is held to the package.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { installLinks, repositoryOf } from '../../scripts/install-links.ts';
import { registryEntry } from '../../scripts/manifests.ts';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const { name: packageName, mcpName } = JSON.parse(read('package.json'));
const STARTS = { command: 'npx', args: ['-y', packageName] };
const links = new Map(installLinks(registryEntry()).map((link) => [link.host, link]));
const direct = (host: string) => new URL(links.get(host)?.direct ?? '');
const web = (host: string) => new URL(links.get(host)?.web ?? '');

test.each([
  ['VS Code', 'vscode:'],
  ['VS Code Insiders', 'vscode-insiders:'],
])('%s: the JSON after the question mark is what `code --add-mcp` takes', (host, scheme) => {
  const { protocol, pathname, search } = direct(host);
  expect([protocol, pathname]).toEqual([scheme, 'mcp/install']);
  expect(JSON.parse(decodeURIComponent(search.slice(1)))).toEqual({ name: packageName, ...STARTS });
  expect([web(host).origin, web(host).pathname]).toEqual(['https://insiders.vscode.dev', '/redirect']);
  expect(web(host).searchParams.get('url')).toBe(links.get(host)?.direct);
});

test('the Cursor link carries the name, and the configuration as base64', () => {
  for (const url of [direct('Cursor'), web('Cursor')]) {
    expect(url.searchParams.get('name')).toBe(packageName);
    expect(JSON.parse(atob(url.searchParams.get('config') ?? ''))).toEqual(STARTS);
  }
  expect(direct('Cursor').href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?/);
  expect(web('Cursor').href).toMatch(/^https:\/\/cursor\.com\/install-mcp\?/);
});

test('the Claude Desktop link names the bundle as the release does', () => {
  const url = direct('Claude Desktop (.mcpb)');
  const file = url.pathname.split('/').at(-1) ?? '';
  expect(url.href).toBe(`${repositoryOf(mcpName)}/releases/latest/download/${file}`);
  expect(read('.github/workflows/release.yml')).toMatch(new RegExp(`^ *- run: gh release create .*/${file} `, 'm'));
});
