/** Which tool's results have a view (MCP Apps 2026-01-26), and how it is read. Loaded with the list of tools; the views are not. */
import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { HOUR_MS } from '../../core/times.ts';
import type { Tool } from '../../tools/definition/define.ts';
import type { View } from './documents.ts';

/** Name of the extension among the server's capabilities. */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui';

export const UI_SCHEME = 'ui://fareclerk/';

const ALL: Readonly<Record<View, true>> = { fares: true, seats: true, booking: true, question: true };
export const VIEWS = Object.keys(ALL) as readonly View[];

const viewUri = (view: View): string => `${UI_SCHEME}${view}.html`;

/** What a view needs beside a result: the word for a segment, and names of places by their codes, as far as they are known. */
export interface ViewFacts {
  readonly vehicle: 'train' | 'flight';
  readonly places: Readonly<Record<string, string>>;
}

/** `_meta` of a tool in the list. Kept short: every list costs tokens. Visibility is the default, model and app. */
export function uiMeta({ effect, view }: Pick<Tool, 'effect' | 'view'>) {
  const shown = view ?? (effect === 'commit' ? 'question' : undefined);
  return shown && { ui: { resourceUri: viewUri(shown) } };
}

const MIME = 'text/html;profile=mcp-app';

/** Names no domain: under a host's policy the view then cannot load or send anything. */
const META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };

/** Views hold no data, so every caller may read them. */
export async function readView(uri: string): Promise<ReadResourceResult> {
  const view = VIEWS.find((each) => viewUri(each) === uri);
  if (view === undefined) throw new ResourceNotFoundError(uri);
  const { viewDocument } = await import('./documents.ts');
  const contents = [{ uri, mimeType: MIME, text: viewDocument(view), _meta: META }];
  return { contents, ttlMs: HOUR_MS, cacheScope: 'public' };
}
