/**
 * Bundles the floors the way a careful author would: one minified file, compile cache on.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Command } from '../support/speaker.ts';

const FLOORS = ['bare', 'through', 'worded'] as const;
export type Floor = (typeof FLOORS)[number];

/** How a floor is started; `cache` is the folder of its compiled code. */
export type Floors = Readonly<Record<Floor, (cache: string, env?: Readonly<Record<string, string>>) => Command>>;

export async function buildFloors(folder: string): Promise<Floors> {
  const here = fileURLToPath(new URL('.', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const entry = join(folder, 'entry.cjs');
  copyFileSync(join(here, 'entry.cjs'), entry);
  await build({
    entryPoints: FLOORS.map((name) => join(here, `${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22.19',
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
    sourcemap: 'external',
  });
  const start =
    (name: Floor) =>
    (cache: string, env: Readonly<Record<string, string>> = {}): Command => ({
      args: [entry],
      env: { ...env, FLOOR_BUNDLE: join(folder, `${name}.cjs`), FLOOR_CACHE: cache },
    });
  return { bare: start('bare'), through: start('through'), worded: start('worded') };
}
