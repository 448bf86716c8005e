/**
 * Comments cite the wire by page and section, `docs/wire/notes.md, Price check`: every page and section exists.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

function headingsOf(page: string): ReadonlySet<string> {
  const lines = read(`docs/wire/${page}.md`).split('\n');
  return new Set(lines.filter((line) => /^##+ /.test(line)).map((line) => line.replace(/^#+ /, '')));
}

const HEADINGS = { interface: headingsOf('interface'), notes: headingsOf('notes') };

const SOURCES = readdirSync(new URL('src', ROOT), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `src/${file}`);

/** The text with the lines of each comment joined. */
const joined = (text: string): string => text.replaceAll(/\n\s*(?:\*|\/\/) /g, ' ');

/** Sections begin with a capital letter; what else follows the page is prose. */
const CITATION = /docs\/wire\/(interface|notes)\.md((?:, [A-Z][A-Za-z ]*)*)/g;

const citations = SOURCES.flatMap((file) =>
  [...joined(read(file)).matchAll(CITATION)].map(([, page, sections = '']) => ({
    file,
    page: page === 'interface' ? ('interface' as const) : ('notes' as const),
    sections: sections.split(', ').filter((section) => section !== ''),
  })),
);

describe('citations of docs/wire in comments', () => {
  test('finds more than 150 citations', () => expect(citations.length).toBeGreaterThan(150));

  test('cites only sections that exist', () => {
    const wrong = citations.flatMap(({ file, page, sections }) =>
      sections.filter((section) => !HEADINGS[page].has(section)).map((section) => `${file}: ${page}.md, ${section}`),
    );
    expect(wrong).toEqual([]);
  });

  test('cites wire pages only by their full path', () => {
    const pages = /(?<!docs\/wire\/)\b(?:interface|field-notes|notes)\.md/;
    expect(SOURCES.filter((file) => pages.test(read(file)))).toEqual([]);
  });
});
