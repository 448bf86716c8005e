/**
 * Puts the style sheet and the script of the pages into the bundle.
 */
import { type Plugin, transformSync } from 'esbuild';
import { SCRIPT, STYLE } from '../../src/pages/browser/files.ts';
import { replaceModule } from './replace-module.ts';

export function pageFiles(root: string): Plugin {
  return replaceModule(root, 'src/pages/browser/files.ts', () => {
    const texts = { STYLE: minified(STYLE, 'css'), SCRIPT: minified(SCRIPT, 'js') };
    return `export const { STYLE, SCRIPT } = ${JSON.stringify(texts)};`;
  });
}

const minified = (text: string, loader: 'css' | 'js'): string =>
  transformSync(text, { loader, minify: true, charset: 'utf8' }).code.trim();
