/**
 * The views' documents, read from the sources beside this file. In the bundle their place is taken by what
 * scripts/prepared-views.ts made of them.
 */
import { readFileSync } from 'node:fs';
import { joined, type ViewParts, viewDocument } from './page.ts';
import type { View } from './ui.ts';

const TITLES: Readonly<Record<View, string>> = {
  fares: 'Fares',
  seats: 'Seats',
  booking: 'Booking',
  terms: 'Terms',
};

export function viewParts(view: View): ViewParts {
  const text = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  return {
    title: TITLES[view],
    scripts: ['shared/dom.js', 'shared/outcome.js', 'shared/bridge.js', `${view}/view.js`].map(text),
    styles: ['shared/style.css', `${view}/view.css`].map(text),
  };
}

export function documentOf(view: View): string {
  const { title, scripts, styles } = viewParts(view);
  return viewDocument(title, joined(scripts), styles.join('\n'));
}
