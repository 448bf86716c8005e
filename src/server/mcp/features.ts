/**
 * Registers prompts, resources, views and completions. Each is loaded when a client first asks for it, so that a host
 * which only lists tools starts fast.
 */
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '../../domain/people/caller.ts';
import { UI_EXTENSION, UI_SCHEME } from '../app-views/ui.ts';
import type { Clerk } from '../clerk.ts';
import type { RequestContext } from './request-context.ts';

/** The lists do not change while the server runs. */
const CAPABILITIES = {
  prompts: { listChanged: false },
  resources: { listChanged: false },
  completions: {},
  extensions: { [UI_EXTENSION]: {} },
};

export function registerFeatures(server: McpServer, clerk: Clerk, caller: Caller): void {
  const { server: protocol } = server;
  const contextOf = (ctx: ServerContext): RequestContext => ({ clerk, caller, signal: ctx.mcpReq.signal });
  protocol.registerCapabilities(CAPABILITIES);
  protocol.setRequestHandler('prompts/list', async () => (await import('./prompts.ts')).listPrompts(clerk));
  protocol.setRequestHandler('prompts/get', async ({ params }) =>
    (await import('./prompts.ts')).getPrompt(clerk, params.name, params.arguments),
  );
  protocol.setRequestHandler('resources/list', async () => (await import('./resources.ts')).listResources(clerk));
  protocol.setRequestHandler('resources/templates/list', async () =>
    (await import('./resources.ts')).listTemplates(clerk),
  );
  protocol.setRequestHandler('resources/read', async ({ params }, ctx) =>
    params.uri.startsWith(UI_SCHEME)
      ? (await import('../app-views/index.ts')).readView(params.uri)
      : (await import('./resources.ts')).readResource(contextOf(ctx), params.uri),
  );
  protocol.setRequestHandler('completion/complete', async ({ params }, ctx) =>
    (await import('./completions.ts')).complete(contextOf(ctx), params),
  );
}
