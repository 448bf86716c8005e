/** The catalog as an MCP server. One definition serves revision 2026-07-28 and the 2024–2025 handshakes. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  fromJsonSchema,
  type InputRequiredResult,
  inputRequired,
  McpServer,
  SERVER_INFO_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Ask, AskOnPage, Result } from '../../approvals/answer.ts';
import type { Caller } from '../../domain/people/caller.ts';
import { annotations, type Tool } from '../../tools/definition/define.ts';
import { uiMeta } from '../app-views/ui.ts';
import type { CallHow, Clerk } from '../clerk.ts';
import { registerFeatures } from './features.ts';
import { ICON } from './icon.ts';
import { INSTRUCTIONS } from './instructions.ts';

/** Accepts everything: our own pipeline checks arguments (parse.ts). */
const passAll = { getValidator: () => (data: unknown) => ({ valid: true as const, data, errorMessage: undefined }) };

/** Key of the one question in an input request. */
const QUESTION = 'approval';
/** How long a 2025-era dialog stays open, milliseconds. Approvals expire after the same time. */
const DIALOG_MS = 600_000;
const HOUR_MS = 3_600_000;

export interface McpOptions {
  readonly version: string;
  readonly caller: Caller;
  /** Who may cache the list of tools: `private` if it depends on the caller. Default `public`. */
  readonly cacheScope?: 'public' | 'private';
}

/** A server for one connection (stdio) or one request (HTTP). Cheap; opens nothing. */
export function createMcpServer(clerk: Clerk, options: McpOptions): McpServer {
  const listed = { ttlMs: HOUR_MS, cacheScope: options.cacheScope ?? 'public' };
  // These lists depend on the caller's scopes.
  const own = { ttlMs: HOUR_MS, cacheScope: 'private' as const };
  const server = new McpServer(
    { name: 'fareclerk', title: 'fareclerk', version: options.version, icons: [ICON] },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        'tools/list': listed,
        'server/discover': listed,
        'prompts/list': own,
        'resources/list': own,
        'resources/templates/list': own,
      },
      // askLegacy shows 2025-era dialogs itself: a host's failure then counts as a closed dialog, not as an SDK error.
      inputRequired: { legacyShim: false },
    },
  );
  for (const tool of clerk.tools) register(server, clerk, tool, options);
  registerFeatures(server, clerk, options.caller);
  return server;
}

function register(server: McpServer, clerk: Clerk, tool: Tool, options: McpOptions): void {
  const { schemas } = clerk.options;
  const meta = uiMeta(tool);
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: tool.description,
      inputSchema: fromJsonSchema(schemas.input(tool) as never, passAll as never),
      outputSchema: fromJsonSchema(schemas.output(tool) as never, passAll as never),
      annotations: annotations(tool),
      ...(meta && { _meta: meta }),
    },
    (async (args: unknown, ctx: ServerContext) => {
      const how = callHow(server, ctx, options.caller);
      const answer = await clerk.call(tool.name, args, how);
      const shown = (result: Result) => toolResult(result, isModern(ctx) || knowsLinks(revisionOf(server, ctx)));
      if (answer.kind === 'result') return isModern(ctx) ? stamped(shown(answer), options) : shown(answer);
      if (isModern(ctx)) return ask(answer);
      const raw = await askLegacy(answer, ctx);
      const after = await clerk.call(tool.name, args, { ...how, dialog: { handle: answer.handle, raw } });
      if (after.kind !== 'result') throw new Error('a dialog was answered with another dialog');
      return shown(after);
    }) as never,
  );
}

/** The first revision with resource links. Revisions are dates. */
const LINKS_SINCE = '2025-06-18';

function knowsLinks(revision: string | undefined): boolean {
  return revision !== undefined && revision >= LINKS_SINCE;
}

/** Of a 2024–2025 client. Over HTTP without sessions each request names it in a header. */
function revisionOf({ server }: McpServer, { http }: ServerContext): string | undefined {
  return server.getNegotiatedProtocolVersion() ?? http?.req?.headers.get('mcp-protocol-version') ?? undefined;
}

function toolResult(result: Result, withLinks: boolean): CallToolResult {
  const links = withLinks ? (result.links ?? []) : [];
  return {
    content: [
      { type: 'text', text: result.text },
      ...links.map((link) => ({ type: 'resource_link' as const, ...link })),
    ],
    structuredContent: result.structured,
    ...(result.isError && { isError: true }),
  };
}

/** Revision 2026-07-28 names the server in every result. Leaves out the icon, which would repeat in each. */
function stamped(result: CallToolResult, { version }: McpOptions): CallToolResult {
  return { ...result, _meta: { [SERVER_INFO_META_KEY]: { name: 'fareclerk', version } } };
}

/** Revision 2026-07-28: the question is the result; the client repeats the call with the answer. */
function ask(answer: Ask | AskOnPage): InputRequiredResult {
  const request =
    answer.kind === 'ask'
      ? inputRequired.elicit({ message: answer.message, requestedSchema: answer.form as never })
      : inputRequired.elicitUrl({ message: answer.message, url: answer.url } as never);
  return inputRequired({ inputRequests: { [QUESTION]: request }, requestState: answer.handle });
}

/** 2024–2025 handshakes: a request to the client. A failure of the host counts as a closed dialog. */
async function askLegacy(answer: Ask | AskOnPage, ctx: ServerContext): Promise<unknown> {
  const params =
    answer.kind === 'ask'
      ? { message: answer.message, requestedSchema: answer.form }
      : { mode: 'url', message: answer.message, url: answer.url, elicitationId: crypto.randomUUID() };
  try {
    return await ctx.mcpReq.send({ method: 'elicitation/create', params }, { timeout: DIALOG_MS });
  } catch {
    return { action: 'cancel' };
  }
}

function isModern(ctx: ServerContext): boolean {
  return clientCapabilities(ctx) !== undefined;
}

/** Capabilities come with every request in 2026-07-28. */
function clientCapabilities(ctx: ServerContext): ClientCapabilities | undefined {
  return (ctx.mcpReq.envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
}

interface ClientCapabilities {
  readonly elicitation?: { readonly form?: unknown; readonly url?: unknown };
}

function callHow(server: McpServer, ctx: ServerContext, caller: Caller): CallHow {
  const capabilities = clientCapabilities(ctx) ?? (server.server.getClientCapabilities() as ClientCapabilities);
  const elicitation = capabilities?.elicitation;
  const state = ctx.mcpReq.requestState<unknown>();
  const token = ctx.mcpReq._meta?.progressToken;
  return {
    caller,
    // `elicitation: {}` means forms (both eras).
    canElicit: elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0),
    canOpenUrls: elicitation?.url !== undefined,
    signal: ctx.mcpReq.signal,
    // An answer without our state is forged and is ignored.
    ...(typeof state === 'string' && {
      dialog: { handle: state, raw: ctx.mcpReq.inputResponses?.[QUESTION] },
    }),
    ...(token !== undefined && {
      progress: (progress: number, total: number, message: string) => {
        const params = { progressToken: token, progress, total, message };
        void ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
      },
    }),
  };
}
