/**
 * Becomes dist/parts.js: runs each chunk of a pack (packs.ts) when it is first required, and keeps the compiled code.
 * Node's own compile cache holds what is compiled while a file loads. This holds the functions that ran since as well:
 * compiling them again took a seventh of every start (docs/reference/performance.md).
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { Script } from 'node:vm';

/** The file of each packed chunk's pack: the build writes it here. */
declare const PACK_OF: Readonly<Record<string, string>>;

type Require = (name: string) => unknown;
type Part = (exports: object, module: { exports: object }, require: Require, folder: string) => void;

/** After loading, milliseconds: the tools are listed by then, and many hosts kill their servers. */
const KEEP_AFTER_MS = 400;

const DIGEST_BYTES = 32;

/** Ages at which files of kept code are removed, milliseconds. */
const UNFINISHED_MS = 60_000;
const UNUSED_MS = 90 * 24 * 60 * 60_000;

const [, , word = 'serve'] = process.argv;
/** What another command ran is not what a client of the server waits for, so each of the two has code of its own. */
const serves = (word === 'serve' || /^--(?!help$|version$)/.test(word)) && !isatty(0);

const packs = new Map<string, Readonly<Record<string, Part>>>();
const ran = new Map<string, object>();

/** The exports of a chunk, which runs once: no chunk needs itself through others. Whatever is in no pack goes to Node. */
export function part(name: string): unknown {
  const known = ran.get(name);
  if (known !== undefined) return known;
  const file = PACK_OF[name];
  if (file === undefined) return require(name);
  const module = { exports: {} };
  packOf(file)[name]?.(module.exports, module, part, __dirname);
  ran.set(name, module.exports);
  return module.exports;
}

function packOf(file: string): Readonly<Record<string, Part>> {
  let parts = packs.get(file);
  if (parts === undefined) {
    parts = loaded(file);
    packs.set(file, parts);
  }
  return parts;
}

function loaded(file: string): Readonly<Record<string, Part>> {
  const filename = join(__dirname, file);
  const kept = placeOf(file);
  const cachedData = kept && compiled(kept, file);
  // ASCII: packs.ts checks that.
  const script = new Script(readFileSync(filename, 'latin1'), { filename, ...(cachedData && { cachedData }) });
  if (kept !== undefined && (cachedData === undefined || script.cachedDataRejected)) {
    if (serves) beforeEnd(() => keep(script, kept, file));
    else keep(script, kept, file);
  }
  return script.runInThisContext();
}

/** Where the code of a pack is kept: in Node's folder for this version of itself, and in one place for each installation. */
function placeOf(file: string): string | undefined {
  const folder = getCompileCacheDir();
  if (folder === undefined) return undefined;
  const [, name] = file.split('-');
  const installation = createHash('sha256').update(__dirname).digest('hex').slice(0, 16);
  return join(folder, `pack-${name}-${serves ? 'serve' : 'other'}-${installation}`);
}

/** Runs `work` once: in a while, or when the process ends before that. */
function beforeEnd(work: () => void): void {
  const once = () => {
    clearTimeout(timer);
    process.off('exit', once);
    work();
  };
  const timer = setTimeout(once, KEEP_AFTER_MS).unref();
  process.on('exit', once);
}

/** The code that an earlier start kept; undefined if it is of another build or damaged, which V8 does not check. */
function compiled(place: string, file: string): Buffer | undefined {
  try {
    const kept = readFileSync(place);
    const code = kept.subarray(DIGEST_BYTES);
    return digest(file, code).equals(kept.subarray(0, DIGEST_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

function keep(script: Script, place: string, file: string): void {
  const fresh = `${place}.${process.pid}`;
  try {
    const code = script.createCachedData();
    writeFileSync(fresh, Buffer.concat([digest(file, code), code]), { mode: 0o600 });
    renameSync(fresh, place);
    removeOld(dirname(place));
  } catch {
    // A full disk or a read-only folder: the next start compiles again.
    rmSync(fresh, { force: true });
  }
}

/** What a killed process did not finish, and the code of installations that are gone; one that is not gone makes it again. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.startsWith('pack-'))) {
    const path = join(folder, name);
    const age = Date.now() - statSync(path).mtimeMs;
    if (age > (/\.\d+$/.test(name) ? UNFINISHED_MS : UNUSED_MS)) rmSync(path, { force: true });
  }
}

/** The name of a pack stands for what is in it. */
function digest(file: string, code: Buffer): Buffer {
  return createHash('sha256').update(file).update(code).digest();
}
