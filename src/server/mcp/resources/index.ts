/** Lists resources and reads one by its address. */
import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { ClerkError } from '../../../errors.ts';
import type { Clerk } from '../../clerk.ts';
import type { RequestContext } from '../request-context.ts';
import { booking } from './booking.ts';
import { isTemplate, matches, type Resource } from './define.ts';
import { fareRules } from './fare-rules.ts';
import { routes, routesFrom } from './routes.ts';
import { ticket } from './ticket.ts';

export const RESOURCES: readonly Resource[] = [routes, booking, fareRules, routesFrom, ticket];

/** The resources whose tool is offered. */
function offered({ tools }: Pick<Clerk, 'tools'>): readonly Resource[] {
  return RESOURCES.filter(({ needs }) => tools.some(({ name }) => name === needs));
}

function listed({ name, title, description, mimeType }: Resource) {
  return { name, title, description, mimeType };
}

export function listResources(clerk: Pick<Clerk, 'tools'>): ListResourcesResult {
  const fixed = offered(clerk).filter((each) => !isTemplate(each));
  return { resources: fixed.map((each) => ({ uri: each.uri, ...listed(each) })) };
}

export function listTemplates(clerk: Pick<Clerk, 'tools'>): ListResourceTemplatesResult {
  const open = offered(clerk).filter(isTemplate);
  return { resourceTemplates: open.map((each) => ({ uriTemplate: each.uri, ...listed(each) })) };
}

export async function readResource(context: RequestContext, uri: string): Promise<ReadResourceResult> {
  for (const resource of offered(context.clerk)) {
    const variables = matches(resource, uri);
    if (variables === undefined) continue;
    const content = await resource.read(variables, context).catch((error) => {
      throw protocolError(error, uri);
    });
    const held = typeof content === 'string' ? { text: content } : { blob: Buffer.from(content).toString('base64') };
    return { contents: [{ uri, mimeType: resource.mimeType, ...held }] };
  }
  throw new ResourceNotFoundError(uri);
}

/** Maps a ClerkError to a protocol error. The clerk has replaced unexpected errors already. */
function protocolError(error: unknown, uri: string): unknown {
  if (!(error instanceof ClerkError)) return error;
  const message = `${error.code}: ${error.message} Next: ${error.next}`;
  if (error.code === 'E_NOT_FOUND') return new ResourceNotFoundError(uri, message);
  const code = error.code === 'E_INPUT' ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, message);
}
