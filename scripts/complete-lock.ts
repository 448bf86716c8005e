/**
 * Adds to package-lock.json the entries that are missing for optional packages of other platforms.
 *
 * npm leaves such entries out when it installs on one platform (npm/cli, optional platform dependencies), and then
 * `npm ci` refuses the lock everywhere. `node scripts/complete-lock.ts` after an install completes it, with the hashes that
 * the registry names; a test checks it. Choose another version if the registry does not have a package for every platform:
 * npm would take any tarball for an entry without a hash.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Lock {
  readonly packages: Readonly<Record<string, Entry>>;
}

const OS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const CPU = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];
const LIBC: Readonly<Record<string, string>> = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };

/** Where npm looks for a package from a folder: in its own node_modules, then in those above it. */
function places(from: string, name: string): string[] {
  const above = from.lastIndexOf('/node_modules/');
  const here = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (from === '') return [here];
  return [here, ...places(above < 0 ? '' : from.slice(0, above), name)];
}

/** Optional packages that the lock names without an entry. */
export function lacking({
  packages,
}: Lock): { readonly name: string; readonly version: string; readonly dev: boolean }[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev = false }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !places(path, name).some((place) => Object.hasOwn(packages, place)))
      .map(([name, version]) => ({ name, version, dev })),
  );
}

/** A package's platform by its name: `@rollup/rollup-linux-x64-musl`. */
function platformOf(name: string): Entry {
  const words = name.split(/[-/]/);
  const os = words.filter((word) => OS.includes(word));
  const cpu = words.filter((word) => CPU.includes(word));
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`${name}: its name does not show its platform`);
  const libc = words.flatMap((word) => LIBC[word] ?? []);
  return { cpu, os, ...(os[0] === 'linux' && libc.length > 0 && { libc }) };
}

/** The completed lock, in npm's order. */
export function completed(lock: Lock): Lock {
  const added = lacking(lock).map(({ name, version, dev }): [string, Entry] => {
    if (!/^\d/.test(version)) throw new Error(`${name}: ${version} is not an exact version`);
    return [`node_modules/${name}`, { version, ...(dev && { dev }), ...platformOf(name), optional: true }];
  });
  const packages = [...Object.entries(lock.packages), ...added].sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(packages) };
}

/** Entries of packages that npm could not check. */
export function unchecked({ packages }: Lock): readonly (readonly [path: string, entry: Entry])[] {
  return Object.entries(packages).filter(([path, { integrity, link }]) => path !== '' && !link && !integrity);
}

/** The hash that the registry names; undefined if it does not have this version. */
function integrityOf(path: string, { version }: Entry): string | undefined {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  try {
    const hash = execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return hash.trim() || undefined;
  } catch {
    return undefined;
  }
}

function withIntegrity(lock: Lock): Lock {
  const found = unchecked(lock).flatMap(([path, entry]) => {
    const integrity = integrityOf(path, entry);
    const { version, ...rest } = entry;
    return integrity === undefined ? [] : [[path, { version, integrity, ...rest }]];
  });
  return { ...lock, packages: { ...lock.packages, ...Object.fromEntries(found) } };
}

if (import.meta.main) {
  const file = new URL('../package-lock.json', import.meta.url);
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock;
  const checked = withIntegrity(completed(lock));
  const missing = unchecked(checked).map(([path]) => path);
  const text = `${JSON.stringify(checked, undefined, 2)}\n`;
  if (JSON.stringify(checked) !== JSON.stringify(lock)) writeFileSync(file, text);
  console.log(`package-lock.json: ${lacking(lock).length} entries added`);
  if (missing.length > 0) {
    console.error(`The registry has no such version, so these entries have no hash:\n${missing.join('\n')}`);
    process.exitCode = 1;
  }
}
