/**
 * The packages whose files are in the bundle.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface BundledPackage {
  /** From the root: `node_modules/@scope/name`. */
  readonly folder: string;
  /** Its package.json, of which these are read. */
  readonly about: { readonly name: string; readonly version: string; readonly license?: string };
}

/** `inputs`: the files of esbuild's metafile. Sorted by folder. */
export function bundledPackages(root: string, inputs: Iterable<string>): readonly BundledPackage[] {
  const folders = [...inputs].flatMap(
    (file) => /^(?:.*:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
  );
  return [...new Set(folders)].sort().map((folder) => ({
    folder,
    about: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  }));
}
