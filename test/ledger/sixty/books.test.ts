/** The answers of the sixty and the thirty come from the airlines' books and from what the people remember: their code cannot reach a desk. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { importsOf } from '../../repository/imports.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const HERE = relative(ROOT, import.meta.dirname);
const THIRTY = join(HERE, '../thirty');

/** The files that Node loads for one, itself included: what is imported for its types is not loaded. */
function loadedBy(file: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const source = readFileSync(join(ROOT, file), 'utf8').replace(/^import type [^;]*;/gm, '');
  for (const name of importsOf(source))
    if (name.startsWith('.')) loadedBy(join(dirname(file), name), loaded);
    else loaded.add(name);
  return loaded;
}

const ofOthers = (file: string) =>
  [...loadedBy(file)].filter((name) => ![HERE, THIRTY].includes(dirname(name)) && !name.startsWith('src/sandbox/'));

test('the answers load nothing but the sandbox airline', () => {
  const loaded = loadedBy(`${THIRTY}/questions.ts`, new Set(loadedBy(`${HERE}/questions.ts`)));
  for (const name of ['books.ts', 'money.ts', 'travel.ts', 'persons.ts']) expect(loaded).toContain(`${HERE}/${name}`);
  // The sandbox reads what it wrote down with Node alone, and the dialect of its network with zod.
  for (const folder of [HERE, THIRTY]) {
    const others = ofOthers(`${folder}/questions.ts`);
    expect(others.filter((name) => name.startsWith('src/') || name.startsWith('test/'))).toEqual([]);
  }
  // The same look finds the state of the desk where it is loaded.
  expect(ofOthers(`${HERE}/story.ts`)).toContain('src/ledger/run-sql.ts');
});
