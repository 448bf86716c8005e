/**
 * Writes the screenshots of docs/images/: the approval page and the views, light and dark, in Chromium, from a clerk that
 * works with the sandbox airline. `node scripts/screenshots.ts`
 */
import { writeFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { type Loopback, startLoopback } from '../src/server/approval-page/loopback.ts';
import { type MiniHost, openMiniHost } from '../test/browser/apps/mini-host.ts';
import { accept } from '../test/server/calls/desk.ts';

const FOLDER = new URL('../docs/images/', import.meta.url).pathname;
const SCHEMES = ['light', 'dark'] as const;
/** Size limit of a picture in the repository, bytes. */
const MOST = 60_000;

const [FROM, TO] = ['QCA', 'XMD'];
const day = (host: MiniHost, after: number): string =>
  new Date(host.desk.sandbox.now() + after * 86_400_000).toISOString().slice(0, 10);

function person(given: string, number: string, gender: string) {
  const document = { type: 'passport', number, nationality: 'SA', expires: '2035-08-30' };
  return { type: 'ADT', given_name: given, surname: 'Haddad', gender, birth_date: '1991-04-17', document };
}

/** @param after days from now; another day is another booking for the same two */
async function held(host: MiniHost, after: number): Promise<string> {
  const legs = [
    { from: FROM, to: TO, date: day(host, after) },
    { from: TO, to: FROM, date: day(host, after + 2) },
  ];
  const search = { legs, passengers: { adults: 2 }, booking_classes: ['C'], max_results: 1 };
  const found = (await host.desk.result('search_fares', search)).structured;
  const { structured } = await host.desk.result('create_booking', {
    offer_ids: (found.offers as { offer_id: string }[]).map(({ offer_id: id }) => id),
    contact: { given_name: 'Layla', surname: 'Haddad', email: 'layla@haddad.example' },
    passengers: [person('Laila', 'P4402917', 'Female'), person('Omar', 'P4402918', 'Male')],
  });
  return (structured.booking as { locator: string }).locator;
}

const payment = (locator: string) => ({ locator, payment: { type: 'invoice' } });

async function paid(host: MiniHost, after: number): Promise<string> {
  const locator = await held(host, after);
  await host.desk.say('pay_booking', payment(locator), accept);
  return locator;
}

/** The part of a page that is worth showing: from its top to the end of its main part. WebP: a third of a PNG. */
async function shoot(page: Page, main: Locator, name: string): Promise<void> {
  const box = await main.boundingBox();
  const { width = 0 } = page.viewportSize() ?? {};
  const height = Math.min(Math.floor((box?.y ?? 0) + (box?.height ?? 0)), 900);
  await page.setViewportSize({ width, height });
  const browser = await page.context().newCDPSession(page);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 90 });
  await browser.detach();
  const picture = Buffer.from(data, 'base64');
  if (picture.length > MOST) throw new Error(`${name}: ${picture.length} bytes are too many`);
  writeFileSync(`${FOLDER}${name}.webp`, picture);
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
async function approvalPage(host: MiniHost, browser: Browser, served: Loopback): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 640, height: 800 } });
  const locator = await held(host, 40);
  await page.goto(await question(host, served, locator));
  await shootBoth(page, 'approval-question');
  const changes = [{ passenger_ref: '1', given_name: 'Layla' }];
  await host.desk.result('change_names', { locator, changes });
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByRole('heading', { name: /changed/ }).waitFor();
  await shootBoth(page, 'approval-changed');
  await page.close();
}

/** Tool and arguments of each view that is shown. */
function views(host: MiniHost, waiting: string, settled: string) {
  const leg = { from: FROM, to: TO, date: day(host, 20), days_before: 1 };
  const search = { legs: [leg], passengers: { adults: 2 }, booking_classes: ['C'], max_results: 2 };
  return {
    fares: ['search_fares', search],
    terms: ['pay_booking', payment(waiting)],
    seats: ['get_seat_map', { locator: settled, segment_refs: ['1'] }],
  } as const;
}

/** Takes the screenshots; returns the browser. */
async function pictureViews(host: MiniHost): Promise<Browser> {
  const client = host.clients.modern;
  let browser: Browser | null = null;
  for (const [name, [tool, args]] of Object.entries(views(host, await held(host, 30), await paid(host, 34)))) {
    const result = await host.call(client, tool, args);
    for (const scheme of SCHEMES) {
      const { page } = await host.show(client, tool, args, result, { width: 640, scheme });
      await shoot(page, page.locator('iframe').first(), `view-${name}-${scheme}`);
      browser = page.context().browser();
    }
  }
  if (browser === null) throw new Error('no browser');
  return browser;
}

function servedBy({ desk: { clerk, parts } }: MiniHost): Promise<Loopback> {
  return startLoopback({
    find: (id) => parts.state.approvals.byOperation(id),
    operation: (id) => parts.state.operations.get(id),
    decide: (id, yes) => clerk.decide(id, yes, { assurance: 'page' }),
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
  const host = await openMiniHost();
  const served = await servedBy(host);
  try {
    await approvalPage(host, await pictureViews(host), served);
  } finally {
    await served.close();
    await host.close();
  }
}
