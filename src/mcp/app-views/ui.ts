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

const ALL: Readonly<Record<View, true>> = { fares: true, seats: true, booking: true, question: true };
export const VIEWS = Object.keys(ALL) as readonly View[];

/** Matches the code of a place. */
const PLACE = /^\w{3,8}$/;

const MIME = 'text/html;profile=mcp-app';

/** Names no domain: under a host's policy the view then cannot load or send anything. */
const META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };

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

/**
 * Collects the facts that a view needs beside a result: the word for a segment, and the names of the places in call and result, as
 * far as this process knows them. They go into `_meta`, which hosts hand to views and not to models, so they cost no tokens.
 */
export async function viewFacts(
  clerk: Clerk,
  tool: Pick<Tool, 'effect' | 'view'>,
  call: { readonly args: unknown; readonly result: unknown },
): Promise<ViewFacts | undefined> {
  if (uiMeta(tool) === undefined) return undefined;
  const { airline, airlineFacts } = await clerk.runtime();
  const places = Object.fromEntries(
    [...placesIn(call)].flatMap((code) => {
      const name = airline.placeName?.(code);
      return name === undefined ? [] : [[code, name]];
    }),
  );
  return { vehicle: vehicleOf({ ...clerk.options.settings, ...airlineFacts }), places };
}

/** Collects the codes in the fields `from` and `to`, at any depth. */
function placesIn(value: object, found = new Set<string>()): ReadonlySet<string> {
  const { from, to } = value as { from?: unknown; to?: unknown };
  if (typeof from === 'string' && PLACE.test(from)) found.add(from);
  if (typeof to === 'string' && PLACE.test(to)) found.add(to);
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) placesIn(inner, found);
  return found;
}

/** Views hold no data, so every caller may read them. */
export async function readView(uri: string): Promise<ReadResourceResult> {
  const view = VIEWS.find((each) => viewUri(each) === uri);
  if (view === undefined) throw new ResourceNotFoundError(uri);
  const { viewDocument } = await import('./documents.ts');
  const contents = [{ uri, mimeType: MIME, text: viewDocument(view), _meta: META }];
  return { contents, ttlMs: HOUR_MS, cacheScope: 'public' };
}
