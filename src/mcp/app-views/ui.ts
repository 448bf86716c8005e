/**
 * Which tools' results have a view (MCP Apps 2026-01-26), what the view learns beside them, and how it is read. Loaded with the list of
 * tools; the views are not.
 */
import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { Clerk } from '../../clerk/clerk.ts';
import { HOUR_MS } from '../../core/times.ts';
import { type Tool, vehicleOf } from '../../tools/definition/define.ts';
import type { View } from './documents.ts';

/** Name of the extension among the server's capabilities. */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui';

export const UI_SCHEME = 'ui://fareclerk/';

export const VIEWS: readonly View[] = ['fares', 'seats', 'question'];

const MIME = 'text/html;profile=mcp-app';

/** Names no domain: under a host's policy the view then cannot load or send anything. */
const META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };

const viewUri = (view: View): string => `${UI_SCHEME}${view}.html`;

/** What a view needs beside a result: the word for a segment. */
export interface ViewFacts {
  readonly vehicle: 'train' | 'flight';
}

/** `_meta` of a tool in the list. Kept short: every list costs tokens. Visibility is the default, model and app. */
export function uiMeta({ effect, view }: Pick<Tool, 'effect' | 'view'>) {
  const shown = view ?? (effect === 'commit' ? 'question' : undefined);
  return shown && { ui: { resourceUri: viewUri(shown) } };
}

/** Goes into `_meta`, which hosts hand to views and not to models, so that it costs no tokens. */
export async function viewFacts(clerk: Clerk): Promise<ViewFacts> {
  const { airlineFacts } = await clerk.runtime();
  return { vehicle: vehicleOf({ ...clerk.options.settings, ...airlineFacts }) };
}

/** Views hold no data, so every caller may read them. */
export async function readView(uri: string): Promise<ReadResourceResult> {
  const view = VIEWS.find((each) => viewUri(each) === uri);
  if (view === undefined) throw new ResourceNotFoundError(uri);
  const { viewDocument } = await import('./documents.ts');
  const contents = [{ uri, mimeType: MIME, text: viewDocument(view), _meta: META }];
  return { contents, ttlMs: HOUR_MS, cacheScope: 'public' };
}
