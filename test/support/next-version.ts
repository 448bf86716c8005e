/**
 * The sources of the version that comes after this one: a copy in which the tables are others, changed as CONTRIBUTING.md
 * says. Its migration is a toy, but what runs it is the program's own.
 */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const [, version = ''] = /SCHEMA_VERSION = (\d+);/.exec(readFileSync(join(ROOT, 'src/store/tables.ts'), 'utf8')) ?? [];
export const PRESENT = version;
export const NEXT = String(Number(version) + 1);

/** The toy: a table with an index, an index of a table that is there, and columns of both kinds. */
const STEP = `
  ${NEXT}: (syntax) => \`alter table \${syntax.prefix}operation add column toy \${syntax.int} not null default 7;
alter table \${syntax.prefix}approval add column toy text;
create index op_toy on \${syntax.prefix}operation(toy);
\${toyTable(syntax)}\`,`;
const TABLE = `
export function toyTable({ prefix: s, key, endKeyed }: TableSyntax): string {
  return \`create table \${s}toy (name \${key} primary key) \${endKeyed};\`;
}
`;

/** Makes them in `folder`; they run and build as those here do. */
export function nextVersionTo(folder: string): void {
  for (const part of ['src', 'scripts', 'bin', 'package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const edit = (file: string, ...changes: readonly (readonly [from: string, to: string])[]) => {
    const path = join(folder, file);
    const text = changes.reduce(
      (before, [from, to]) => {
        if (before.split(from).length !== 2) throw new Error(`${file} has another place for ${from}`);
        return before.replace(from, () => to);
      },
      readFileSync(path, 'utf8'),
    );
    writeFileSync(path, text);
  };
  edit(
    'src/store/tables.ts',
    [`export const SCHEMA_VERSION = ${PRESENT};`, `export const SCHEMA_VERSION = ${NEXT};\n${TABLE}`],
    ['    failureTable(syntax),\n', '    failureTable(syntax),\n    toyTable(syntax),\n'],
    [
      'trace text, plan text, facts text, asked text, reason text, customer text, named text\n',
      `trace text, plan text, facts text, asked text, reason text, customer text, named text, toy \${int} not null default 7\n`,
    ],
    ['create index op_open ', `create index op_toy on \${s}operation(toy);\ncreate index op_open `],
    [`  topic \${key}, tool text,`, `  toy text, topic \${key}, tool text,`],
  );
  edit(
    'src/store/migrations.ts',
    ['import { cardTable, customerTable,', 'import { cardTable, customerTable, toyTable,'],
    ['(syntax: TableSyntax, now: string) => string>> = {', `(syntax: TableSyntax, now: string) => string>> = {${STEP}`],
  );
}
