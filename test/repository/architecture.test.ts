/**
 * The arrows: which folder may import which. Read from the sources, type-only imports judged like the others.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ACTS } from '../support/rules.ts';
import { declaredIn, readSources } from '../support/sources.ts';
import { importsOf, withoutComments } from './imports.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** By path below src. */
const SOURCES = new Map([...readSources()].map(([file, text]) => [file.slice('src/'.length), text]));
const FILES = [...SOURCES.keys()];

/** Folder (or file) of src → what it may import besides itself. `core` imports nothing. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  // Whom a file belongs to. bin/ loads it before the rest of the program.
  files: [],
  version: [],
  domain: ['core'],
  journal: ['domain', 'core'],
  // What travellers enter on a page, sealed.
  details: ['domain', 'core'],
  approvals: ['domain', 'core', 'journal'],
  // One question about many acts.
  plans: ['domain', 'core', 'journal', 'approvals'],
  // Which bookings a caller may reach.
  access: ['domain', 'core', 'journal'],
  // Tells other systems what happened. It sees ids and times, and neither a booking nor the airline.
  events: ['domain', 'core', 'journal'],
  // Answers questions in SQL over rows that it is given.
  ledger: ['domain', 'core', 'journal'],
  store: ['domain', 'core', 'files', 'access', 'approvals', 'details', 'events', 'journal', 'ledger', 'plans'],
  // An act says what proves it; the journal knows it by its description alone.
  tools: ['domain', 'core', 'approvals', 'details', 'journal', 'ledger', 'plans'],
  // Reads bookings by itself, so it sees neither tools nor approvals: it cannot send anything.
  watching: ['domain', 'core', 'journal'],
  auth: ['domain', 'core'],
  ota: ['domain', 'core', 'files'],
  // The airline shares nothing with its clients but the type of an amount, so that no mistake cancels out.
  sandbox: ['core/money.ts'],
  // Knows of the rooms only the journal, whose port it implements.
  tracing: ['core', 'journal'],
  // The pipeline of every call. Of the store only the counts that monitoring shows.
  clerk: [
    'domain',
    'core',
    'access',
    'approvals',
    'details',
    'journal',
    'ledger',
    'plans',
    'tools',
    'tracing',
    'store/open-counts.ts',
  ],
  metrics: ['domain', 'core', 'approvals', 'journal', 'tools', 'clerk', 'store/open-counts.ts'],
  // The protocol, and the views of the apps. It serves the same on stdio and over HTTP, and knows neither metrics nor HTTP.
  mcp: ['domain', 'core', 'approvals', 'journal', 'tools', 'tracing', 'clerk'],
  // Who may call over HTTP. Of the files only whom a number of a user means.
  http: ['domain', 'core', 'access', 'approvals', 'journal', 'ledger', 'tools', 'tracing', 'clerk', 'mcp', 'metrics'],
  // What people see: they are handed to HTTP, which knows none of them.
  pages: ['domain', 'core', 'approvals', 'details', 'journal', 'ledger', 'plans', 'tools', 'tracing', 'clerk', 'http'],
  config: ['domain', 'core', 'files'],
  cli: [
    'auth',
    'config',
    'domain',
    'core',
    'access',
    'approvals',
    'details',
    'events',
    'files',
    'journal',
    'ledger',
    'ota',
    'plans',
    'sandbox',
    'store',
    'tools',
    'tracing',
    'clerk',
    'mcp',
    'metrics',
    'http',
    'pages',
    'version',
    'watching',
  ],
  main: ['cli', 'config', 'domain', 'core', 'version'],
  // The second door of the program: a process that reads rows.
  'ledger-reader': ['cli'],
};

/** The files beside the folders of tools: tools that read or plan, and the catalog. */
const TOOLS_THAT_READ = '';

/**
 * The folders of tools: each may import those before it. What a tool is, what is allowed, what is shown, what several tools do, acts,
 * and plans made of acts.
 */
const ORDER_OF_TOOLS = ['definition', 'rules', 'views', 'steps', 'acts', 'plans', TOOLS_THAT_READ];

/** Where a package may be imported. One not listed here may be imported nowhere. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  zod: ['clerk', 'config', 'mcp', 'ota', 'sandbox', 'tools'],
  undici: ['auth', 'cli', 'ota'],
  pino: ['cli'],
  'pino-pretty': ['cli'],
  '@modelcontextprotocol/server': ['cli', 'http', 'mcp'],
  '@modelcontextprotocol/client': ['cli'],
  jose: ['auth'],
  'openid-client': ['auth'],
  postgres: ['store'],
  'prom-client': ['metrics'],
  '@opentelemetry': ['tracing'],
  // Bundles the app views when the sources run; the bundle holds them ready made.
  esbuild: ['mcp'],
  negotiator: ['http'],
  'string-width': ['cli'],
};

/** Node's own modules that a folder must not touch: tools and domain do no I/O and read no clock or file. */
const PURE = ['core', 'domain', 'tools'];
const PURE_BUILTINS = /^node:(?:crypto|util)$/;

/** Where acts are at home, and the two ends of the wire, which have a message for each. */
const HOMES_OF_ACTS = ['tools/acts/', 'tools/index.ts', 'ota/', 'sandbox/'];

/** Elsewhere: how `FILE: CODE` begins, and why it may be there. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'access/booking-access.ts: create: ': 'a method of the airline',
  'clerk/way-to-airline.ts: create: ': 'a method of the airline',
  'clerk/way-to-airline.ts: pay: ': 'a method of the airline',
  "mcp/prompts.ts: ['": 'the tools that a prompt names in its sentences',
};

/** Outside of src/files: what it does there. */
const OTHER_JUDGES: Readonly<Record<string, string>> = {};

const ACT = `(?:${[...new Set(ACTS.all.flatMap(({ name, kind }) => [name, kind]))].join('|')})`;

/** Code that decides by an act: a case, a comparison (of SQL too), a list of acts, a key of a table. */
const DECIDES_BY_ACT = new RegExp(
  [
    `\\bcase '${ACT}'`,
    `[!=]==? '${ACT}'`,
    `'${ACT}' [!=]==?`,
    `\\b(?:tool|kind) (?:= |(?:not )?in \\([^)]*)'${ACT}'`,
    `\\[[^\\][{}()]*'${ACT}'\\s*[,\\]]`,
    `(?<=[{,]\\s*)(?:'${ACT}'|${ACT}):\\s`,
  ].join('|'),
  'g',
);

const decisionsByAct = (source: string): string[] => withoutComments(source).match(DECIDES_BY_ACT) ?? [];

interface Import {
  readonly file: string;
  readonly name: string;
  /** `src` path that a relative import points at. */
  readonly target?: string;
}

const folderOf = (file: string): string => (file.split('/')[0] ?? '').replace(/\.ts$/, '');

const IMPORTS: readonly Import[] = [...SOURCES].flatMap(([file, text]) =>
  importsOf(text).map((name) => ({ file, name, ...(name.startsWith('.') && { target: join(dirname(file), name) }) })),
);

const between = IMPORTS.filter(({ file, target }) => target !== undefined && folderOf(target) !== folderOf(file));

function mayImport(file: string, target: string): boolean {
  const allowed = ARROWS[folderOf(file)] ?? [];
  return allowed.some((one) => one === folderOf(target) || one === target);
}

it('the reader of imports sees every form, and no comment or string', () => {
  const source = [
    "import a from './a.ts';",
    "import type { B } from './b.ts';",
    "import {\n  c,\n  d,\n} from './c.ts';",
    "export * from './d.ts';",
    "export { e } from './e.ts';",
    "import './f.ts';",
    "const g = await import('./g.ts');",
    "// import './no.ts';",
    "/* import './no.ts'; */",
    "const text = 'import x from nowhere';",
    'export const h = 1;',
  ].join('\n');
  expect(importsOf(source)).toEqual([...'abcdefg'].map((letter) => `./${letter}.ts`));
  expect([FILES.length > 30, between.length > 30]).toEqual([true, true]);
});

describe('arrows', () => {
  it('every folder of src has its row in the table', () => {
    expect([...new Set(FILES.map(folderOf))].filter((folder) => !(folder in ARROWS))).toEqual([]);
  });

  it('imports between folders follow the table', () => {
    const wrong = between.filter(({ file, target }) => !mayImport(file, target ?? ''));
    expect(wrong.map(({ file, name }) => `${file} → ${name}`)).toEqual([]);
  });

  it('only what carries out a confirmed operation names the mint of Confirmed', () => {
    const named = [...SOURCES.values()].filter((code) => /\bmintConfirmed\b/.test(code));
    const declared = named.flatMap((code) => declaredIn(code).map(({ name }) => name));
    expect(named.length).toBe(2);
    expect(declared).toEqual(expect.arrayContaining(['mintConfirmed', 'carryOut']));
  });

  it('an act knows no other act: what several share has a file of its own', () => {
    const files = ACTS.all.map(({ name }) => `tools/acts/${name.replaceAll('_', '-')}.ts`);
    expect(files.filter((file) => !FILES.includes(file))).toEqual([]);
    const wrong = IMPORTS.filter(({ file, target = '' }) => files.includes(file) && files.includes(target));
    expect(wrong.map(({ file, name }) => `${file} → ${name}`)).toEqual([]);
  });

  it('inside of tools every folder imports only those before it', () => {
    const rank = (file: string) => ORDER_OF_TOOLS.indexOf(/^tools\/([^/]+)\//.exec(file)?.[1] ?? TOOLS_THAT_READ);
    const inside = IMPORTS.filter(
      ({ file, target }) => folderOf(file) === 'tools' && folderOf(target ?? '') === 'tools',
    );
    const upward = inside.filter(({ file, target = '' }) => rank(target) > rank(file));
    expect(upward.map(({ file, name }) => `${file} → ${name}`)).toEqual([]);
    expect(new Set(inside.map(({ file }) => rank(file)))).toEqual(new Set(ORDER_OF_TOOLS.keys()));
  });

  it('arrows inside store run from each database to the stores, to the journal, and to what tables are made of', () => {
    const GROUND = ['database.ts', 'migrations.ts', 'opening.ts', 'tables.ts'].map((name) => `store/${name}`);
    const level = (file: string) => {
      if (/^store\/(?:sqlite|postgres)\//.test(file)) return 3;
      if (file.startsWith('store/journal/')) return 1;
      return GROUND.includes(file) ? 0 : 2;
    };
    const inside = IMPORTS.filter(({ file, target }) => file.startsWith('store/') && target?.startsWith('store/'));
    const wrong = inside.filter(({ file, target = '' }) => {
      return level(target) > level(file) || (level(target) === 3 && dirname(target) !== dirname(file));
    });
    expect(GROUND.filter((file) => !SOURCES.has(file))).toEqual([]);
    expect(wrong.map(({ file, name }) => `${file} → ${name}`)).toEqual([]);
  });

  it('the table has no cycle', () => {
    const reaches = (from: string, seen: readonly string[]): string | undefined => {
      if (seen.includes(from)) return [...seen, from].join(' → ');
      for (const next of ARROWS[from] ?? []) {
        const cycle = reaches(next.split('/')[0] ?? '', [...seen, from]);
        if (cycle !== undefined) return cycle;
      }
      return undefined;
    };
    const cycles = Object.keys(ARROWS).map((folder) => reaches(folder, []));
    expect(cycles.filter(Boolean)).toEqual([]);
  });

  it('no file imports itself through others, for types or later either', () => {
    const imports = Map.groupBy(IMPORTS, ({ file }) => file);
    const done = new Set<string>();
    const circle = (file: string, path: readonly string[]): string | undefined => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' → ');
      if (done.has(file)) return undefined;
      for (const { target } of imports.get(file) ?? []) {
        const found = target && circle(target, [...path, file]);
        if (found !== undefined) return found;
      }
      done.add(file);
      return undefined;
    };
    expect(FILES.map((file) => circle(file, [])).filter(Boolean)).toEqual([]);
  });

  it('packages are imported where they belong, and no others', () => {
    const wrong = IMPORTS.filter(({ file, name, target }) => {
      if (target !== undefined || name.startsWith('node:')) return false;
      const owner = Object.keys(PACKAGES).find((known) => name === known || name.startsWith(`${known}/`));
      return owner === undefined || !PACKAGES[owner]?.includes(folderOf(file));
    });
    expect(wrong.map(({ file, name }) => `${file} → ${name}`)).toEqual([]);
  });

  it('only one folder judges owners and modes, makes folders and changes modes', () => {
    const JUDGES = /\b(?:l?chmod|fchmod|lchown|chown|mkdir)(?:Sync)?\(|\.uid\b|\bgete?[ug]id\b|\blstat(?:Sync)?\(/;
    const judging = [...SOURCES].filter(([, text]) => JUDGES.test(withoutComments(text))).map(([file]) => file);
    expect(judging.filter((file) => !file.startsWith('files/')).sort()).toEqual(Object.keys(OTHER_JUDGES).sort());
  });

  it('domain and tools do no input or output', () => {
    const wrong = IMPORTS.filter(
      ({ file, name }) => PURE.includes(folderOf(file)) && name.startsWith('node:') && !PURE_BUILTINS.test(name),
    );
    expect(wrong.map(({ file, name }) => `${file} → ${name}`)).toEqual([]);
  });
});

describe('acts', () => {
  it('are seen in code that decides by them', () => {
    for (const [source, found] of [
      ["switch (tool) { case 'pay_booking': return 1; }", "case 'pay_booking'"],
      ["if (kind === 'cancel_segments') return;", "=== 'cancel_segments'"],
      ["const other = tool !== 'split_booking';", "!== 'split_booking'"],
      ["const same = 'pay' === subject.kind;", "'pay' ==="],
      ["const MONEY = ['search_fares', 'pay_booking'];", "['search_fares', 'pay_booking']"],
      ["const MONEY = new Set([\n  'pay_booking',\n]);", "[\n  'pay_booking',"],
      ['const WORDS = { create: 1 };', 'create: '],
      ["const WORDS = {\n  'assign_seats': seats };", "'assign_seats': "],
      ["sql(`select 1 where tool = 'create_booking'`);", "tool = 'create_booking'"],
      ["sql(`select 1 where tool in ('x', 'create_booking')`);", "tool in ('x', 'create_booking'"],
    ] as const)
      expect(decisionsByAct(source)).toEqual([found]);
  });

  it('are not seen in comments, sentences, steps, calls and types', () => {
    for (const source of [
      '// pay_booking: asks a person',
      "/** case 'pay_booking' */",
      "const next = 'Call pay_booking: it asks a person.';",
      "const step = { tool: 'pay_booking', args };",
      "await read('cancel_booking', args);",
      'const pay = allowed.pay ?? calls.pay_booking;',
      'interface Allowed { readonly pay: Permission }',
    ])
      expect(decisionsByAct(source)).toEqual([]);
  });

  it('decide in their own folders only: no other file has a switch, comparison or table over them', () => {
    const found = [...SOURCES]
      .filter(([file]) => !HOMES_OF_ACTS.some((home) => file.startsWith(home)))
      .flatMap(([file, text]) => decisionsByAct(text).map((code) => `${file}: ${code}`));
    const excepted = Object.keys(EXCEPTIONS);
    expect(found.filter((one) => !excepted.some((begin) => one.startsWith(begin)))).toEqual([]);
    expect(excepted.filter((begin) => !found.some((one) => one.startsWith(begin)))).toEqual([]);
  });
});

describe('files', () => {
  const filesWhere = (fits: (text: string) => boolean) => FILES.filter((file) => fits(SOURCES.get(file) ?? ''));

  it('none is over 600 lines', () => {
    expect(filesWhere((text) => text.split('\n').length > 601)).toEqual([]);
  });

  it('no function is over 100 lines, and no ternary is in another', () => {
    const lint = [
      'lint',
      '--config-path=test/repository/shape.json',
      '--max-diagnostics=none',
      '--reporter=json',
      'src',
    ];
    const biome = ['node_modules/@biomejs/biome/bin/biome', ...lint];
    const { stdout } = spawnSync(process.execPath, biome, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64e6 });
    const { summary, diagnostics } = JSON.parse(stdout);
    expect(diagnostics.filter((one: { category: string }) => /^lint\//.test(one.category))).toEqual([]);
    expect(summary.unchanged).toBeGreaterThan(FILES.length - 1);
  });

  it('none casts through unknown', () => {
    expect(filesWhere((text) => /\bas unknown as\b/.test(text))).toEqual([]);
  });

  it('no two declare a type of the same name: one name has one meaning', () => {
    const types = [...SOURCES]
      .filter(([file]) => !file.startsWith('sandbox/'))
      .flatMap(([file, code]) => declaredIn(code).map(({ kind, name }) => ({ file, kind, name })))
      .filter(({ kind }) => kind === 'interface' || kind === 'type' || kind === 'class');
    expect(types.length).toBeGreaterThan(500);
    const twice = [...Map.groupBy(types, ({ name }) => name)].filter(([, declared]) => declared.length > 1);
    expect(twice.map(([name, declared]) => `${name}: ${declared.map(({ file }) => file).join(', ')}`)).toEqual([]);
  });

  it('none imports zod but as a whole: the script of a start has all of its languages otherwise, 345 KB', () => {
    expect(filesWhere((text) => /from 'zod'/.test(text.replaceAll("* as z from 'zod'", '')))).toEqual([]);
  });

  it('none is a drawer for helpers', () => {
    expect(FILES.filter((file) => /(?:^|\/)(?:utils?|helpers?|common|misc)(?:\.ts|\/)/i.test(file))).toEqual([]);
  });

  it('all are kebab-case', () => {
    expect(FILES.filter((file) => !/^[a-z0-9-]+(?:\/[a-z0-9-]+)*\.ts$/.test(file))).toEqual([]);
  });

  it('none writes to the console: stdout is the protocol', () => {
    expect(filesWhere((text) => /\bconsole\s*\./.test(text))).toEqual([]);
  });
});

it('the sandbox imports the type of an amount and nothing else of the program', () => {
  const sources = [...SOURCES].filter(([file]) => folderOf(file) === 'sandbox');
  const imports = sources.flatMap(([, text]) => text.match(/^import .*core\/.*$/gm) ?? []);
  expect(imports.length).toBeGreaterThan(3);
  expect(imports.filter((line) => !/^import type \{ Money \} from /.test(line))).toEqual([]);
});
