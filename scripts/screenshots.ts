/**
 * Takes the screenshots of docs/images/: the approval page and the views, light and dark, in the Chromium that comes with
 * npm, from a clerk that works with the sandbox airline. `node scripts/screenshots.ts`
 *
 * `--check` takes them all and writes none; fails if one cannot be taken. `--all FOLDER` writes every state of every view
 * there as PNG, at 375 and 720 pixels.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { type Loopback, startLoopback } from '../src/pages/approval/loopback.ts';
import { pageState } from '../src/pages/approval/page-state.ts';
import { type MiniHost, openMiniHost } from '../test/browser/apps/mini-host.ts';
import { planScene } from './picture/plan-scene.ts';
import { docScenes, held, otherScenes, payment, type Scene, STARTS_AT } from './picture/scenes.ts';

const FOLDER = new URL('../docs/images/', import.meta.url).pathname;
const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [375, 720] as const;
/** Size limits of a picture in the repository, bytes: one that shows something, and no more than the page needs. */
const [LEAST, MOST] = [4_000, 62_000];
const TALLEST = 900;
/** The views that the docs show. */
const IN_DOCS = ['fares', 'seats', 'terms'];

const checks = process.argv.includes('--check');
let taken = 0;

/** The part of a page that is worth showing: from its top to the end of its main part. WebP: a third of a PNG. */
async function shoot(page: Page, main: Locator, name: string): Promise<void> {
  const box = await main.boundingBox();
  const { width = 0 } = page.viewportSize() ?? {};
  const height = Math.min(Math.floor((box?.y ?? 0) + (box?.height ?? 0)), TALLEST);
  await page.setViewportSize({ width, height });
  const browser = await page.context().newCDPSession(page);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await browser.detach();
  const picture = Buffer.from(data, 'base64');
  if (picture.length > MOST || picture.length < LEAST) throw new Error(`${name}: ${picture.length} bytes`);
  if (!checks) writeFileSync(`${FOLDER}${name}.webp`, picture);
  taken += 1;
}

/** A pending approval on its page. */
async function question(host: MiniHost, served: Loopback, locator: string): Promise<string> {
  const { structured } = await host.desk.result('pay_booking', payment(locator));
  const approval = await host.desk.parts.state.approvals.byOperation(String(structured.operation_id));
  if (approval === undefined) throw new Error('nothing was asked');
  return served.addressFor(approval);
}

/** The same page in both schemes. */
async function shootBoth(page: Page, name: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await shoot(page, page.locator('body'), `${name}-${colorScheme}`);
  }
}

/** The question, and the result of a yes after the booking was changed. */
async function approvalPage(host: MiniHost, served: Loopback): Promise<void> {
  const page = await host.browser.newPage({ viewport: { width: 640, height: 800 } });
  const locator = await held(host, 50);
  await page.goto(await question(host, served, locator));
  await shootBoth(page, 'approval-question');
  const changes = [{ passenger_ref: '1', given_name: 'Layla' }];
  await host.desk.result('change_names', { locator, changes });
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByRole('heading', { name: /changed/ }).waitFor();
  await shootBoth(page, 'approval-changed');
  await page.close();
}

/** A plan after a cancelled train: the question with some ticks, the lines while one is in doubt, and the end. */
async function planPage(host: MiniHost, served: Loopback): Promise<void> {
  const page = await host.browser.newPage({ viewport: { width: 640, height: TALLEST } });
  page.setDefaultTimeout(60_000);
  const plan = await planScene(host);
  await page.goto(served.addressFor(plan.approval));
  for (const line of plan.ticked)
    await page
      .getByRole('checkbox')
      .nth(line - 1)
      .check();
  await page.evaluate('scrollTo(0, 0)');
  await shootBoth(page, 'plan-question');
  plan.mishap();
  await page.getByRole('button', { name: /^Approve/ }).click();
  await plan.reached(4, 'in_doubt');
  await page.reload();
  await shootBoth(page, 'plan-running');
  await plan.reached(5, 'done');
  await page.reload();
  await shootBoth(page, 'plan-over');
  await page.close();
}

/** A view in the mini host. */
async function draw(host: MiniHost, { tool, args, result }: Scene, width: number, scheme: 'light' | 'dark') {
  const options = { width, scheme, height: TALLEST };
  const { page, view } = await host.show(tool, args, result, options);
  await view.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))');
  return page;
}

async function pictureViews(host: MiniHost): Promise<void> {
  for (const [name, scene] of Object.entries(await docScenes(host))) {
    if (!IN_DOCS.includes(name)) continue;
    for (const scheme of SCHEMES) {
      const page = await draw(host, scene, 640, scheme);
      await shoot(page, page.locator('iframe').first(), `view-${name}-${scheme}`);
    }
  }
}

async function pictureAll(host: MiniHost, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const scenes = { ...(await docScenes(host)), ...(await otherScenes(host)) };
  for (const [name, scene] of Object.entries(scenes)) {
    for (const width of WIDTHS) {
      for (const scheme of SCHEMES) {
        const page = await draw(host, scene, width, scheme);
        await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`), fullPage: true });
        taken += 1;
      }
    }
  }
}

function servedBy({ desk: { clerk, parts } }: MiniHost): Promise<Loopback> {
  return startLoopback({
    ...pageState(clerk),
    decide: ({ operationId }, yes, _approver, ticked) => clerk.decide(operationId, yes, { assurance: 'page' }, ticked),
    now: parts.clock.now,
    environment: 'sandbox',
    log: {
      failure({ error }) {
        throw error;
      },
    },
  });
}

if (import.meta.main) {
  const host = await openMiniHost({ startsAt: STARTS_AT });
  const served = await servedBy(host);
  const all = process.argv.indexOf('--all');
  try {
    if (all > 0) await pictureAll(host, process.argv[all + 1] ?? '.');
    else {
      await pictureViews(host);
      await approvalPage(host, served);
      await planPage(host, served);
    }
    if (host.complaints.length > 0) throw new Error(host.complaints.join('\n'));
    process.stdout.write(`${taken} pictures ${checks ? 'can be taken' : 'written'}\n`);
  } finally {
    await served.close();
    await host.close();
  }
}
