/**
 * Lists resources and reads them: the PDF of a ticket and the rows of a question under an address, which a result names. Each is read
 * through the clerk, with the same access as the tool that it stands for. In order: what a resource is, each of them, listing and reading.
 */

import {
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  UriTemplate,
} from '@modelcontextprotocol/server';
import type { Clerk } from '../clerk/clerk.ts';
import { percentDecoded } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { MOST_CHARACTERS, tooLong } from '../core/text-limits.ts';
import { csvRow } from '../core/words.ts';
import type { Caller } from '../domain/people/caller.ts';
import { ALL_ROWS, LEDGER_ROWS } from '../tools/query-ledger.ts';

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
  /** A template of RFC 6570 level 1: `fareclerk://tickets/{locator}/{number}/{coupon}`. */
  readonly uri: string;
  readonly mimeType: string;
  /** The tool that reads it. Without the tool the resource is not offered. */
  readonly needs: string;
  /** @throws ClerkError */
  read(variables: Readonly<Record<string, string>>, context: RequestContext): Promise<string | Uint8Array>;
}

/** The variable that holds a statement: it is longer than others. */
const STATEMENT = 'sql';

/** Reads the variables of an address. Undefined if the address is not this resource's. */
function matches({ uri: template }: Resource, uri: string): Readonly<Record<string, string>> | undefined {
  if (uri.length > MOST_CHARACTERS.address) return undefined;

  // The template takes a comma for the end of a value.
  const found = /[?#]/.test(uri) ? null : new UriTemplate(template).match(uri.replaceAll(',', '%2C'));
  if (found === null) return undefined;

  const values = Object.entries(found).map(([name, value]) => [name, String(value)] as const);
  const longest = (name: string) =>
    name === STATEMENT ? MOST_CHARACTERS.statementInAddress : MOST_CHARACTERS.variable;
  if (values.some(([name, value]) => value.length > longest(name))) return undefined;

  return Object.fromEntries(values.map(([name, value]) => [name, percentDecoded(value)]));
}

const ticket: Resource = {
  name: 'ticket',
  title: 'Ticket',
  description: 'A ticket as PDF, fetched from the airline now. get_tickets lists the addresses of a booking.',
  uri: 'fareclerk://tickets/{locator}/{number}/{coupon}',
  mimeType: 'application/pdf',
  needs: 'get_tickets',
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

const RESOURCES: readonly Resource[] = [ticket, ledgerRows];

/** Finds the resources whose tool is offered. */
function offeredResources({ tools }: Pick<Clerk, 'tools'>): readonly Resource[] {
  return RESOURCES.filter(({ needs }) => tools.some(({ name }) => name === needs));
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
