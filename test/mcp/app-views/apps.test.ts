/**
 * The views as resources: which tools have one, how many tokens the list takes, and that no view can use the network.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, test } from 'vitest';
import { CATALOG } from '../../../src/tools/index.ts';
import { asking, textOf } from '../../http/support/clients.ts';
import { serve } from '../../http/support/serve.ts';
import { openTinyClerk } from '../../http/support/tiny-clerk.ts';
import { tokensIn } from '../../support/tokens.ts';

const SRC = fileURLToPath(new URL('../../../src', import.meta.url));
const APPS = join(SRC, 'mcp', 'app-views');
const VIEWS = ['fares', 'seats', 'question'];
const uriOf = (view: string) => `ui://fareclerk/${view}.html`;

const served = await serve({}, await openTinyClerk({ tools: CATALOG }));
const client = await asking('v2-2026', served);
afterAll(async () => {
  await client.close();
  await served.close();
});

it.each(['v1', 'v2-legacy', 'v2-2026'] as const)(
  'announces and serves the views to a %s client, but does not list them',
  async (kind) => {
    const other = await asking(kind, served);
    expect(other.getServerCapabilities()?.extensions).toMatchObject({ 'io.modelcontextprotocol/ui': {} });
    for (const uri of VIEWS.map(uriOf)) {
      const text = expect.stringMatching(/^<!doctype html>/);
      const _meta = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };
      const { contents } = await other.readResource({ uri });
      expect(contents).toEqual([{ uri, mimeType: 'text/html;profile=mcp-app', text, _meta }]);
    }
    const { resources } = await other.listResources();
    expect(resources.filter(({ uri }) => uri.startsWith('ui:'))).toEqual([]);
    await other.close();
  },
);

test('gives a view to certain reading tools and to every commit tool, in a list of at most 8,000 tokens (o200k)', async () => {
  const { tools } = await client.listTools();
  const own = tools.map(({ name, _meta }) => [name, (_meta?.ui as { resourceUri: string } | undefined)?.resourceUri]);
  const commits = CATALOG.flatMap(({ name, effect }) => (effect === 'commit' ? [[name, uriOf('question')]] : []));
  expect(Object.fromEntries(own.filter(([, uri]) => uri !== undefined))).toEqual({
    search_fares: uriOf('fares'),
    get_seat_map: uriOf('seats'),
    ...Object.fromEntries(commits),
  });
  // Without the tools of plans, and those whose requests are assumed.
  const usual = new Set(
    CATALOG.flatMap(({ name, toolset, assumed }) => (toolset === 'plans' || assumed?.includes('rail') ? [] : name)),
  );
  const sent = tools.filter(({ name }) => usual.has(name));
  expect(tokensIn(JSON.stringify(sent))).toBeLessThanOrEqual(8_000);
});

test('reports an unknown view as not found', async () => {
  for (const uri of ['none.html', 'toString.html', '', '../ui.ts'].map((path) => `ui://fareclerk/${path}`)) {
    await expect(textOf(client, uri)).rejects.toThrow(/not found/i);
  }
  await expect(textOf(client, 'ui://other/fares.html')).rejects.toThrow(/not found/i);
});

describe('a document', () => {
  it.each(VIEWS)('of the view %s has at most 14 KB, and loads, sends and submits nothing', async (view) => {
    const text = await textOf(client, uriOf(view));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(14 * 1024);
    expect(text).toContain('<html lang="en">');
    expect(text).toContain(`content="default-src 'none';`);
    expect(text).not.toMatch(/\b(?:https?:|src=|href=|url\(|@import|fetch\(|XMLHttpRequest|WebSocket|sendBeacon)/);
    // No script ends its own element.
    expect(text.match(/<\/script>/g)).toHaveLength(1);
  });

  it('never creates markup from a string in the source of a view', () => {
    const files = readdirSync(APPS, { recursive: true, encoding: 'utf8' }).filter((file) => /[\\/].*\.ts$/.test(file));
    expect(files.length).toBeGreaterThanOrEqual(7);
    const markup = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval\(|new Function/;
    expect(files.filter((file) => markup.test(readFileSync(join(APPS, file), 'utf8')))).toEqual([]);
  });
});
