/**
 * Replaces one module of the sources by text made at build time.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** `path`: from the root. Fails if there is no such module. The text is made once. */
export function replaceModule(root: string, path: string, text: () => Promise<string> | string): Plugin {
  const file = join(root, path);
  if (!existsSync(file)) throw new Error(`there is no ${path}`);
  let made: Promise<string> | string | undefined;
  return {
    name: `replace-module ${path}`,
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async (loaded) => {
        if (loaded.path !== file) return undefined;
        made ??= text();
        return { contents: await made, loader: 'js' };
      });
    },
  };
}
