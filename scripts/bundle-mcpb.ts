/**
 * Packs the built program as a .mcpb bundle (MCPB manifest 0.3): `node scripts/bundle-mcpb.ts OUT.mcpb`. Needs `npm run build`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = new URL('../', import.meta.url).pathname;
const PACKED = ['manifest.json', 'icon.png', 'package.json', 'bin', 'dist', 'README.md', 'LICENSE', 'CHANGELOG.md'];

/** The command line of @anthropic-ai/mcpb. */
export function mcpb(...args: string[]): string {
  const main = createRequire(import.meta.url).resolve('@anthropic-ai/mcpb');
  return execFileSync(process.execPath, [join(dirname(main), 'cli', 'cli.js'), ...args], { encoding: 'utf8' });
}

/** Validates the manifest and packs. Returns the packed folder. */
export function bundle(out: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fareclerk-mcpb-'));
  for (const name of PACKED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  mcpb('validate', join(folder, 'manifest.json'));
  mcpb('pack', folder, resolve(out));
  return folder;
}

if (import.meta.main) {
  const [out] = process.argv.slice(2);
  if (out === undefined) throw new Error('usage: node scripts/bundle-mcpb.ts OUT.mcpb');
  rmSync(bundle(out), { recursive: true, force: true });
}
