/**
 * Makes the views' finished documents from the sources beside this file. The program's own bundle holds them ready made
 * (scripts/build/app-views.ts).
 */
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Browsers that hosts embed: light-dark() and Map.groupBy are there since 2024. */
const TARGET = ['chrome123', 'firefox120', 'safari17.5'];

/** In addition to the host's own policy: nothing is loaded, sent or submitted. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const TITLES = { fares: 'Fares', seats: 'Seats', question: 'Question' };

export type View = keyof typeof TITLES;

export function viewDocument(view: View): string {
  const { outputFiles } = buildSync({
    absWorkingDir: fileURLToPath(new URL(view, import.meta.url)),
    entryPoints: ['view.ts', 'view.css'],
    outdir: '.',
    bundle: true,
    format: 'esm',
    minify: true,
    charset: 'utf8',
    target: TARGET,
    legalComments: 'none',
    write: false,
  });
  const [script = '', style = ''] = outputFiles.map(({ text }) => text.trim());
  return viewPage(TITLES[view], script, style);
}

function viewPage(title: string, script: string, style: string): string {
  if (/<\/(?:script|style)/i.test(script + style)) throw new Error('a view ends its own script or style');

  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="${POLICY}">
<title>${title}</title>
<style>${style}</style>
<main aria-busy="true"><p>Waiting for the result …</p></main>
<p role="status"></p>
<script type="module">${script}</script>
</html>
`;
}
