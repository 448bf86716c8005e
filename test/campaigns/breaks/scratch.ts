/** A copy of the tracked files, in which a break is tried: a run that is killed leaves no broken checkout behind. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Break, needsBundle } from './break.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What takes longer hangs, milliseconds. */
const MOST_MS = 15 * 60_000;

/** How much is kept of what a command writes, characters. */
const SAID = 4_000;

export interface Ran {
  readonly end: 'passed' | 'failed' | 'hung' | 'unloadable';
  /** The end of what it wrote. */
  readonly said: string;
  readonly seconds: number;
}

/** The text with the break in it. Throws unless what it replaces stands there exactly once. */
export function broken(text: string, { file, find, replace }: Break): string {
  const parts = text.split(find);
  if (parts.length !== 2) throw new Error(`src/${file} has ${parts.length - 1} times: ${find}`);
  return parts.join(replace);
}

export class Scratch {
  readonly #folder = mkdtempSync(join(tmpdir(), 'fareclerk-breaks-'));

  constructor() {
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
    for (const file of tracked.split('\0')) {
      if (file === '' || !existsSync(join(ROOT, file))) continue;
      mkdirSync(join(this.#folder, dirname(file)), { recursive: true });
      copyFileSync(join(ROOT, file), join(this.#folder, file));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  /** Runs a command in the copy. */
  async run(command: string): Promise<Ran> {
    if (!needsBundle(command)) return this.#run(command);
    const built = await this.#run('node scripts/build.ts');
    return built.end === 'passed' ? this.#run(command) : { ...built, end: 'unloadable' };
  }

  /** Runs a command in the copy with this break. */
  async runBroken(one: Break, command: string): Promise<Ran> {
    const path = join(this.#folder, 'src', one.file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, broken(text, one));
    try {
      // What fails because the source cannot be loaded has seen nothing.
      const loaded = await this.#run(`node --input-type=module --eval import('./src/${one.file}')`);
      return loaded.end === 'passed' ? await this.run(command) : { ...loaded, end: 'unloadable' };
    } finally {
      writeFileSync(path, text);
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #run(command: string): Promise<Ran> {
    const [program = '', ...args] = command.split(' ');
    const begun = performance.now();
    const PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);
    // A group of its own, so that what it started ends with it.
    const child = spawn(program, args, {
      cwd: this.#folder,
      env: { ...process.env, PATH, CI: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const endGroup = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // All of it has ended.
      }
    };
    let said = '';
    const listen = (text: string) => {
      said = (said + text).slice(-SAID);
    };
    child.stdout.setEncoding('utf8').on('data', listen);
    child.stderr.setEncoding('utf8').on('data', listen);
    let isHung = false;
    const timer = setTimeout(() => {
      isHung = true;
      endGroup();
    }, MOST_MS);
    process.once('exit', endGroup);
    const [code] = await once(child, 'exit');
    clearTimeout(timer);
    process.off('exit', endGroup);
    endGroup();
    const seconds = Math.round((performance.now() - begun) / 1_000);
    // Without a code somebody else has killed it.
    if (isHung || code === null) return { end: 'hung', said, seconds };
    return { end: code === 0 ? 'passed' : 'failed', said, seconds };
  }
}
