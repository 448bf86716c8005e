/** llms.txt (llmstxt.org): the pages as a list for language models, and llms-full.txt: their whole text in one file. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryFile } from './repository.ts';
import { type Entry, IN_REPOSITORY, PARTS } from './sidebar.ts';

const HEAD = `# fareclerk

> An MCP tool server: with it an assistant can search, book, pay, change and refund airline and rail trips. Nothing that moves
> money or cannot be undone happens unless a person approves the exact terms. Nothing is sent twice. No outcome is guessed.
`;

/** `guides/index.md` of `/guides/`. */
export function fileOf({ link }: Pick<Entry, 'link'>): string {
  return `${link.slice(1)}${link.endsWith('/') ? 'index' : ''}.md`;
}

export function llmsText(): string {
  const parts = PARTS.map(({ text, items }) => {
    const lines = items.map((entry) => `- [${entry.text}](/${fileOf(entry)}): ${entry.says}`);
    return `## ${text}\n\n${lines.join('\n')}\n`;
  });
  const others = IN_REPOSITORY.map((entry) => `- [${entry.text}](${repositoryFile(fileOf(entry))}): ${entry.says}`);
  return [HEAD, ...parts, `## Optional\n\n${others.join('\n')}\n`].join('\n');
}

/** Every page of the site, in the order of the menu. `source` is the folder of the docs. */
export function llmsFullText(source: string): string {
  const pages = PARTS.flatMap(({ items }) => items).map((entry) => {
    const text = readFileSync(join(source, fileOf(entry)), 'utf8').replace(/^---\n[\s\S]*?\n---\n/, '');
    return `<!-- ${fileOf(entry)} -->\n\n${text.trim()}\n`;
  });
  return [HEAD, ...pages].join('\n');
}

/** Writes both files, and every page as Markdown beside its HTML. */
export function writeLlms(source: string, out: string): void {
  writeFileSync(join(out, 'llms.txt'), llmsText());
  writeFileSync(join(out, 'llms-full.txt'), llmsFullText(source));
  for (const entry of PARTS.flatMap(({ items }) => items)) {
    const file = join(out, fileOf(entry));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, readFileSync(join(source, fileOf(entry)), 'utf8'));
  }
}
