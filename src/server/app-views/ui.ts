/** Which tool's results have a view (MCP Apps 2026-01-26). Loaded with the list of tools; the views are not. */
import type { Tool } from '../../tools/definition/define.ts';

/** Name of the extension among the server's capabilities. */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui';

export const UI_SCHEME = 'ui://fareclerk/';

export const VIEWS = ['fares', 'dates', 'seats', 'booking', 'quote', 'terms'] as const;
export type View = (typeof VIEWS)[number];

const VIEW_OF_TOOL: Readonly<Record<string, View>> = {
  search_fares: 'fares',
  find_cheapest_dates: 'dates',
  get_seat_map: 'seats',
  read_booking: 'booking',
  create_booking: 'booking',
  quote_cancellation: 'quote',
};

export const viewUri = (view: View): string => `${UI_SCHEME}${view}.html`;

/** `_meta` of a tool in the list. Kept short: every list costs tokens. Visibility is the default, model and app. */
export function uiMeta({ name, effect }: Pick<Tool, 'name' | 'effect'>) {
  const view = VIEW_OF_TOOL[name] ?? (effect === 'commit' ? 'terms' : undefined);
  return view && { ui: { resourceUri: viewUri(view) } };
}
