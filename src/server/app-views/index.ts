/**
 * Reads of `ui://` addresses. The views hold no data: anybody who may reach the server may read them.
 */
import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { documentOf } from './documents.ts';

const MIME = 'text/html;profile=mcp-app';
const HOUR_MS = 3_600_000;

/** No domain at all: a host's policy then lets a view load and send nothing. */
const META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };

export function readView(uri: string): ReadResourceResult {
  const [, name = ''] = /^ui:\/\/fareclerk\/(\w+)\.html$/.exec(uri) ?? [];
  const text = documentOf(name);
  if (text === undefined) throw new ResourceNotFoundError(uri);
  const contents = [{ uri, mimeType: MIME, text, _meta: META }];
  return { contents, ttlMs: HOUR_MS, cacheScope: 'public' };
}
