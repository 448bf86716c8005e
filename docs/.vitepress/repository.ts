/** Pages that the site leaves out: links to them lead into the repository. */
import type { MarkdownRenderer } from 'vitepress';
import { IN_REPOSITORY } from './sidebar.ts';

export const REPOSITORY = 'https://github.com/fareclerk/fareclerk';

/** The address of a file of docs/ in the repository. */
export const repositoryFile = (file: string): string => `${REPOSITORY}/blob/main/docs/${file}`;

/** `reference/doctor.md` of each page that is left out. */
export const LEFT_OUT: readonly string[] = IN_REPOSITORY.map(({ link }) => `${link.slice(1)}.md`);

/** The address in the repository that `href` of the page `from` (`guides/http.md`) leads to, if the site leaves that page out. */
export function inRepository(href: string, from: string): string | undefined {
  if (/^(?:[a-z][a-z+.-]*:|#|\/)/.test(href)) return undefined;
  const { pathname, hash } = new URL(href, `file:///${from}`);
  const file = pathname.slice(1);
  return LEFT_OUT.includes(file) ? repositoryFile(file) + hash : undefined;
}

/** Rewrites such links before VitePress looks for dead ones. */
export function linkToRepository(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('repository', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      const address = href === null ? undefined : inRepository(href, String(env.relativePath ?? ''));
      if (address !== undefined) token.attrSet('href', address);
    }
  });
}
