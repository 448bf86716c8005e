/**
 * Puts each app view into the bundle as one finished document.
 */
import type { Plugin } from 'esbuild';
import { viewDocument } from '../../src/mcp/app-views/documents.ts';
import { VIEWS } from '../../src/mcp/app-views/ui.ts';
import { replaceModule } from './replace-module.ts';

export function appViews(root: string): Plugin {
  return replaceModule(root, 'src/mcp/app-views/documents.ts', () => {
    const documents = Object.fromEntries(VIEWS.map((view) => [view, viewDocument(view)]));
    return `const all = ${JSON.stringify(documents)};\nexport const viewDocument = (view) => all[view];`;
  });
}
