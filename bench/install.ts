/** What an installation brings: the packed package, installed for production into an empty folder without a network. */
import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../scripts/build.ts';
import { counted, type Measure } from './measure.ts';

const MB = 1 << 20;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

export const install: Measure = {
  name: 'install',
  about: 'a production install',
  why: 'The first `npx fareclerk` downloads and unpacks all of it before anything runs.',
  async run({ folder }) {
    const [source, packed, target] = [folder('source'), folder('packed'), folder('installed')];
    await copyPackage(source);
    npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', packed], source);
    const tarball = join(packed, readdirSync(packed)[0] ?? '');
    writeFileSync(join(target, 'package.json'), '{"private":true}');
    npm(['install', '--offline', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', tarball], target);
    const modules = join(target, 'node_modules');
    const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as { packages: object };
    return [
      counted('disk', sizeOf(modules) / MB, 'MB', 4.1),
      counted('packages beside our own', Object.keys(packages).length - 1, '', 2),
      // 1.1 until reports, files and questions learned what operators found missing; 1.15 until the details page, services and skills;
      // 1.22 until a support desk's keys of customers, many bookings in one reading, and connections in another class.
      counted('tarball', statSync(tarball).size / MB, 'MB', 1.26),
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

const npm = (args: readonly string[], cwd: string) =>
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });

function sizeOf(folder: string): number {
  const paths = readdirSync(folder, { recursive: true }).map((name) => lstatSync(join(folder, String(name))));
  return paths.reduce((sum, about) => sum + (about.isDirectory() ? 0 : about.size), 0);
}
