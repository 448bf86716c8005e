/** Small drawings beside words; screen readers hear the words alone. */
import { type Html, html } from './html.ts';

const PATHS = {
  payment: 'M2 5h20v14H2zM2 10h20M6 15h4',
  cancellation: 'M12 3 2 21h20zM12 10v5M12 18v.5',
  change: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  caution: 'M12 3 2 21h20zM12 10v5M12 18v.5',
  good: 'M4 12l6 6L20 6',
  bad: 'M12 2a10 10 0 1 0 .01 0zM12 7v6M12 16v.5',
  wait: 'M12 2a10 10 0 1 0 .01 0zM12 7v6l4 2',
  no: 'M6 6l12 12M18 6 6 18',
  to: 'M3 12h17M14 6l6 6-6 6',
} as const;

export function iconOf(name: keyof typeof PATHS): Html {
  return html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path d="${PATHS[name]}"/></svg>`;
}

/** Draws `→`, which not every font has. Copies and screen readers get the letter. */
export function withArrows(line: string): Html {
  const [first = '', ...rest] = line.split('→');
  return html`${first}${rest.map((part) => html`${iconOf('to')}<span class="hidden">&rarr;</span>${part}`)}`;
}
