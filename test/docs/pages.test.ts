import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchor } from '../../docs/.vitepress/anchor.ts';
import { fileOf, llmsFullText, llmsText } from '../../docs/.vitepress/llms.ts';
import { inRepository } from '../../docs/.vitepress/repository.ts';
import { IN_REPOSITORY, PARTS } from '../../docs/.vitepress/sidebar.ts';
import { ERROR_CODES } from '../../src/core/errors.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

const PAGES = [
  'README.md',
  'AGENTS.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true }).map((file) => join('docs', String(file))),
].filter((file) => file.endsWith('.md') && !file.includes('.vitepress/'));

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const proseOf = (file: string) => read(file).replaceAll(/```[\s\S]*?```/g, '');

function headings(file: string): Set<string> {
  return new Set([...proseOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchor(heading)));
}

function links(file: string): readonly string[] {
  const all = [...proseOf(file).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)];
  return all.map(([, to, other = '']) => to ?? other).filter((to) => !/^[a-z][a-z+.-]*:/.test(to));
}

describe('the docs', () => {
  test('every error code has its paragraph', () => {
    const page = read('docs/reference/errors.md');
    const told = [...page.matchAll(/^## (E_\w+)\n\n\S/gm)].map(([, code]) => code);
    expect(told).toEqual([...ERROR_CODES]);
  });

  test('troubleshooting leads to every error code', () => {
    const to = links('docs/guides/troubleshooting.md').map((link) => link.split('errors.md#')[1]?.toUpperCase());
    expect(ERROR_CODES.filter((code) => !to.includes(code))).toEqual([]);
  });

  test('every page is in the menu of the site or left out by name, and every picture in a page', () => {
    const listed = [...PARTS.flatMap(({ items }) => items), ...IN_REPOSITORY].map((entry) => `docs/${fileOf(entry)}`);
    const pages = PAGES.filter((file) => file.startsWith('docs/'));
    expect(listed.toSorted()).toEqual(pages.toSorted());
    const shown = PAGES.flatMap((file) => links(file).map((to) => basename(to)));
    expect(readdirSync(join(ROOT, 'docs/images')).filter((picture) => !shown.includes(picture))).toEqual([]);
  });

  test('the first booking stays in the sandbox, also after a real airline was connected', () => {
    const page = read('docs/start/first-booking.md');
    const lines = page.match(/^npx fareclerk (?:call|journal)\b.*/gm) ?? [];
    expect(lines.filter((line) => !line.includes(' --sandbox'))).toEqual([]);
    expect(lines.length).toBeGreaterThan(0);
  });

  test('llms.txt lists every page with a line on it, and llms-full.txt has the text of each page of the site', () => {
    const text = llmsText();
    const onSite = [...text.matchAll(/^- \[[^\]]+\]\(\/(\S+\.md)\): \S/gm)].map(([, file]) => `docs/${file}`);
    const others = [...text.matchAll(/\/blob\/main\/(docs\/\S+\.md)\): \S/g)].map(([, file = '']) => file);
    expect([...onSite, ...others].toSorted()).toEqual(PAGES.filter((file) => file.startsWith('docs/')).toSorted());
    const all = llmsFullText(join(ROOT, 'docs'));
    for (const file of onSite) expect(all).toContain(read(file).trim());
  });

  test('a link of the site to a page that it leaves out leads into the repository', () => {
    const address = (href: string) => inRepository(href, 'guides/http.md');
    expect(address('../reference/doctor.md#checks')).toBe(
      'https://github.com/fareclerk/fareclerk/blob/main/docs/reference/doctor.md#checks',
    );
    expect(['running.md', '#set-it-up', 'https://air.example/wire/notes.md'].map(address)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each(PAGES)('%s: every link leads somewhere', (file) => {
    for (const to of links(file)) {
      const [path = '', hash] = to.split('#');
      const target = path === '' ? file : relative(ROOT, join(ROOT, dirname(file), path));
      expect(existsSync(join(ROOT, target)), `${file} -> ${to}`).toBe(true);
      if (hash !== undefined && target.endsWith('.md'))
        expect([...headings(target)], `${file} -> ${to}`).toContain(hash);
    }
  });
});

/** Paths of sources as the docs write them: `src/ota/`, `test/docs/pages`, `test/ota/messages/golden*`. */
const NAMED = /(?<![\w/.@-])(?:src|test|scripts|bench|deploy)(?:\/[\w.-]+)+/g;

function isThere(path: string): boolean {
  const folder = join(ROOT, dirname(path));
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(basename(path)));
}

test.each(PAGES)('%s: every source that it names is there', (file) => {
  const named = read(file).match(NAMED) ?? [];
  expect(named.filter((path) => !path.includes('NAME') && !isThere(path.replace(/[.]$/, '')))).toEqual([]);
});
