/**
 * Collects the licences of bundled packages, as their terms require.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundledPackage } from './bundled-packages.ts';

/** Licences that do not require their text to be distributed. */
const TEXT_NOT_REQUIRED: readonly (string | undefined)[] = ['Unlicense', 'CC0-1.0', '0BSD'];

/** All texts as one; a text that several packages have, to the letter, stands once below all of them. Throws if a package lacks the licence file that its terms require. */
export function licenses(root: string, packages: readonly BundledPackage[]): string {
  const texts = packages.map(({ folder, about: { name, version, license } }) => {
    const title = `${name} ${version} (${license})\n`;
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined && !TEXT_NOT_REQUIRED.includes(license)) {
      throw new Error(`${name} is bundled and has no licence file`);
    }
    const text = file === undefined ? '' : `\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
    return { title, text, rank: `${license}${text}${title}` };
  });
  // Like texts beside each other: in the tarball they take a third less.
  const sorted = texts.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const parts = [...Map.groupBy(sorted, ({ text }) => text)].map(
    ([text, packagesWithIt]) => packagesWithIt.map(({ title }) => title).join('') + text,
  );
  return `fareclerk contains these packages, each under its own licence.\n\n${parts.join(`\n${'='.repeat(72)}\n\n`)}`;
}
