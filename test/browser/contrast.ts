/**
 * Contrast of what is drawn, by WCAG 2.2 (relative luminance, contrast ratio).
 */
import type { Page } from 'playwright-core';

export interface Contrast {
  readonly text: string;
  readonly ratio: number;
}

/** Runs in the page: text, its colour, and the colour of the nearest background that is painted behind it. */
const COLOURS = `(() => {
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (!own) continue;
    let behind = element;
    while (behind !== null && getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
    const back = getComputedStyle(behind ?? document.documentElement).backgroundColor;
    found.push({ text: element.textContent.slice(0, 40), front: getComputedStyle(element).color, back });
  }
  return found;
})()`;

/** Every element that has text of its own. */
export async function contrasts(page: Page): Promise<readonly Contrast[]> {
  const pairs = await page.evaluate<{ text: string; front: string; back: string }[]>(COLOURS);
  return pairs.map(({ text, front, back }) => ({ text, ratio: ratioOf(luminance(front), luminance(back)) }));
}

function ratioOf(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Of `rgb(r, g, b)`. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
