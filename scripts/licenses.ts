/**
 * The licences of the packages inside the bundle, as their terms ask.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `node_modules/@scope/name` of each bundled file. */
function packagesOf(inputs: Iterable<string>): string[] {
  const folders = [...inputs].flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(folders)].sort();
}

/** Dedications to the public, whose terms do not ask that they be handed on. */
const ASKS_NOTHING = ['Unlicense', 'CC0-1.0', '0BSD'];

/** One text of all. Throws where a bundled package comes without the licence file that its terms ask for. */
export function licenses(root: string, inputs: Iterable<string>): string {
  const parts = packagesOf(inputs).map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const path = file === undefined ? undefined : join(root, folder, file);
    if (path === undefined || !existsSync(path)) {
      if (ASKS_NOTHING.includes(license)) return `${name} ${version} (${license})\n`;
      throw new Error(`${name} is bundled and has no licence file`);
    }
    return `${name} ${version} (${license})\n\n${readFileSync(path, 'utf8').trim()}\n`;
  });
  return `fareclerk contains these packages, each under its own licence.\n\n${parts.join(`\n${'='.repeat(72)}\n\n`)}`;
}
