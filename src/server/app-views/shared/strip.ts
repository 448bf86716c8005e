/** A strip of days: one bar for each, from zero, as high as its lowest price. */
import { showDay } from '../../../core/times.ts';
import { el, list, moveFocus, press } from './dom.ts';
import { grouped } from './words.ts';

interface StripDay {
  readonly date: string;
  /** Decimal text; absent if nothing is sold on this day. */
  readonly total?: string | undefined;
}

export const amountOf = (total?: string): number => Number(/[\d.]+$/.exec(total ?? '')?.[0] ?? Number.NaN);

/** The lowest of some prices; Infinity if there is none. */
export const lowest = (totals: readonly (string | undefined)[]): number =>
  Math.min(...totals.map(amountOf).filter((each) => each >= 0));

/** `shown`: the day that is pressed first, which is scrolled into sight. */
export function strip(
  days: readonly StripDay[],
  shown: string | undefined,
  onDay: (date: string) => void,
): HTMLElement {
  const low = lowest(days.map(({ total }) => total));
  const high = Math.max(...days.map(({ total }) => amountOf(total) || 0));
  const buttons = days.map(({ date, total }) => {
    const bar = el('span', { class: amountOf(total) === low ? 'bar low' : 'bar' });
    bar.style.height = `calc(${total ? amountOf(total) / (high || 1) : 0} * var(--tall, 3rem))`;
    const button = el(
      'button',
      {
        'aria-pressed': String(date === shown),
        'aria-disabled': !total && 'true',
        tabindex: '-1',
      },
      bar,
      total ? grouped(total) : 'sold out',
      el('small', {}, showDay(date)),
    );
    if (total) {
      button.onclick = () => {
        press(button, buttons);
        moveFocus(button, buttons);
        onDay(date);
      };
    }
    return button;
  });
  const row = list('strip', buttons) as HTMLElement;
  row.onkeydown = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    if (!step) return;
    event.preventDefault();
    moveFocus(buttons[at + step], buttons);
  };
  const first = buttons.find((each) => each.ariaPressed === 'true') ?? buttons[0];
  if (first) first.tabIndex = 0;
  // Not scrollIntoView, which would move the host's page.
  new ResizeObserver(() => {
    if (first) row.scrollLeft = first.offsetLeft - (row.clientWidth - first.offsetWidth) / 2;
  }).observe(row);
  return el('nav', { 'aria-label': 'Lowest price by day' }, row);
}
