/**
 * The resources, in the order listed, and how one is found by its address.
 */
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
import type { Visitor } from '../request-context.ts';
import { booking } from './booking.ts';
import { isTemplate, matches, type Resource } from './define.ts';
import { fareRules } from './fare-rules.ts';
import { routes, routesFrom } from './routes.ts';

export const RESOURCES: readonly Resource[] = [routes, booking, fareRules, routesFrom];

/** Those whose tool is offered here. */
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

export async function readResource(visitor: Visitor, uri: string): Promise<ReadResourceResult> {
  for (const resource of offered(visitor.clerk)) {
    const variables = matches(resource, uri);
    if (variables === undefined) continue;
    const text = await resource.read(variables, visitor).catch((error) => {
      throw told(error, uri);
    });
    return { contents: [{ uri, mimeType: resource.mimeType, text }] };
  }
  throw new ResourceNotFoundError(uri);
}

/** Protocol errors carry our own words; a mistake of ours has been turned into such an error by the clerk. */
function told(error: unknown, uri: string): unknown {
  if (!(error instanceof ClerkError)) return error;
  const message = `${error.code}: ${error.message} Next: ${error.next}`;
  if (error.code === 'E_NOT_FOUND') return new ResourceNotFoundError(uri, message);
  const code = error.code === 'E_INPUT' ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, message);
}
