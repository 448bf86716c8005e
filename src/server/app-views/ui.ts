/** Which tool's results have a view (MCP Apps 2026-01-26). Loaded with the list of tools; the views are not. */
import type { Tool } from '../../tools/definition/define.ts';

/** Name of the extension among the server's capabilities. */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui';

export const UI_SCHEME = 'ui://fareclerk/';

export const VIEWS = ['fares', 'seats', 'booking', 'question'] as const;
export type View = (typeof VIEWS)[number];

export const viewUri = (view: View): string => `${UI_SCHEME}${view}.html`;

/** `_meta` of a tool in the list. Kept short: every list costs tokens. Visibility is the default, model and app. */
export function uiMeta({ effect, view }: Pick<Tool, 'effect' | 'view'>) {
  const shown = view ?? (effect === 'commit' ? 'question' : undefined);
  return shown && { ui: { resourceUri: viewUri(shown) } };
}
