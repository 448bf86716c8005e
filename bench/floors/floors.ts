/**
 * What the program is compared with, bundled the way a careful author would: one minified file, compile cache on.
 * `bare` is the SDK with ten tools that do nothing, `listed` with the program's own list, `through` a client that passes the airline's replies on.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Program } from '../../test/support/published-program.ts';

export type Floors = Readonly<Record<'bare' | 'listed' | 'through', Program>>;

export async function buildFloors(outdir: string): Promise<Floors> {
  await build({
    absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
    entryPoints: ['bare.ts', 'listed.ts', 'through.ts'],
    ...{ outdir, outExtension: { '.js': '.cjs' }, bundle: true, minify: true, legalComments: 'none' },
    ...{ format: 'cjs', platform: 'node', target: 'node22.19', logLevel: 'error' },
  });
  const floor = (name: string): Program => ({
    start: (home, settings) => ({ args: [join(outdir, name)], env: { ...settings, NODE_COMPILE_CACHE: home } }),
  });
  return { bare: floor('bare.cjs'), listed: floor('listed.cjs'), through: floor('through.cjs') };
}
