/**
 * What an installation brings: the packed package, installed for production into an empty folder without a network.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../scripts/build.ts';
import type { Measure } from './measure.ts';

const MB = 1 << 20;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

export const install: Measure = {
  name: 'install',
  about: 'a production install',
  async run({ folder }) {
    const [source, packed, target] = [folder('source'), folder('packed'), folder('installed')];
    await copyPackage(source);
    npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', packed], source);
    const [tarball = ''] = readdirSync(packed);
    writeFileSync(join(target, 'package.json'), '{"private":true}');
    npm(
      ['install', '--offline', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', join(packed, tarball)],
      target,
    );
    const modules = join(target, 'node_modules');
    const counted = { counted: true } as const;
    return [
      { what: 'disk', value: sizeOf(modules) / MB, unit: 'MB', target: { atMost: 4 }, ...counted },
      { what: 'packages beside our own', value: packagesIn(modules) - 1, unit: '', target: { atMost: 2 }, ...counted },
      {
        what: 'tarball',
        value: statSync(join(packed, tarball)).size / MB,
        unit: 'MB',
        target: { atMost: 1.1 },
        ...counted,
      },
    ];
  },
};

/** What a release is packed from: a build of its own, since a working copy's dist/ may have files of earlier builds. */
async function copyPackage(target: string): Promise<void> {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: readonly string[] };
  for (const name of ['package.json', ...files.filter((file) => file !== 'dist')]) {
    cpSync(join(ROOT, name), join(target, name), { recursive: true });
  }
  await bundle(join(target, 'dist'));
}

function npm(args: readonly string[], cwd: string): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

export function sizeOf(path: string): number {
  const about = lstatSync(path);
  if (!about.isDirectory()) return about.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** Every folder with a package.json directly below a node_modules or a scope in one. */
export function packagesIn(modules: string): number {
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'));
  return names.reduce((sum, name) => {
    const path = join(modules, name);
    return sum + (name.startsWith('@') ? packagesIn(path) : 1);
  }, 0);
}
