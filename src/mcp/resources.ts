/**
 * Lists resources and reads them: a booking, the PDF of a ticket and the rows of a question under an address, which a person or host
 * attaches to a conversation. Each is read through the clerk, with the same access and masking as the tool that it stands for. In
 * order: what a resource is, each of them, listing and reading, and the completion of an argument of a prompt or of an address.
 */

import {
  type CompleteRequestParams,
  type CompleteResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import type { Result } from '../approvals/answer.ts';
import type { Clerk } from '../clerk/clerk.ts';
import { withPointOfSale } from '../clerk/context.ts';
import { percentDecoded, plainText } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { own } from '../core/own.ts';
import { MOST_CHARACTERS, tooLong } from '../core/text-limits.ts';
import { csvRow } from '../core/words.ts';
import { listStations } from '../domain/booking/stations.ts';
import type { Caller } from '../domain/people/caller.ts';
import { foldName } from '../domain/people/identity-text.ts';
import { ALL_ROWS, LEDGER_ROWS } from '../tools/query-ledger.ts';
import type { Completes } from './prompts.ts';

/** Completed values in one reply, at most (MCP, completion). */
const MOST_COMPLETED = 100;

/** Characters of a completed station, at most: its name is the airline's. */
const LONGEST_STATION = 60;

/** Bookings that are searched for a locator, at most. */
const MOST_LOCATORS = 1000;

/** Who asks, through which clerk. */
export interface RequestContext {
  readonly clerk: Clerk;
  readonly caller: Caller;
  readonly signal?: AbortSignal;
}

interface Resource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A template of RFC 6570 level 1: `fareclerk://bookings/{locator}`. */
  readonly uri: string;
  readonly mimeType: string;
  /** The tool that reads it. Without the tool the resource is not offered. */
  readonly needs: string;
  readonly completes?: Readonly<Record<string, Completes>>;
  /** @throws ClerkError */
  read(variables: Readonly<Record<string, string>>, context: RequestContext): Promise<string | Uint8Array>;
}

/** The variable that holds a statement: it is longer than others. */
const STATEMENT = 'sql';

/** Reads the variables of an address. Undefined if the address is not this resource's. */
function matches({ uri: template }: Resource, uri: string): Readonly<Record<string, string>> | undefined {
  if (uri.length > MOST_CHARACTERS.address) return undefined;
  const names: string[] = [];
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name) => {
    names.push(name);
    return '([^/?#]+)';
  });
  const found = new RegExp(`^${pattern}$`).exec(uri);
  if (found === null) return undefined;
  const longest = (name: string) =>
    name === STATEMENT ? MOST_CHARACTERS.statementInAddress : MOST_CHARACTERS.variable;
  if (names.some((name, i) => (found[i + 1] ?? '').length > longest(name))) return undefined;
  return Object.fromEntries(names.map((name, i) => [name, percentDecoded(found[i + 1] ?? '')]));
}

/** Calls a tool for its result. @throws ClerkError if the tool answers with an error */
async function readByTool(
  { clerk, caller, signal }: RequestContext,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Result> {
  const asker = { caller, canElicit: false, canOpenUrls: false, signal };
  const answer = await clerk.call(tool, args, asker);
  if (answer.kind !== 'result') throw new Error(`${tool} asked a question`);
  if (!answer.isError) return answer;
  const { code, message, next } = answer.structured.error as Pick<ClerkError, 'code' | 'message' | 'next'>;
  throw new ClerkError(code, message, { next });
}

const booking: Resource = {
  name: 'booking',
  title: 'Booking',
  description:
    'A booking as the airline holds it now: state, deadlines, segments, passengers, tickets. Personal data is masked.',
  uri: 'fareclerk://bookings/{locator}',
  mimeType: 'text/plain',
  needs: 'read_booking',
  completes: { locator: 'locator' },
  read: async ({ locator }, context) => (await readByTool(context, 'read_booking', { locator })).text,
};

const ticket: Resource = {
  name: 'ticket',
  title: 'Ticket',
  description: 'A ticket as PDF, fetched from the airline now. get_tickets lists the addresses of a booking.',
  uri: 'fareclerk://tickets/{locator}/{number}/{coupon}',
  mimeType: 'application/pdf',
  needs: 'get_tickets',
  completes: { locator: 'locator' },
  read: ({ locator = '', number = '', coupon = '' }, { clerk, caller, signal }) =>
    clerk.ticket({ locator, number, coupon }, { caller, signal }),
};

const ledgerRows: Resource = {
  name: 'ledger_rows',
  title: 'Rows of a question',
  description: `All rows of a SELECT as CSV, at most ${ALL_ROWS.rows}. query_ledger gives the address where rows were left out.`,
  uri: LEDGER_ROWS,
  mimeType: 'text/csv',
  needs: 'query_ledger',
  async read({ from = '', to = '', sql = '' }, { clerk, caller, signal }) {
    const { columns, rows } = await clerk.ledgerTable({ from, to, sql }, { caller, signal });
    return [columns, ...rows].map(csvRow).join('');
  },
};

const RESOURCES: readonly Resource[] = [booking, ticket, ledgerRows];

/** Finds the resources whose tool is offered. */
function offeredResources(clerk: Pick<Clerk, 'tools'>): readonly Resource[] {
  return RESOURCES.filter(({ needs }) => offers(clerk, needs));
}

export function listTemplates(clerk: Pick<Clerk, 'tools'>): ListResourceTemplatesResult {
  const resourceTemplates = offeredResources(clerk).map(({ uri, name, title, description, mimeType }) => {
    return { uriTemplate: uri, name, title, description, mimeType };
  });
  return { resourceTemplates };
}

export async function readResource(context: RequestContext, uri: string): Promise<ReadResourceResult> {
  // The message does not repeat the address.
  if (uri.length > MOST_CHARACTERS.address)
    throw invalidParams(`uri: ${tooLong(MOST_CHARACTERS.address)} Nothing was sent.`);
  for (const resource of offeredResources(context.clerk)) {
    const variables = matches(resource, uri);
    if (variables === undefined) continue;
    const content = await resource.read(variables, context).catch((error) => {
      throw protocolError(error, uri);
    });
    const body = typeof content === 'string' ? { text: content } : { blob: Buffer.from(content).toString('base64') };
    return { contents: [{ uri, mimeType: resource.mimeType, ...body }] };
  }
  throw new ResourceNotFoundError(uri);
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** Maps a ClerkError to a protocol error. The clerk has replaced unexpected errors already. */
function protocolError(error: unknown, uri: string): unknown {
  if (!(error instanceof ClerkError)) return error;
  const message = `${error.code}: ${error.message} Next: ${error.next}`;
  if (error.code === 'E_NOT_FOUND') return new ResourceNotFoundError(uri, message);
  const code = error.code === 'E_INPUT' ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, message);
}

/** Completes an argument. Never fails: without data the reply is empty. */
export async function complete(context: RequestContext, params: CompleteRequestParams): Promise<CompleteResult> {
  const { argument, ref } = params;
  if (argument.value.length > MOST_CHARACTERS.completed)
    return { completion: { values: [], total: 0, hasMore: false } };
  const valueKind = await findCompletion(ref, argument.name);
  const values = valueKind === undefined ? [] : await FIND_VALUES[valueKind](context, argument.value).catch(() => []);
  const hasMore = values.length > MOST_COMPLETED;
  return { completion: { values: values.slice(0, MOST_COMPLETED), total: values.length, hasMore } };
}

/** Finds the kind of values that completes this argument. Undefined if none does. */
async function findCompletion(ref: CompleteRequestParams['ref'], argument: string): Promise<Completes | undefined> {
  if (ref.type === 'ref/prompt') {
    const prompt = (await import('./prompts.ts')).PROMPTS.find(({ name }) => name === ref.name);
    if (prompt === undefined) throw invalidParams('There is no such prompt.');
    return prompt.arguments.find(({ name }) => name === argument)?.completes;
  }
  const resource = RESOURCES.find(({ uri }) => uri === ref.uri);
  if (resource === undefined) throw invalidParams('There is no such resource.');
  const { completes = {} } = resource;
  return own(completes, argument);
}

/** Finds the values that begin with the typed text. */
type FindValues = (context: RequestContext, typed: string) => Promise<readonly string[]>;

const findStations: FindValues = async ({ clerk, caller, signal }, typed) => {
  if (!offers(clerk, 'list_routes')) return [];
  const { airline } = withPointOfSale(await clerk.runtime(), caller);
  const wanted = foldName(typed);
  return listStations(await airline.routes({ signal }))
    .filter(({ code, name, city }) => [code, name, city].some((text) => foldName(text).startsWith(wanted)))
    .map(({ code, name }) => plainText(`${code} ${name}`, LONGEST_STATION))
    .toSorted();
};

/** Finds the bookings that this caller made or read. */
const findLocators: FindValues = async ({ clerk, caller }, typed) => {
  if (!offers(clerk, 'read_booking')) return [];
  const { state } = await clerk.runtime();
  const wanted = typed.trim().toUpperCase();
  const { entries } = await state.ledger.find(caller, {
    query: wanted === '' ? undefined : wanted,
    limit: MOST_LOCATORS,
  });
  return entries.map(({ locator }) => locator).filter((locator) => locator.startsWith(wanted));
};

const FIND_VALUES: Readonly<Record<Completes, FindValues>> = { station: findStations, locator: findLocators };

function offers({ tools }: Pick<Clerk, 'tools'>, tool: string): boolean {
  return tools.some(({ name }) => name === tool);
}
