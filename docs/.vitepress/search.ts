/** What the search of the site lists first. */
import type { DefaultTheme } from 'vitepress';

/**
 * Lists generated pages after the guides; Security answers what new users ask.
 * The browser gets this function as text: it uses nothing from outside.
 */
export function boostPage(id: string): number {
  if (/^\/reference\/(?:tools\/|settings|commands|errors)/.test(id)) return 0.6;
  return id.startsWith('/start/') ? 1.5 : 1;
}

/** Folded JSON has every word of a tool: it is left out. */
export const SEARCH: DefaultTheme.LocalSearchOptions = {
  miniSearch: { searchOptions: { boostDocument: boostPage } },
  _render: (source, env, markdown) => markdown.render(source.replaceAll(/<details>[\s\S]*?<\/details>/g, ''), env),
};
