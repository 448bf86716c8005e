/**
 * Replaces one module of the sources by text made at build time.
 */
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** `path`: from the root. Fails the build if nothing imports the module. */
export function replaceModule(root: string, path: string, text: () => Promise<string> | string): Plugin {
  const file = join(root, path);
  return {
    name: `replace-module ${path}`,
    setup(build) {
      let replaced = false;
      build.onLoad({ filter: /\.ts$/ }, async (loaded) => {
        if (loaded.path !== file) return undefined;
        replaced = true;
        return { contents: await text(), loader: 'js' };
      });
      build.onEnd(() => (replaced ? undefined : { errors: [{ text: `${path} is not part of the bundle` }] }));
    },
  };
}
