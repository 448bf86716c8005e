/** Draws icon.png, the icon of the .mcpb bundle, from docs/public/logo.svg in Chromium: `node scripts/icon.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { launchChromium } from '../test/browser/chromium.ts';

/** What hosts ask of a bundle's icon, pixels. */
export const ICON_SIZE = 512;

export async function drawIcon(): Promise<Buffer> {
  const svg = readFileSync(new URL('../docs/public/logo.svg', import.meta.url), 'utf8');
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: ICON_SIZE, height: ICON_SIZE } });
    await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${svg}`);
    return await page.screenshot({ omitBackground: true });
  } finally {
    await browser.close();
  }
}

if (import.meta.main) writeFileSync(new URL('../icon.png', import.meta.url), await drawIcon());
