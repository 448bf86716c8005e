/**
 * Registers prompts, resources and views, and completes their arguments. What they are is loaded when a client first asks for
 * it, so that a host which only lists tools starts fast.
 */
import {
  type CompleteRequestParams,
  type CompleteResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { plainText } from '../../core/clean-text.ts';
import { own } from '../../core/own.ts';
import { listStations } from '../../domain/booking/stations.ts';
import type { Caller } from '../../domain/people/caller.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { readView, UI_EXTENSION, UI_SCHEME } from '../app-views/ui.ts';
import type { Clerk } from '../clerk.ts';
import type { Completes } from './prompts.ts';
import type { RequestContext } from './resources.ts';

/** The lists do not change while the server runs. */
const CAPABILITIES = {
  prompts: { listChanged: false },
  resources: { listChanged: false },
  completions: {},
  extensions: { [UI_EXTENSION]: {} },
};

export function registerFeatures(server: McpServer, clerk: Clerk, caller: Caller): void {
  const { server: protocol } = server;
  const requestContext = (ctx: ServerContext): RequestContext => ({ clerk, caller, signal: ctx.mcpReq.signal });
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
      ? readView(params.uri)
      : (await import('./resources.ts')).readResource(requestContext(ctx), params.uri),
  );
  protocol.setRequestHandler('completion/complete', async ({ params }, ctx) => complete(requestContext(ctx), params));
}

/** Most values in one reply (MCP, completion). */
const MOST = 100;

/** Never fails: without data it is empty. */
async function complete(context: RequestContext, params: CompleteRequestParams): Promise<CompleteResult> {
  const { argument, ref } = params;
  const what = await findCompletion(ref, argument.name);
  const values = what === undefined ? [] : await VALUES[what](context, argument.value, ref.type).catch(() => []);
  const shown = values.slice(0, MOST);
  return { completion: { values: shown, total: values.length, hasMore: values.length > shown.length } };
}

async function findCompletion(ref: CompleteRequestParams['ref'], argument: string): Promise<Completes | undefined> {
  if (ref.type === 'ref/prompt') {
    const prompt = (await import('./prompts.ts')).PROMPTS.find(({ name }) => name === ref.name);
    if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such prompt.');
    return prompt.arguments.find(({ name }) => name === argument)?.completes;
  }
  const resource = (await import('./resources.ts')).RESOURCES.find(({ uri }) => uri === ref.uri);
  if (resource === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such resource.');
  const { completes = {} } = resource;
  return own(completes, argument);
}

type Values = (context: RequestContext, typed: string, ref: string) => Promise<readonly string[]>;

/** A prompt gets the station's name too; an address only the code. */
const stations: Values = async ({ clerk, caller, signal }, typed, ref) => {
  if (!offers(clerk, 'list_routes')) return [];
  const { airline, pointOfSaleOf } = await clerk.runtime();
  const desk = pointOfSaleOf?.(caller)?.airline ?? airline;
  const wanted = foldName(typed);
  return listStations(await desk.routes({ signal }))
    .filter(({ code, name, city }) => [code, name, city].some((text) => foldName(text).startsWith(wanted)))
    .map(({ code, name }) => plainText(ref === 'ref/prompt' ? `${code} ${name}` : code, 60))
    .toSorted();
};

/** Only bookings that this caller made or read. */
const locators: Values = async ({ clerk, caller }, typed) => {
  if (!offers(clerk, 'read_booking')) return [];
  const { state } = await clerk.runtime();
  const wanted = typed.trim().toUpperCase();
  const { entries } = await state.ledger.find(caller, { query: wanted === '' ? undefined : wanted, limit: 1000 });
  return entries.map(({ locator }) => locator).filter((locator) => locator.startsWith(wanted));
};

const VALUES: Readonly<Record<Completes, Values>> = { station: stations, locator: locators };

function offers({ tools }: RequestContext['clerk'], tool: string): boolean {
  return tools.some(({ name }) => name === tool);
}
