/**
 * Completes arguments: stations from the airline's routes, and locators from the caller's own ledger. A completion never
 * fails; without data it is empty.
 */

import {
  type CompleteRequestParams,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { plainText } from '../../core/clean-text.ts';
import { own } from '../../core/own.ts';
import { listStations } from '../../domain/booking/stations.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import type { Completes } from './prompts.ts';
import type { RequestContext } from './request-context.ts';

/** Most values in one reply (MCP, completion). */
const MOST = 100;

export async function complete(context: RequestContext, params: CompleteRequestParams): Promise<CompleteResult> {
  const { argument, ref } = params;
  const what = await completesOf(ref, argument.name);
  const values = what === undefined ? [] : await VALUES[what](context, argument.value, ref.type).catch(() => []);
  const shown = values.slice(0, MOST);
  return { completion: { values: shown, total: values.length, hasMore: values.length > shown.length } };
}

async function completesOf(ref: CompleteRequestParams['ref'], argument: string): Promise<Completes | undefined> {
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
  const { airline, pointOfSaleOf } = await clerk.parts();
  const desk = pointOfSaleOf?.(caller)?.airline ?? airline;
  const wanted = foldName(typed);
  return listStations(await desk.routes(signal ? { signal } : {}))
    .filter(({ code, name, city }) => [code, name, city].some((text) => foldName(text).startsWith(wanted)))
    .map(({ code, name }) => plainText(ref === 'ref/prompt' ? `${code} ${name}` : code, 60))
    .toSorted();
};

/** Only bookings that this caller made or read. */
const locators: Values = async ({ clerk, caller }, typed) => {
  if (!offers(clerk, 'read_booking')) return [];
  const { state } = await clerk.parts();
  const wanted = typed.trim().toUpperCase();
  const { entries } = await state.ledger.find(caller, { ...(wanted !== '' && { query: wanted }), limit: 1000 });
  return entries.map(({ locator }) => locator).filter((locator) => locator.startsWith(wanted));
};

const VALUES: Readonly<Record<Completes, Values>> = { station: stations, locator: locators };

function offers({ tools }: RequestContext['clerk'], tool: string): boolean {
  return tools.some(({ name }) => name === tool);
}
