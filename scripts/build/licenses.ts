/**
 * Collects the licences of bundled packages, as their terms require.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundledPackage } from './bundled-packages.ts';

/** Licences that do not require their text to be distributed. */
const TEXT_NOT_REQUIRED: readonly (string | undefined)[] = ['Unlicense', 'CC0-1.0', '0BSD'];

/** All texts as one. Throws if a package lacks the licence file that its terms require. */
export function licenses(root: string, packages: readonly BundledPackage[]): string {
  const texts = packages.map(({ folder, about: { name, version, license } }) => {
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const title = `${name} ${version} (${license})\n`;
    if (file !== undefined) {
      return { title, license, text: `\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n` };
    }
    if (TEXT_NOT_REQUIRED.includes(license)) return { title, license, text: '' };
    throw new Error(`${name} is bundled and has no licence file`);
  });
  // Like texts beside each other: in the tarball they take a third less.
  const likeBesideLike = texts.toSorted((a, b) => compare(`${a.license}${a.text}`, `${b.license}${b.text}`));
  const parts = likeBesideLike.map(({ title, text }) => title + text);
  return `fareclerk contains these packages, each under its own licence.\n\n${parts.join(`\n${'='.repeat(72)}\n\n`)}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
