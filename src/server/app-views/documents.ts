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

const isView = (name: string): name is View => Object.hasOwn(TITLES, name);

/** Undefined for a view that does not exist. */
export function documentOf(name: string): string | undefined {
  if (!isView(name)) return undefined;
  const { title, scripts, styles } = viewParts(name);
  return viewDocument(title, joined(scripts), styles.join('\n'));
}
