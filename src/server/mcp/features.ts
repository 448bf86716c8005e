/**
 * What the server offers beside its tools: prompts, resources, views and completions. Nothing of it is loaded before a client
 * asks for it: a host that only lists the tools pays for the tools alone.
 */
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '../../domain/people/caller.ts';
import { UI_EXTENSION, UI_SCHEME } from '../app-views/ui.ts';
import type { Clerk } from '../clerk.ts';
import type { Visitor } from './request-context.ts';

/** Lists never change while a server runs. */
const CAPABILITIES = {
  prompts: { listChanged: false },
  resources: { listChanged: false },
  completions: {},
  extensions: { [UI_EXTENSION]: {} },
};

export function offerBesideTools(server: McpServer, clerk: Clerk, caller: (ctx: ServerContext) => Caller): void {
  const { server: protocol } = server;
  const visitor = (ctx: ServerContext): Visitor => ({ clerk, caller: caller(ctx), signal: ctx.mcpReq.signal });
  protocol.registerCapabilities(CAPABILITIES);
  protocol.setRequestHandler('prompts/list', async () => (await import('./prompts/index.ts')).listPrompts(clerk));
  protocol.setRequestHandler('prompts/get', async ({ params }) =>
    (await import('./prompts/index.ts')).getPrompt(clerk, params.name, params.arguments),
  );
  protocol.setRequestHandler('resources/list', async () => (await import('./resources/index.ts')).listResources(clerk));
  protocol.setRequestHandler('resources/templates/list', async () =>
    (await import('./resources/index.ts')).listTemplates(clerk),
  );
  protocol.setRequestHandler('resources/read', async ({ params }, ctx) =>
    params.uri.startsWith(UI_SCHEME)
      ? (await import('../app-views/index.ts')).readView(params.uri)
      : (await import('./resources/index.ts')).readResource(visitor(ctx), params.uri),
  );
  protocol.setRequestHandler('completion/complete', async ({ params }, ctx) =>
    (await import('./completions.ts')).complete(visitor(ctx), params),
  );
}
