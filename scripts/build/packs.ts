/**
 * Divides the program into packs, each a script of its own. A module is in one pack only; another pack takes it from there when it runs.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type BuildOptions, build, type ImportKind, type Metafile, type Plugin } from 'esbuild';

interface Pack {
  /** The modules for which others load this pack. Paths are from the root of the repository. */
  readonly roots: readonly string[];
  /** The one of the roots that runs with the script, and whose exports are those of the script. */
  readonly entry?: string;
}

/** Packs by name. Each has what its roots reach and no earlier pack has. */
export type Packs = Readonly<Record<string, Pack>>;

/** Options of esbuild for each pack. */
export interface PackOptions extends BuildOptions {
  readonly outdir: string;
  readonly plugins: Plugin[];
}

interface Import {
  readonly path: string;
  readonly kind: ImportKind;
  /** As the importer names it. */
  readonly original?: string;
}

/** Namespace of the modules that a pack takes from another one. */
const TAKEN = 'taken';
/** Namespace of the scripts that a pack loads. */
const PACK = 'pack';
/** Namespace of what a pack gives of its modules to others. */
const GIVEN = 'given';

/** The names that others import of a module, by its path. 'all': it is required, or imported with import(). */
type TakenModules = ReadonlyMap<string, ReadonlySet<string> | 'all'>;

/** Builds all packs. `options` are those of each. The metafile has the inputs of a program in one piece. */
export async function buildPacks(root: string, packs: Packs, options: PackOptions) {
  const { outdir, plugins, ...shared } = options;
  const whole = await wholeProgram(root, packs, options);
  const owners = ownersIn(packs, whole.imports);
  assertLazy(packs, owners, whole.imports);
  const taken = await takenModules(root, owners, whole.imports);
  const plan = { id: whole.id, owners, taken, imports: whole.imports };
  const builds = await Promise.all(
    Object.entries(packs).map(([name, { entry }]) => {
      const given = [...plan.taken.keys()].filter((path) => owners.get(path) === name);
      return build({
        ...shared,
        stdin: { contents: entryText(whole.id, given, entry), resolveDir: root },
        outfile: join(outdir, `${name}.js`),
        metafile: true,
        write: false,
        plugins: [betweenPacks(root, name, plan), ...plugins],
      });
    }),
  );
  const outputs: Metafile['outputs'] = Object.assign({}, ...builds.map(({ metafile }) => metafile.outputs));
  return { builds, metafile: { inputs: whole.inputs, outputs } };
}

/** What imports what, without the modules of which nothing runs. `id` differs where anything that runs does. */
async function wholeProgram(root: string, packs: Packs, options: PackOptions) {
  const roots = Object.values(packs).flatMap((pack) => pack.roots);
  const contents = roots.map((path) => `import('./${path}');`).join('\n');
  const { metafile, outputFiles } = await build({
    ...options,
    stdin: { contents, resolveDir: root },
    minify: false,
    minifySyntax: true,
    sourcemap: false,
    metafile: true,
    write: false,
  });
  const { inputs, outputs } = metafile;
  const id = hash('sha256', outputFiles[0]?.contents ?? '');
  const sizes = Object.assign({}, ...Object.values(outputs).map((output) => output.inputs));
  const runs = (path: string): boolean => path !== '<stdin>' && sizes[path]?.bytesInOutput > 0;
  const imports = new Map<string, readonly Import[]>();
  for (const path of Object.keys(inputs).filter(runs))
    imports.set(path, inputs[path]?.imports.filter((it) => runs(it.path)) ?? []);
  return { id, inputs, imports };
}

/** The pack of each module. */
function ownersIn(packs: Packs, imports: ReadonlyMap<string, readonly Import[]>): ReadonlyMap<string, string> {
  const owners = new Map(Object.entries(packs).flatMap(([name, { roots }]) => roots.map((path) => [path, name])));
  for (const [name, { roots }] of Object.entries(packs)) {
    const reached = [...roots];
    for (const path of reached) {
      const more = (imports.get(path) ?? []).map((it) => it.path).filter((next) => !owners.has(next));
      for (const next of new Set(more)) owners.set(next, name);
      reached.push(...new Set(more));
    }
  }
  return owners;
}

/** @throws Error if a pack would load a later one as soon as it runs itself */
function assertLazy(
  packs: Packs,
  owners: ReadonlyMap<string, string>,
  imports: ReadonlyMap<string, readonly Import[]>,
): void {
  const order = Object.keys(packs);
  const placeOf = (path: string): number => order.indexOf(owners.get(path) ?? '');
  for (const [importer, them] of imports) {
    for (const { path, kind } of them) {
      if (kind === 'import-statement' && placeOf(path) > placeOf(importer))
        throw new Error(`${importer} must import ${path} with import(): it is in the pack ${owners.get(path)}`);
    }
  }
}

/** The modules that other packs take, with the names that they import. */
async function takenModules(
  root: string,
  owners: ReadonlyMap<string, string>,
  imports: ReadonlyMap<string, readonly Import[]>,
): Promise<TakenModules> {
  const taken = new Map<string, ReadonlySet<string> | 'all'>();
  for (const [importer, them] of imports) {
    for (const { path, kind, original = '' } of them) {
      if (owners.get(path) === owners.get(importer)) continue;
      const names = kind === 'import-statement' ? await namesImported(root, importer, path, original) : 'all';
      const before = taken.get(path) ?? new Set();
      taken.set(path, before === 'all' || names === 'all' ? 'all' : before.union(names));
    }
  }
  return taken;
}

/** The names that a file imports of a module. Of one that it imports as a namespace, those that it uses. Types are none. */
async function namesImported(root: string, importer: string, path: string, original: string) {
  const source = readFileSync(join(root, importer), 'utf8');
  const names = new Set<string>();
  for (const [, what = '', from] of source.matchAll(/^import ([^;'"]+) from ['"]([^'"]+)['"]/gm)) {
    if (from !== original || what.startsWith('type ')) continue;
    const [, namespace] = /^\* as (\w+)$/.exec(what) ?? [];
    if (namespace === undefined) {
      for (const name of listedNames(what)) names.add(name);
      continue;
    }
    const exported = Object.keys(await import(join(root, path)));
    for (const name of exported) if (new RegExp(`\\b${namespace}\\.${name}\\b`).test(source)) names.add(name);
  }
  return names;
}

/** The names of `a, { b, c as d, type E }`, where `a` is the default. */
function listedNames(what: string): readonly string[] {
  const [, byDefault, list = ''] = /^(\w+)?,?\s*(?:\{([^}]*)\})?$/.exec(what.trim()) ?? [];
  const listed = list.split(',').map((name) => name.trim());
  const named = listed.filter((name) => name !== '' && !name.startsWith('type '));
  return [...(byDefault === undefined ? [] : ['default']), ...named.map((name) => name.replace(/ as .*/, ''))];
}

/** The module that a script is made of: what it runs, and what others take of it. */
function entryText(id: string, taken: readonly string[], entry?: string): string {
  const modules = taken.map((path) => `${JSON.stringify(path)}: () => require('${GIVEN}:${path}').given,`);
  const runs = entry === undefined ? '' : `export * from './${entry}';\n`;
  return `${runs}export const build = '${id}';\nexport const modules = {\n${modules.join('\n')}\n};\n`;
}

interface Plan {
  readonly id: string;
  readonly owners: ReadonlyMap<string, string>;
  readonly taken: TakenModules;
  readonly imports: ReadonlyMap<string, readonly Import[]>;
}

/** Makes the modules that a pack gives, and those that it takes. */
function betweenPacks(root: string, name: string, { id, owners, taken, imports }: Plan): Plugin {
  return {
    name: 'between-packs',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /./ }, ({ path, importer, namespace, kind }) => {
        if (namespace === TAKEN) return { path, namespace: PACK };
        if (namespace === PACK) return { path, external: true };
        if (path.startsWith(`${GIVEN}:`)) return { path: path.slice(GIVEN.length + 1), namespace: GIVEN };
        const file = namespace === 'file' ? relative(root, importer).replaceAll(sep, '/') : `${namespace}:${importer}`;
        const found = imports.get(file)?.find((it) => it.original === path && it.kind === kind)?.path;
        if (found === undefined || owners.get(found) === name) return undefined;
        return { path: found, namespace: TAKEN, sideEffects: false };
      });
      onLoad({ filter: /./, namespace: GIVEN }, ({ path }) => ({
        contents: givenText(path, taken.get(path) ?? 'all'),
        resolveDir: root,
      }));
      onLoad({ filter: /./, namespace: PACK }, ({ path }) => ({ contents: packText(path, id) }));
      onLoad({ filter: /./, namespace: TAKEN }, ({ path }) => ({
        contents: takenText(path, owners.get(path) ?? '', taken.get(path) ?? 'all'),
      }));
    },
  };
}

/** What a pack gives of a module: one object, made when it is asked for. A getter for each name would be made at each start. */
function givenText(path: string, names: ReadonlySet<string> | 'all'): string {
  if (names === 'all') return `module.exports = { given: require('./${path}') };`;
  const imported = [...names].map((name) => `${name} as _${name}`);
  const properties = [...names].map((name) => `${name}: _${name}`);
  return `import { ${imported} } from './${path}';\nexport const given = { ${properties} };`;
}

/** The modules of a pack. It may be another than this script was built with: an update replaces files under a program that runs. */
function packText(path: string, id: string): string {
  return `const { build, modules } = require('${path}');
if (build !== '${id}') throw new Error('fareclerk was updated while it ran. Start it again.');
module.exports = modules;`;
}

/** A module of another pack, by the names that are imported here or elsewhere. */
function takenText(path: string, owner: string, names: ReadonlySet<string> | 'all'): string {
  const given = `require('./${owner}.js')[${JSON.stringify(path)}]()`;
  if (names === 'all') return `module.exports = ${given};`;
  const properties = [...names].map((name) => `${name}: _${name}`);
  const exported = [...names].map((name) => `_${name} as ${name}`);
  return `const { ${properties} } = ${given};\nexport { ${exported} };`;
}
