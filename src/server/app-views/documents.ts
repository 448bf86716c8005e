/**
 * The views as finished documents, bundled from the sources beside this file. The program's own bundle holds them ready
 * made (scripts/build/app-views.ts).
 */
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { viewPage } from './page.ts';
import type { View } from './ui.ts';

/** Browsers that hosts embed: light-dark() and Map.groupBy are there since 2024. */
const TARGET = ['chrome123', 'firefox120', 'safari17.5'];

const TITLES: Readonly<Record<View, string>> = {
  fares: 'Fares',
  dates: 'Cheapest dates',
  seats: 'Seats',
  booking: 'Booking',
  quote: 'Cancellation quote',
  terms: 'Terms',
};

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
