/**
 * A small host: the real server over HTTP in this process, and its views in Chromium as hosts show them.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { build } from 'esbuild';
import type { Frame, Page } from 'playwright-core';
import { remembersRoutes } from '../../../src/clerk/airline-cache.ts';
import { behind } from '../../../src/core/layers.ts';
import { CALLER, type DeskOptions, openDesk } from '../../clerk/calls/desk.ts';
import { asking } from '../../http/support/clients.ts';
import { serve } from '../../http/support/serve.ts';
import { launchChromium, noteComplaints } from '../chromium.ts';

/** What hosts set for a view that names no domain. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'; frame-src 'self'; base-uri 'self'";

/** The outer frame: hands messages through, and writes the view into a frame of its own. */
const PROXY = `<!doctype html><meta charset="utf-8"><body style="margin:0"><script>
const inner = document.createElement('iframe');
inner.style = 'display:block;width:100%;height:100vh;border:0';
inner.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
document.body.append(inner);
const host = new URL(document.referrer).origin;
addEventListener('message', ({ source, origin, data }) => {
  if (source === inner.contentWindow) return parent.postMessage(data, host);
  if (source !== parent || origin !== host) return;
  if (data?.method !== 'ui/notifications/sandbox-resource-ready') return inner.contentWindow.postMessage(data, '*');
  inner.contentDocument.open();
  inner.contentDocument.write(data.params.html);
  inner.contentDocument.close();
});
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, host);
</script>`;

export interface ShowOptions {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  readonly hostContext?: object;
  /** How the host hears what a person chose; default as a message in the conversation. */
  readonly hears?: 'message' | 'context' | 'nothing';
  readonly height?: number;
  /** What becomes of results that the view asks for itself. */
  readonly bend?: (result: CallResult) => CallResult;
}

export interface Shown {
  readonly page: Page;
  readonly view: Frame;
  /** Texts that the model was given. */
  readonly told: string[];
  /** Tools that the view called. */
  readonly called: string[];
  /** Gives the same view another result. */
  again(result: CallResult): Promise<void>;
}

export type CallResult = Awaited<ReturnType<Client['callTool']>>;

export type MiniHost = Awaited<ReturnType<typeof openMiniHost>>;

const HOST_PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Host</title><link rel="icon" href="data:,"><style>body{margin:0}iframe{border:0;width:100%}</style><body><script src="/host.js"></script>';

/** `options`: of the desk, such as the day on which everything happens. */
export async function openMiniHost(options: DeskOptions = {}) {
  const [browser, desk, script] = await Promise.all([
    launchChromium(),
    openDesk({ environment: 'sandbox', ...options }),
    hostScript(),
  ]);
  // As the program does: names of places are known once the routes are read.
  const { parts } = desk;
  Object.assign(parts, { airline: behind([remembersRoutes(parts.clock.now)], parts.airline) });
  await parts.airline.routes();
  const { serving } = await serve({ caller: CALLER }, { clerk: desk.clerk, close: async () => undefined });
  const client = await asking('v2-2026', { url: serving.url });
  const pages = await serveText((path) => (path === '/host.js' ? script : HOST_PAGE));
  const proxy = await serveText(() => PROXY, { 'content-security-policy': POLICY });
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  noteComplaints(page, complaints);
  let [told, called]: [string[], string[]] = [[], []];
  let bend: ShowOptions['bend'];
  await page.exposeFunction('toClerk', async (params: { name: string; arguments: Record<string, unknown> }) => {
    called.push(params.name);
    const result = await client.callTool(params);
    return bend?.(result) ?? result;
  });
  await page.exposeFunction('noted', ({ content }: { content: { text: string }[] }) => {
    told.push(content.map(({ text }) => text).join('\n'));
  });

  return {
    desk,
    browser,
    complaints,
    /** Tools with a view. */
    async drawn(): Promise<readonly string[]> {
      const { tools } = await client.listTools();
      return tools.flatMap(({ name, _meta }) => (_meta?.ui === undefined ? [] : [name]));
    },
    call: (tool: string, args: object): Promise<CallResult> => client.callTool({ name: tool, arguments: { ...args } }),
    /** In the one page there is: what was shown before is gone. */
    async show(tool: string, args: object, result: CallResult, options: ShowOptions = {}): Promise<Shown> {
      const { width = 900, height = 800, scheme = 'light', hostContext = {}, hears = 'message' } = options;
      const drawn = await drawnBy(client, tool);
      [told, called, bend] = [[], [], options.bend];
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto(`http://127.0.0.1:${portOf(pages)}/`);
      const sandbox = `http://localhost:${portOf(proxy)}/`;
      const given = JSON.stringify({ html: drawn.html, meta: drawn.meta, args, result, sandbox, hostContext, hears });
      await page.evaluate(`openView(${given})`);
      const view = page.frames().at(-1);
      if (view === undefined) throw new Error('no frame');
      await view.waitForSelector('main:not([aria-busy])');
      const again = (other: CallResult) => page.evaluate<void>(`bridge.sendToolResult(${JSON.stringify(other)})`);
      return { page, view, told, called, again };
    },
    async close() {
      await Promise.all([browser.close(), client.close()]);
      await serving.stop();
      await desk.close();
      for (const server of [pages, proxy]) server.close();
    },
  };
}

async function drawnBy(client: Client, tool: string) {
  const listed = (await client.listTools()).tools.find(({ name }) => name === tool);
  const uri = (listed?._meta as { ui?: { resourceUri?: string } } | undefined)?.ui?.resourceUri;
  if (uri === undefined) throw new Error(`${tool} has no view`);
  const [content] = (await client.readResource({ uri })).contents;
  if (content === undefined || !('text' in content)) throw new Error(`${uri} is no text`);
  return { html: content.text, meta: content._meta };
}

async function hostScript(): Promise<string> {
  const entry = fileURLToPath(new URL('./host.js', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    minify: true,
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

async function serveText(textAt: (path: string) => string, headers: Record<string, string> = {}): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
    response.writeHead(200, { 'content-type': type, ...headers }).end(textAt(url));
  });
  // Two names of one machine are two origins.
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
