/** Reads of `ui://` addresses. Views hold no data, so every caller may read them. */

import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { HOUR_MS } from '../../core/times.ts';
import { viewDocument } from './documents.ts';
import { VIEWS, viewUri } from './ui.ts';

const MIME = 'text/html;profile=mcp-app';

/** Names no domain: under a host's policy the view then cannot load or send anything. */
const META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };

export function readView(uri: string): ReadResourceResult {
  const view = VIEWS.find((each) => viewUri(each) === uri);
  if (view === undefined) throw new ResourceNotFoundError(uri);
  const contents = [{ uri, mimeType: MIME, text: viewDocument(view), _meta: META }];
  return { contents, ttlMs: HOUR_MS, cacheScope: 'public' };
}
