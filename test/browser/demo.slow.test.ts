/** The cancelled train of the demo, played to its end in a real browser. Every page is looked at in the window of a telephone and of a desk. */
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildProgram, folderFor, type Program } from '../cli/program.ts';
import { inTerminal } from '../cli/pseudo-terminal.ts';
import { browserTabs, expectButtons, expectReadable, heading, press } from './tabs.ts';

const { complaints, tab } = browserTabs();
const WINDOWS = [
  { width: 375, height: 667 },
  { width: 1280, height: 800 },
];

let program: Program;
let opened: Server;
/** `$BROWSER`: it passes the address on to this test. */
let opener: string;
beforeAll(async () => {
  opened = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  [program] = await Promise.all([buildProgram(), once(opened, 'listening')]);
  opener = join(folderFor('browser'), 'opener.mjs');
  const { port } = opened.address() as AddressInfo;
  const script = `await fetch('http://127.0.0.1:${port}/?' + encodeURIComponent(process.argv[2]));`;
  writeFileSync(opener, `#!${process.execPath}\n${script}\n`, { mode: 0o755 });
});
afterAll(() => opened.close());

async function nextAddress(): Promise<string> {
  const [{ url = '' }] = await once(opened, 'request');
  return decodeURIComponent(url.slice('/?'.length));
}

/** A person who wants the page in the browser. */
async function play() {
  const words = [process.execPath, program.bin, 'demo', '--disruption'];
  const terminal = inTerminal(words, { ...program.env, BROWSER: opener }, 80);
  await terminal.shows(/Open the [^:]*: $/);
  const address = nextAddress();
  terminal.type('yes\r');
  return { terminal, address };
}

/** Nothing is cut off, and these buttons are in sight without scrolling. */
async function look(page: Page, ...buttons: readonly RegExp[]): Promise<void> {
  for (const size of WINDOWS) {
    await page.setViewportSize(size);
    await page.evaluate('scrollTo(0, 0)');
    await expectReadable(page, size.width);
    await expectButtons(page, size.width, ...buttons);
  }
}

describe('a demo in the browser', () => {
  test('carries a plan out before the eyes of the person, whose page shows the end and then needs no server', async () => {
    const { terminal, address } = await play();
    const page = await tab();
    await page.goto(await address);
    expect(await heading(page)).toBe('Move 7, cancel 5 bookings');
    expect(await page.getByRole('banner').textContent()).toMatch(/Sandbox|Rehearsal/);
    await look(page, /^Decline all$/, /^Approve what you tick$/);
    for (const [i, tick] of (await page.getByRole('checkbox').all()).entries())
      if (i !== 6 && i !== 11) await tick.check();
    const bar = /^10 of 12 · pays SAR [\d,]+\.\d\d · gets back SAR 0\.00 to SAR [\d,]+\.\d\d$/;
    expect(await page.getByRole('status').textContent()).toMatch(bar);
    expect(await page.getByText('unknown').count()).toBe(0);
    const yes = /^Approve 10 for SAR [\d,]+\.\d\d$/;
    await look(page, /^Decline all$/, yes);
    await press(page, yes);
    expect(await heading(page)).toMatch(/^In progress: \d of 10 bookings (?:is|are) done$/);
    // Its next renewal waits, since a plan may end before a slow browser has looked.
    const looked = Promise.withResolvers<void>();
    await page.route('**', (route) => looked.promise.then(() => route.continue()));
    await look(page, /^Stop the rest$/);
    expect(await page.getByText('Why: the airline changed it').count()).toBe(1);
    looked.resolve();
    await page.unrouteAll({ behavior: 'wait' });
    await terminal.shows(/Press Enter [^:]*: $/);
    terminal.type('\r');
    expect(await terminal.ended, terminal.screen()).toBe(0);
    await page.getByRole('heading', { level: 1, name: 'Finished: 9 of 10 bookings are done' }).waitFor();
    await look(page);
    const terms = page.locator('details').nth(7);
    await terms.locator('summary').click();
    expect(await terms.getByText('This cannot be undone.').isVisible()).toBe(true);
    await page.waitForTimeout(2_500);
    expect(await page.getByRole('heading', { level: 1, name: 'Finished' }).count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(complaints).toEqual([]);
    // Nothing stays with the person who tried it.
    expect(existsSync(join(program.env.HOME ?? '', '.local', 'state'))).toBe(false);
  });
});
