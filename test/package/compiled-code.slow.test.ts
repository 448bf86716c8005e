/** Compiled code that is kept for the next start: used only if it is whole, this user's own and of the same bundle. */
import { hash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publishTo } from '../support/published-program.ts';

const HEADER_BYTES = 512;
const root = mkdtempSync(join(tmpdir(), 'fareclerk-compiled-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface CompiledBundle {
  run(): { say(): string };
  used(use: string): void;
  saveNow(): void;
}
let compileBundle: (path: string, folder: string) => CompiledBundle;
beforeAll(async () => {
  const program = join(root, 'program');
  await publishTo(program);
  ({ compileBundle } = createRequire(import.meta.url)(join(program, 'bin', 'compiled-code.js')));
});

/** Scripts of one length: V8 compares no more of them. */
const bundleSaying = (word: string) => `exports.say = function () { return '${word.padEnd(8)}'.trim(); };`;

let folder: string;
let bundle: string;
beforeEach(() => {
  const place = mkdtempSync(join(root, 'place-'));
  [folder, bundle] = [join(place, 'compile'), join(place, 'main.js')];
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(bundle, bundleSaying('good'));
});

/** What a run says, and whether it kept its code anew: it had none that it could use. */
function play(use = 'list') {
  const before = keptFiles();
  const compiled = compileBundle(bundle, folder);
  const said = compiled.run().say();
  compiled.used(use);
  compiled.saveNow();
  return { said, isAnew: keptFiles() !== before };
}

function keptFiles(): string {
  const stats = readdirSync(folder).map((name) => statSync(join(folder, name), { bigint: true }));
  return stats.map(({ ino, mtimeNs }) => `${ino} ${mtimeNs}`).join();
}

function keptFile(): string {
  const [name = '', ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  return join(folder, name);
}

/** Writes kept code with a header that fits. */
function plant(code: Buffer, uses = ['list'], of = readFileSync(bundle)): void {
  const header = { bundle: hash('sha256', of), code: hash('sha256', code), uses };
  writeFileSync(keptFile(), Buffer.concat([Buffer.from(JSON.stringify(header).padEnd(HEADER_BYTES)), code]));
}

/** V8's data of a bundle that says something else. */
function evilCode(): Buffer {
  writeFileSync(bundle, bundleSaying('evil'));
  play();
  const code = readFileSync(keptFile()).subarray(HEADER_BYTES);
  writeFileSync(bundle, bundleSaying('good'));
  return code;
}

describe('compiled code', () => {
  it('is kept for this user alone, and used by the next run, until that uses more', () => {
    expect(play()).toEqual({ said: 'good', isAnew: true });
    expect(statSync(keptFile()).mode & 0o777).toBe(0o600);
    expect(play()).toEqual({ said: 'good', isAnew: false });
    expect(play('call')).toEqual({ said: 'good', isAnew: true });
    expect([play('list'), play('call')].map(({ isAnew }) => isAnew)).toEqual([false, false]);
  });

  it('is kept by itself once nothing more is used', async () => {
    const compiled = compileBundle(bundle, folder);
    compiled.run();
    compiled.used('list');
    await expect.poll(() => readdirSync(folder)).toHaveLength(1);
  });

  it('runs, so that what is planted would run where it is believed', () => {
    plant(evilCode());
    expect(play().said).toBe('evil');
  });

  it.each<[string, () => void]>([
    ['of another bundle of the same length', () => plant(evilCode(), ['list'], Buffer.from(bundleSaying('evil')))],
    ['that is cut', () => writeFileSync(keptFile(), readFileSync(keptFile()).subarray(0, -9))],
    ['that is cut in its header', () => writeFileSync(keptFile(), readFileSync(keptFile()).subarray(0, 99))],
    ['that is empty', () => writeFileSync(keptFile(), '')],
    [
      'with one bit changed',
      () => {
        const bytes = readFileSync(keptFile());
        bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
        writeFileSync(keptFile(), bytes);
      },
    ],
    ['that others can write', () => chmodSync(keptFile(), 0o666)],
    [
      'behind a link',
      () => {
        const [file, elsewhere] = [keptFile(), join(folder, '..', 'elsewhere')];
        renameSync(file, elsewhere);
        symlinkSync(elsewhere, file);
      },
    ],
  ])('%s is not used, and made anew', (_, spoil) => {
    play();
    spoil();
    expect(play()).toEqual({ said: 'good', isAnew: true });
    expect(play()).toEqual({ said: 'good', isAnew: false });
    expect(statSync(keptFile()).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['version', 4],
    ['flags', 12],
  ])('of a V8 with another %s is not used, and made anew', (what, at) => {
    const code = evilCode();
    // What this process has compiled once, V8 compiles no more.
    writeFileSync(bundle, bundleSaying(what));
    code.writeUInt8(code.readUInt8(at) ^ 1, at);
    plant(code);
    expect(play()).toEqual({ said: what, isAnew: true });
  });

  it('that cannot be written is no error', () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    const compiled = compileBundle(bundle, folder);
    expect(compiled.run().say()).toBe('good');
    compiled.used('list');
    expect(() => compiled.saveNow()).not.toThrow();
  });

  it('is one program with the packs beside it', () => {
    writeFileSync(join(bundle, '..', 'pack.js'), "exports.main = require('./main.js');");
    writeFileSync(bundle, "exports.say = () => String(require('./pack.js').main === exports);");
    expect(play().said).toBe('true');
  });

  it('is one program with them also behind a link', () => {
    const real = join(bundle, '..', 'real');
    mkdirSync(real);
    writeFileSync(join(real, 'pack.js'), "exports.main = require('./main.js');");
    writeFileSync(join(real, 'main.js'), "exports.say = () => String(require('./pack.js').main === exports);");
    symlinkSync(real, join(bundle, '..', 'linked'));
    bundle = join(bundle, '..', 'linked', 'main.js');
    expect(play().said).toBe('true');
  });

  it('shows positions of the file in its stack traces, made anew and kept', () => {
    writeFileSync(bundle, "exports.say = () => new Error('here').stack;");
    const [fresh, kept] = [play(), play()];
    expect(kept.isAnew).toBe(false);
    for (const { said } of [fresh, kept]) expect(said).toContain(`${bundle}:1:21`);
  });
});
