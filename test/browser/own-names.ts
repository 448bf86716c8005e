/** Names as assistive technology reads them, from the browser's own tree. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const CONTROLS: ReadonlySet<string> = new Set(['button', 'checkbox', 'link', 'DisclosureTriangle']);

/** Every control of the page has a name, and no two of the same kind have the same one. */
export async function expectOwnNames(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const { nodes } = await browser.send('Accessibility.getFullAXTree');
  await browser.detach();
  const named = nodes.flatMap(({ ignored, role, name }) =>
    !ignored && CONTROLS.has(String(role?.value)) ? [`${role?.value} ${name?.value ?? ''}`.trim()] : [],
  );
  expect(named.length).toBeGreaterThan(0);
  for (const one of named) expect(one).toMatch(/^\w+ ./);
  expect(named.toSorted()).toEqual([...new Set(named)].toSorted());
}
