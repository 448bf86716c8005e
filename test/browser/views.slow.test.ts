/**
 * The views as people see them: every state, on a phone and on a wide screen, light and dark. The results are those of the
 * pictures (scripts/picture/scenes.ts).
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { docScenes, otherScenes, type Scene, STARTS_AT } from '../../scripts/picture/scenes.ts';
import { type MiniHost, openMiniHost, type Shown, type ShowOptions } from './apps/mini-host.ts';
import { contrasts } from './contrast.ts';

const [PHONE, WIDE] = [375, 720];
let host: MiniHost;
let scenes: Readonly<Record<string, Scene>>;

beforeAll(async () => {
  host = await openMiniHost({ startsAt: STARTS_AT });
  scenes = { ...(await docScenes(host)), ...(await otherScenes(host)) };
});
afterAll(() => host.close());
afterEach(() => expect(host.complaints.splice(0)).toEqual([]));

async function show(name: string, options: ShowOptions = {}): Promise<Shown> {
  const scene = scenes[name];
  if (scene === undefined) throw new Error(`no scene ${name}`);
  const { tool, args, result } = scene;
  const shownAt = { width: PHONE, height: 667, ...options };
  return host.show(tool, args, result, shownAt);
}

const textIn = async ({ view }: Shown) => (await view.locator('main').textContent()) ?? '';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where the elements are, in pixels of the host's window. */
async function boxes({ view }: Shown, selector: string): Promise<Box[]> {
  const all = await Promise.all((await view.locator(selector).all()).map((each) => each.boundingBox()));
  return all.flatMap((box) => box ?? []);
}

const NAMES = [
  ...['fares', 'seats', 'terms'],
  ...['fares-one-day', 'fares-named', 'fares-return', 'fares-error'],
  ...[
    'seats-not-paid',
    'seats-two-trips',
    'terms-cancel',
    'terms-paid',
    'terms-cancelled',
    'terms-pending',
    'terms-person',
  ],
];

/** Buttons without a name, and buttons smaller than WCAG 2.2 asks for (2.5.8). */
const BAD_BUTTONS = `[...document.querySelectorAll('button')].filter((button) => {
  const { width, height } = button.getBoundingClientRect();
  return width > 0 && (width < 24 || height < 24 || !(button.ariaLabel ?? button.textContent).trim());
}).length`;

test('every scene has a check here', () => {
  expect(Object.keys(scenes).sort()).toEqual([...NAMES].sort());
});

const LOOKS = [
  { width: PHONE, scheme: 'light' },
  { width: PHONE, scheme: 'dark' },
  { width: WIDE, scheme: 'light' },
  { width: WIDE, scheme: 'dark' },
] as const;

test.each(NAMES)('%s fits 375 and 720 pixels, can be read light and dark, and speaks to people', async (name) => {
  const shown = await show(name);
  for (const { width, scheme } of LOOKS) {
    await shown.page.setViewportSize({ width, height: 667 });
    await shown.page.emulateMedia({ colorScheme: scheme });
    const look = `${width} ${scheme}`;
    expect([look, await shown.view.evaluate('document.documentElement.scrollWidth')]).toEqual([look, width]);
    const drawn = await contrasts(shown.view as unknown as Page);
    expect([look, drawn.filter(({ ratio }) => ratio < 4.5)]).toEqual([look, []]);
    expect([look, await shown.view.evaluate(BAD_BUTTONS)]).toEqual([look, 0]);
  }
  expect(await shown.view.getByRole('heading', { level: 1 }).count()).toBe(1);
  // Terms are shown word for word.
  const shownText = name.startsWith('terms') ? '' : await textIn(shown);
  expect(shownText).not.toMatch(
    /\b[a-z]+_[a-z]+|\bE_[A-Z]|[{}]|undefined|\[object|NaN|Infinity|\d{4}-\d\d-\d\dT|\(no (?:date|time)\)/,
  );
});

describe('fares', () => {
  test('a card of one departure takes at most 230 pixels on a phone', async () => {
    for (const name of ['fares', 'fares-one-day', 'fares-named']) {
      const heights = (await boxes(await show(name), 'article')).map(({ height }) => height);
      expect(heights.length).toBeGreaterThan(0);
      expect(heights.filter((height) => height > 230)).toEqual([]);
    }
  });

  test('one departure has one heading with all its fares, and the refund of each', async () => {
    const { view } = await show('fares-named');
    expect(await view.locator('article').count()).toBe(1);
    expect(await view.locator('.fare').allTextContents()).toEqual([
      'Economy Saver SAR 388.75 Lowest Not refundable',
      'Economy Flex SAR 1,512.00 SAR 1,489.00 back until Tue 8 Dec 06:15',
      'Business Flex SAR 2,204.40 SAR 2,204.40 back until Thu 10 Dec 06:15',
    ]);
  });

  test('the words that a refund depends on stand with it', async () => {
    const { tool, args, result } = scenes.fares ?? {};
    if (tool === undefined || args === undefined) throw new Error('no scene');
    const { structuredContent: data } = result as { structuredContent: { offers: object[] } };
    const refund = { refund_now: '1.00', refund_condition: [{ says: 'Health reasons only', fare_of: '1 child' }] };
    const offers = data.offers.map((offer) => ({ ...offer, refund }));
    const changed = { ...result, structuredContent: { ...data, offers } } as Scene['result'];
    const shown = await host.show(tool, args, changed, { width: PHONE, height: 667 });
    expect(await textIn(shown)).toContain('Condition for 1 child: “Health reasons only”');
  });

  test('every day is in sight without scrolling sideways, the cheapest marked', async () => {
    const shown = await show('fares');
    const days = await boxes(shown, '.days button');
    expect(days.length).toBeGreaterThan(3);
    for (const { x, width } of days) expect([x >= 0, x + width <= PHONE]).toEqual([true, true]);
    const prices = (await shown.view.locator('.days button').allTextContents()).map((text) => Number.parseFloat(text));
    const marked = await shown.view.locator('.days .best').allTextContents();
    expect(new Set(marked.map(Number.parseFloat))).toEqual(new Set([Math.min(...prices)]));
  });

  test('an unfinished list opens by keyboard, and what was pressed keeps the focus visible', async () => {
    const shown = await show('fares-one-day');
    const fares = shown.view.locator('.fare:visible');
    const before = await fares.count();
    await shown.view.locator('summary').first().focus();
    await shown.page.keyboard.press('Enter');
    expect(await fares.count()).toBeGreaterThan(before);
    await shown.page.keyboard.press('Tab');
    const outline = 'getComputedStyle(document.activeElement).outlineWidth';
    expect(await shown.view.evaluate(outline)).toBe('3px');
  });
});

describe('seats', () => {
  test('on a small phone the chosen seat can be confirmed without scrolling', async () => {
    const shown = await show('seats');
    const chosen: string[] = [];
    for (const [passenger, name] of ['Laila Haddad', 'Omar Haddad'].entries()) {
      await shown.view.getByRole('group', { name: 'Passenger' }).getByRole('button').nth(passenger).click();
      const place = shown.view.locator('[data-place]').nth(passenger);
      const [seat, ...facts] = ((await place.getAttribute('aria-label')) ?? '').toLowerCase().split(', ');
      chosen.push([`${name}: coach 1`, seat, ...facts.filter((fact) => fact !== 'free')].join(', '));
      await place.click();
    }
    const [ask] = await boxes(shown, '.confirm button');
    expect(ask?.y).toBeGreaterThan(300);
    expect((ask?.y ?? 0) + (ask?.height ?? 0)).toBeLessThanOrEqual(667);
    expect(await shown.page.evaluate('scrollY')).toBe(0);
    const bar = await shown.view.locator('.confirm').textContent();
    expect(bar).toContain(chosen.join('\n'));
    await shown.view.locator('.confirm button').click();
    await expect.poll(() => shown.told.length).toBe(1);
    const [status] = await boxes(shown, '[role=status]');
    expect((status?.y ?? 999) + (status?.height ?? 0)).toBeLessThanOrEqual(667);
  });

  test('a seat is let go by pressing it again', async () => {
    const { view } = await show('seats');
    const free = view.locator('[data-place]').first();
    await free.click();
    expect(await free.getAttribute('aria-pressed')).toBe('true');
    await free.click();
    expect([await free.getAttribute('aria-pressed'), await view.locator('.confirm').textContent()]).toEqual([
      'false',
      'Choose a free seat for Laila Haddad.',
    ]);
  });
});

test.each([
  ['fares-error', 'Nothing found'],
  ['seats-not-paid', 'Possible once it is paid'],
])('%s: the heading says %s, and the text what to do', async (name, title) => {
  const shown = await show(name);
  expect(await shown.view.getByRole('heading', { level: 1 }).textContent()).toBe(title);
  expect(await textIn(shown)).toMatch(/Ask the assistant/);
});

test.each([
  ['terms', /^Pay SAR 1,\d{3}\.\d\d$/],
  ['terms-cancel', /^Cancel train HHR\d+ of \w{6}, refund about SAR \d+\.\d\d(, on a condition)?$/],
  ['terms-paid', /^Paid SAR 1,\d{3}\.\d\d$/],
  ['terms-cancelled', /^Cancelled; SAR \d+\.\d\d comes back$/],
] as const)('%s: act and amount are large', async (name, words) => {
  const { view } = await show(name);
  expect(await view.locator('.big').textContent()).toMatch(words);
});
