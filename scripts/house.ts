/**
 * Counts the words, hops and forms that a reader of the sources has to know: `node scripts/house.ts`. Numbers alone; what is too
 * much is for people to say. `--list NAME` names what a number counts, `--in FOLDER` counts the files of one folder alone, but for
 * the widest folder and the types of a payment.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { parseArgs } from 'node:util';
import { importsOf, soleImporters } from '../test/repository/imports.ts';
import { readSources } from '../test/support/sources.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const { list, in: wanted = 'src' } = parseArgs({
  options: { list: { type: 'string' }, in: { type: 'string' } },
}).values;
const folder = wanted.replace(/\/+$/, '');
const SOURCES = readSources();
const FILES = [...SOURCES.keys()].filter((file) => file.startsWith(`${folder}/`));

/** `{ readonly a: B }` of types is no spread. */
const SPREAD = /\.\.\.\((?:[^()]|\([^()]*\))*?(?:\? \{ \w+(?:: [^{}]*)? \} : \{\}|&& \{ \w+(?:: [^{}]*)? \})\)/g;
const NAMED_OF = /\b(?:function|const) [a-z]\w*Of(?= =|\(|<)/g;

function matches(pattern: RegExp): readonly string[] {
  return [...SOURCES]
    .filter(([file]) => FILES.includes(file))
    .flatMap(([file, text]) => [...text.matchAll(pattern)].map(([found]) => `${file}: ${found}`));
}

const importsPerFile = FILES.map(
  (file) => new Set(importsOf(SOURCES.get(file) ?? '').filter((name) => name.startsWith('.'))).size,
);
const lines = FILES.map((file) => SOURCES.get(file)?.split('\n').length ?? 0).sort((a, b) => a - b);
const oneImporter = [...soleImporters(SOURCES)].flatMap(([file, importer]) =>
  FILES.includes(file) ? [`${file} ← ${importer}`] : [],
);
const folders = ['src', 'test', 'scripts'].flatMap((top) =>
  Object.entries(
    Object.groupBy(globSync(`${top}/**/*`, { cwd: ROOT, exclude: ['**/node_modules'] }), (path) => dirname(path)),
  ).map(([folder, entries = []]) => ({ folder, entries: entries.length })),
);

/** The exported types that the steps of a payment name (docs/reference/architecture.md), each with its steps. */
function paymentNouns(): readonly string[] {
  const EXPORTED = /^export (?:abstract )?(?:interface|type|class) (\w+)/gm;
  const types = new Set([...SOURCES.values()].flatMap((text) => [...text.matchAll(EXPORTED)].map(([, name]) => name)));
  const page = readFileSync(join(ROOT, 'docs/reference/architecture.md'), 'utf8');
  const found = new Map<string, string[]>();
  for (const [, n = '', step, file = ''] of page.matchAll(/^\| (\d+[a-z]?) \| `(\w+)` \| `([^`]+)` \|/gm))
    for (const name of new Set(declaration(SOURCES.get(file) ?? '', step).match(/\b[A-Z]\w+/g)))
      if (types.has(name)) found.set(name, [...(found.get(name) ?? []), n]);
  return [...found].sort().map(([name, steps]) => `${name}: ${steps.join(' ')}`);
}

/** Comments, and texts: `Call the tool again` names no type. */
const NO_CODE = /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'/g;

/** From the line that declares it to the line that ends it, by their indents. */
function declaration(text: string, name = ''): string {
  const lines = text.split('\n');
  const begins = new RegExp(
    `^\\s*(?:export |async |protected |private )*(?:function )?${name}(?:<[^>]*>)?\\((?:.*[({,])?$|const ${name}\\b`,
  );
  const from = lines.findIndex((line) => begins.test(line));
  const indent = lines[from]?.search(/\S/) ?? 0;
  const length = lines.slice(from + 1).findIndex((line) => line.search(/\S/) === indent && /^\s*\}[;,)]*$/.test(line));
  const code = from < 0 ? '' : lines.slice(from, from + length + 2).join('\n');
  return code.replace(NO_CODE, '');
}

const LISTS: Readonly<Record<string, readonly string[]>> = {
  nouns: paymentNouns(),
  'one-importer': oneImporter.sort(),
  of: matches(NAMED_OF),
  spreads: matches(SPREAD),
  folders: folders
    .sort((a, b) => b.entries - a.entries)
    .slice(0, 20)
    .map(({ folder: name, entries }) => `${entries} ${name}`),
};

if (list !== undefined) console.log((LISTS[list] ?? [`One of: ${Object.keys(LISTS).join(', ')}`]).join('\n'));
else
  console.table({
    files: FILES.length,
    lines: lines.reduce((sum, count) => sum + count, 0),
    'median lines of a file': lines[lines.length >> 1],
    'relative imports a file': Number(
      (importsPerFile.reduce((sum, count) => sum + count, 0) / FILES.length).toFixed(2),
    ),
    'files with one importer (catalogs apart)': oneImporter.length,
    'functions named …Of': LISTS.of?.length,
    'conditional spreads of one field': LISTS.spreads?.length,
    'widest folder': LISTS.folders?.[0],
    'types in the steps of a payment': LISTS.nouns?.length,
  });
