/** What assistive technology meets on a page: axe's rules (https://dequeuniversity.com/rules/axe), and names of its controls. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const CONTROLS: ReadonlySet<string> = new Set(['button', 'checkbox', 'link', 'DisclosureTriangle']);

/** Axe finds nothing. */
export async function expectNoViolation(page: Page): Promise<void> {
  // Evaluated by the debugger, which the page's content security policy does not hold back.
  await page.evaluate(`${AXE};0`);
  const found = await page.evaluate<readonly string[]>(
    `axe.run().then(({ violations, passes }) => [String(passes.length > 10), ...violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '))])`,
  );
  expect(found).toEqual(['true']);
}

/** Axe finds nothing; every control has a name, and no two of the same kind have the same one. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolation(page);
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
