/**
 * The views as resources: which tools have one, how many tokens the list takes, and that no view can use the network.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { viewDocument } from '../../../src/server/app-views/documents.ts';
import { readView } from '../../../src/server/app-views/index.ts';
import { viewPage } from '../../../src/server/app-views/page.ts';
import { uiMeta, VIEWS, viewUri } from '../../../src/server/app-views/ui.ts';
import { inputJsonSchema, outputJsonSchema } from '../../../src/server/schemas.ts';
import { annotations, isAssumed } from '../../../src/tools/definition/define.ts';
import { CATALOG } from '../../../src/tools/index.ts';
import { asking } from '../http/support/clients.ts';
import { type Served, serve } from '../http/support/serve.ts';

const SRC = fileURLToPath(new URL('../../../src', import.meta.url));
const APPS = join(SRC, 'server', 'app-views');

describe('over HTTP', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.close());

  it.each(['v1', 'v2-legacy', 'v2-2026'] as const)(
    'announces and serves the views to a %s client, but does not list them',
    async (kind) => {
      const client = await asking(kind, { url: served.serving.url });
      expect(client.getServerCapabilities()?.extensions).toEqual({ 'io.modelcontextprotocol/ui': {} });
      for (const view of VIEWS) {
        const { contents } = await client.readResource({ uri: viewUri(view) });
        expect(contents).toEqual([
          {
            uri: `ui://fareclerk/${view}.html`,
            mimeType: 'text/html;profile=mcp-app',
            text: expect.stringMatching(/^<!doctype html>/),
            _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
          },
        ]);
      }
      const { resources } = await client.listResources();
      expect(resources.filter(({ uri }) => uri.startsWith('ui:'))).toEqual([]);
      await expect(client.readResource({ uri: 'ui://fareclerk/../ui.ts' })).rejects.toThrow();
      await client.close();
    },
  );
});

test('gives the quote of a cancellation its view', () => {
  expect(uiMeta({ name: 'quote_cancellation', effect: 'read' })).toEqual({
    ui: { resourceUri: 'ui://fareclerk/quote.html' },
  });
});

test('gives a view to certain reading tools and to every commit tool', () => {
  const own = CATALOG.flatMap((tool) => {
    const view = uiMeta(tool)?.ui.resourceUri.slice('ui://fareclerk/'.length);
    return view === undefined ? [] : [[tool.name, view]];
  });
  const reads = own.filter(([name, view]) => view !== 'terms.html' && name !== 'quote_cancellation');
  expect(Object.fromEntries(reads)).toEqual({
    search_fares: 'fares.html',
    find_cheapest_dates: 'dates.html',
    get_seat_map: 'seats.html',
    read_booking: 'booking.html',
    create_booking: 'booking.html',
  });
  const terms = own.filter(([, view]) => view === 'terms.html').map(([name]) => name);
  expect(terms).toEqual(CATALOG.filter(({ effect }) => effect === 'commit').map(({ name }) => name));
});

test('keeps the list of tools with views within 8,000 tokens (o200k), without the tools of plans', () => {
  const sent = CATALOG.filter((tool) => !isAssumed(tool.assumed) && tool.toolset !== 'plans').map((tool) => {
    const meta = uiMeta(tool);
    return {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputJsonSchema(tool),
      annotations: annotations(tool),
      ...(meta && { _meta: meta }),
      outputSchema: outputJsonSchema(tool),
    };
  });
  expect(encode(JSON.stringify(sent)).length).toBeLessThanOrEqual(8_000);
});

test('reports an unknown view as not found', () => {
  for (const uri of [
    'ui://fareclerk/none.html',
    'ui://fareclerk/toString.html',
    'ui://fareclerk/',
    'ui://other/fares.html',
  ]) {
    expect(() => readView(uri)).toThrow(/not found/i);
  }
});

/** Modules that a file imports statically, directly or through others. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) [^;]*?from '(\.[^']+)';/gm)) {
    loadedWith(join(dirname(file), name), seen);
  }
  return seen;
}

test('loads no view when tools are listed', () => {
  const loaded = [...loadedWith(join(SRC, 'server', 'mcp', 'server.ts'))].filter((file) => file.startsWith(APPS));
  expect(loaded).toEqual([join(APPS, 'ui.ts')]);
});

describe('a document', () => {
  it.each(VIEWS)('keeps the view %s within 12 KB', (view) => {
    const published = viewDocument(view);
    expect(Buffer.byteLength(published)).toBeLessThanOrEqual(12 * 1024);
    expect(published).toContain('<html lang="en">');
  });

  it.each(VIEWS)('lets the view %s load, send and submit nothing', (view) => {
    const [content] = readView(viewUri(view)).contents;
    const text = content !== undefined && 'text' in content ? content.text : '';
    expect(text).toContain(`content="default-src 'none';`);
    expect(text).not.toMatch(/\b(?:https?:|src=|href=|url\(|@import|fetch\(|XMLHttpRequest|WebSocket|sendBeacon)/);
  });

  it('never creates markup from a string in the source of a view', () => {
    const files = readdirSync(APPS, { recursive: true, encoding: 'utf8' }).filter((file) => /[\\/].*\.ts$/.test(file));
    expect(files.length).toBeGreaterThanOrEqual(8);
    for (const file of files) {
      const source = readFileSync(join(APPS, file), 'utf8');
      expect([
        file,
        source.match(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval\(|new Function/),
      ]).toEqual([file, null]);
    }
  });

  it('refuses a view whose script would end its own element', () => {
    expect(() => viewPage('x', "'</script>'", '')).toThrow(/ends its own/);
  });
});
