/** A plan on the page in a real browser: ticks, yes, live lines, with long names, many lines and small screens. */
import type { BrowserContextOptions } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import {
  lineView,
  moveLine,
  type PlanOnPage,
  type PlanView,
  planOf,
  planOnPage,
} from '../pages/approval/support/plan-on-page.ts';
import { sar } from '../support/bookings.ts';
import { expectAccessible } from './accessibility.ts';
import { browserTabs, expectButtons, expectReadable, expectSeenBeforeYes, heading, press, SCREENS } from './tabs.ts';

const { complaints, tab } = browserTabs();
let desk: PlanOnPage | undefined;
afterEach(() => desk?.page.close());

type LineState = PlanView['lines'][number]['state'];

const LONG = 'Umm-Kulthum-bint-Muhammad-al-'.repeat(6);

async function visit(
  lines = [moveLine(1), lineView(2), lineView(3)],
  options: BrowserContextOptions = {},
  sums?: PlanView['sums'],
) {
  desk = await planOnPage(planOf(lines, sums && { sums }));
  const page = await tab(options);
  await page.goto(desk.page.addressFor(desk.approval));
  return { page, desk };
}

describe('a plan on the page', () => {
  test.each(SCREENS)(
    'who asks and the time left stand above the buttons, whatever is ticked: $viewport.width px, $colorScheme',
    async (screen) => {
      const { page } = await visit(
        Array.from({ length: 12 }, (_, i) => (i % 2 ? moveLine : lineView)(i + 1)),
        screen,
      );
      await page.getByRole('button', { name: 'Tick all 12' }).click();
      await page.getByRole('button', { name: 'Tick none' }).waitFor();
      await expectSeenBeforeYes(page, [page.getByText('Asked by an assistant for'), page.getByText('9 minutes left')]);
      expect((await page.getByRole('main').textContent())?.match(/cannot be undone/gi)).toHaveLength(1);
    },
  );

  test('takes the ticked lines alone with one yes, shows them live, and stops them', async () => {
    const { page, desk: on } = await visit();
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await page
      .getByRole('checkbox', {
        name: /^1\. Move booking ABC101 to HHR105.*Amal Haddad 1 · Madinah → Jeddah, Tue 1 Dec$/,
      })
      .check();
    await page.getByRole('checkbox', { name: /^3\. Cancel every train of ABC103.*Amal Haddad 3 and 2 others/ }).check();
    await press(page, 'Approve 2 for SAR 345.00');
    expect(on.decided).toEqual([{ yes: true, ticked: [1, 3] }]);
    expect(await heading(page)).toBe('In progress: 0 of 2 bookings are done');
    // By itself, with and without the script: nothing is pressed.
    const plain = await tab({ javaScriptEnabled: false });
    on.run('waiting', 'not_ticked', 'doing');
    await plain.goto(on.page.addressFor(on.approval));
    expect(await heading(plain)).toBe('In progress: 0 of 2 bookings are done');
    on.run('done', 'not_ticked', 'doing');
    for (const one of [page, plain]) await one.getByRole('heading', { name: '1 of 2 bookings is done' }).waitFor();
    expect(await page.getByRole('row').allTextContents()).toHaveLength(4);
    await page.setViewportSize({ width: 375, height: 300 });
    for (const at of [0, 5_000]) {
      await page.evaluate(`scrollTo(0, ${at})`);
      const box = await page.getByRole('button').boundingBox();
      expect([(box?.y ?? -1) >= 0, (box?.y ?? 300) + (box?.height ?? 0) <= 300]).toEqual([true, true]);
    }
    await press(page, 'Stop the rest');
    expect(on.stopped).toEqual(['pl_1']);
    expect(complaints).toEqual([]);
  });

  test('renews in place, keeps what it showed while its server is silent, and shows the end before the server goes', async () => {
    const { page, desk: on } = await visit();
    for (const tick of await page.getByRole('checkbox').all()) await tick.check();
    await press(page, 'Approve 3 for SAR 345.00');
    await page.getByText('Terms of 2. Cancel booking: ABC102').locator('..').click();
    on.run('done', 'waiting', 'doing');
    await page.getByRole('heading', { name: '1 of 3 bookings is done' }).waitFor();
    expect(await page.getByText('Cancel every train of booking ABC102.').isVisible()).toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.route('**/*', (route) => route.abort());
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/^This page can't reach its server now\./);
    expect(await heading(page)).toBe('In progress: 1 of 3 bookings is done');
    await page.unroute('**/*');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    on.run('done', 'skipped', 'done');
    const closed = on.page.close();
    await page.getByRole('heading', { name: 'Finished: 2 of 3 bookings are done' }).waitFor();
    await closed;
    await page.waitForTimeout(2_500);
    expect(await heading(page)).toBe('Finished: 2 of 3 bookings are done');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test.each(SCREENS)(
    'a plan that is over begins with what needs a person and its next step, in the colour of its worst line: $viewport.width px, $colorScheme',
    async (screen) => {
      const { page, desk: on } = await visit(
        Array.from({ length: 6 }, (_, i) => (i < 2 ? moveLine : lineView)(i + 1)),
        screen,
      );
      const colourOf = (selector: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).color`);
      /** The rows in their order, as numbers of their lines. */
      const order = async () => {
        const rows = await page.locator('tbody tr').allTextContents();
        return rows.map((row) => Number(/(\d+)\. /.exec(row)?.[1]));
      };
      const show = async (...states: LineState[]) => {
        on.run(...states);
        await page.goto(on.page.addressFor(on.approval));
        const ofHeading = await colourOf('h1');
        expect(ofHeading).toBe(await colourOf('tbody .state'));
        return ofHeading;
      };
      const allDone = await show('done', 'done', 'done', 'done', 'done', 'done');
      const failed = await show('done', 'not_ticked', 'skipped', 'done', 'in_doubt', 'needs_person');
      expect(await order()).toEqual([6, 5, 3, 1, 4, 2]);
      expect(failed).not.toBe(allDone);
      expect(failed).not.toBe(await show('done', 'done', 'done', 'done', 'done', 'not_begun'));
      await show('done', 'not_ticked', 'skipped', 'done', 'in_doubt', 'needs_person');
      const rows = await page.locator('tbody tr').allTextContents();
      expect(rows[0]).toContain('Next: Ask the airline what happened, and start nothing new until you know.');
      expect(rows[1]).toContain('Next: Wait.');
      expect(rows[2]).toContain('Next: If it is still wanted, the assistant can run this plan again.');
      // What is not known is never nothing.
      for (const row of rows.slice(0, 2)) expect(row).toMatch(/paid nothing\s*came back not known\s*$/);
      for (const row of rows.slice(3)) expect(row).not.toContain('Next:');
      expect(await page.getByRole('status').textContent()).toBe(
        '2 done · 1 sent, outcome not known yet · 1 needs checking with the airline · 1 not done · 1 not approved · SAR 345.00 paid · SAR 160.00 came back',
      );
      // Before anything is scrolled: the first line that needs a person, with its next step.
      const next = await page.getByText('Ask the airline what happened').boundingBox();
      expect((next?.y ?? 9_999) + (next?.height ?? 0)).toBeLessThanOrEqual(screen.viewport.height);
      const [state, name] = [page.locator('tbody .state').first(), page.locator('tbody strong').first()];
      const [left, right] = [await state.boundingBox(), await name.boundingBox()];
      expect((right?.y ?? 0) - (left?.y ?? 0)).toBeLessThanOrEqual(48);
      await expectReadable(page, screen.viewport.width);
      await expectAccessible(page);
    },
  );

  test('a screen reader has one heading, a named list, names of their own for all controls, and a table of states', async () => {
    const { page, desk: on } = await visit([moveLine(1), lineView(2), moveLine(3)]);
    await expectAccessible(page);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(await page.getByRole('list', { name: 'Bookings' }).count()).toBe(1);
    expect(await page.getByRole('form', { name: 'Your answer' }).getByRole('checkbox').count()).toBe(3);
    expect(await page.getByText('Train HHR101').first().isVisible()).toBe(false);
    await page.getByText('Terms of 2. Cancel booking: ABC102').locator('..').click();
    expect(await page.getByText('Cancel every train of booking ABC102.').isVisible()).toBe(true);
    on.run('done', 'waiting', 'doing');
    await page.reload();
    await expectAccessible(page);
    on.run('done', 'skipped', 'done');
    await page.reload();
    expect(await page.getByRole('table', { name: 'Bookings of the plan' }).count()).toBe(1);
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['State', 'Booking', 'Paid', 'Came back']);
    expect(await page.getByRole('button').count()).toBe(0);
    const ids = await page.evaluate<string[]>("[...document.querySelectorAll('[id]')].map((one) => one.id)");
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('twelve bookings are 1,600 px high at most, say in their rows who, where and when, and repeat no sentence', async () => {
    const reason = 'the airline changed it: train 101 on Tue 1 Dec was cancelled by the airline';
    const { page } = await visit(
      Array.from({ length: 12 }, (_, i) => (i < 6 ? moveLine : lineView)(i + 1, { reason })),
      { viewport: { width: 1280, height: 800 } },
    );
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(1_600);
    await expectAccessible(page);
    const rows = await page.getByRole('list', { name: 'Bookings' }).getByRole('listitem').allTextContents();
    const main = rows.filter((row) => /^\d+\. /.test(row.trim()));
    expect(main).toHaveLength(12);
    for (const row of main)
      expect(row).toMatch(/Amal Haddad[\s\S]*Madinah → Jeddah, Tue 1 Dec[\s\S]*pays[\s\S]*gets back SAR/);
    expect(await page.getByText(reason).count()).toBe(1);
    expect(await page.getByRole('main').textContent()).not.toMatch(/\blines?\b/);
  });

  test.each(SCREENS)(
    'each amount stands once, whole, in one column above its sum, and a move names the old train: $viewport.width px, $colorScheme',
    async (screen) => {
      const range = { bounds: { atLeast: sar(0), atMost: sar(116_025) } };
      const [cancel] = lineView(2).steps;
      const [pay, after] = moveLine(1).steps;
      if (cancel === undefined || pay === undefined || after === undefined) throw new Error('a line without a step');
      const old = {
        ...{
          kind: 'ride' as const,
          before: 'Old: ',
          name: 'Train HHR101',
          from: 'Madinah (MED)',
          to: 'Jeddah (JED)',
          more: '',
        },
        ...{ departs: '2026-12-01T08:00:00+03:00', arrives: '2026-12-01T10:10:00+03:00' },
      };
      const trip = { kind: 'trip' as const, lines: ['Old: Train HHR101: Madinah (MED) → Jeddah (JED)'], drawn: [old] };
      const sum = { moves: 'back', between: { atLeast: sar(0), atMost: sar(116025) } } as const;
      const act = { verb: 'Cancel', object: 'train HHR101', preposition: 'of', booking: 'ABC102', sum } as const;
      const { page } = await visit(
        [
          moveLine(1, { steps: [{ ...pay, sections: [trip] }, after] }),
          lineView(2, { steps: [{ ...cancel, act, estimate: range }] }),
          lineView(3, { steps: [{ ...cancel, estimate: {} }] }),
        ],
        screen,
      );
      await page.getByRole('checkbox').nth(0).check();
      await page.getByRole('checkbox').nth(1).check();
      const rows = await page.getByRole('list', { name: 'Bookings' }).locator('> li').allTextContents();
      expect(rows[0]).toMatch(
        /^1\. Move booking ABC101 .*\(UTC\+3\)was Train HHR101, Tue 1 Dec 08:00-10:10Amal Haddad 1 · Madinah/,
      );
      expect(rows[1]).toMatch(
        /^2\. Cancel train HHR101 of ABC102Amal Haddad 2 and 1 other · Madinah → Jeddah, Tue 1 Dec/,
      );
      const seen = (await page.getByRole('main').innerText()).replaceAll('\n', ' ');
      expect(seen.match(/SAR 0\.00 to SAR 1,160\.25/g)).toHaveLength(1);
      // No line ends within an amount, nor, where there is room, between the two of a range.
      const lines = `(selector) => [...document.querySelectorAll(selector)].map((one) => one.getClientRects().length)`;
      const amounts = await page.evaluate<number[]>(`(${lines})('.money')`);
      expect(amounts.length).toBeGreaterThanOrEqual(7);
      expect(new Set(amounts)).toEqual(new Set([1]));
      const range2 = await page.evaluate<number[]>(
        `(${lines})('.rows .moves > :last-child, .bar .moves > :last-child')`,
      );
      expect(new Set(range2)).toEqual(new Set([1]));
      // The right edges of a column and of its sum; on a phone both sums stand in one column.
      const edges = (selector: string) =>
        page.evaluate<number[]>(
          `[...document.querySelectorAll('${selector}')].map((one) => Math.round(one.getBoundingClientRect().right))`,
        );
      for (const place of [1, 2]) {
        const column = await edges(`.rows li > .moves:nth-of-type(${place}) > :last-child`);
        const sum = await edges(`.bar .moves > [data-${place === 1 ? 'pays' : 'back'}]`);
        expect(column.length).toBe(3);
        expect(new Set([...column, ...sum]).size).toBe(1);
      }
      expect(await page.getByRole('status').textContent()).toBe(
        '2 of 3 · pays SAR 345.00 · gets back SAR 86.25 to SAR 1,246.50',
      );
      await expectReadable(page, screen.viewport.width);
      await expectAccessible(page);
    },
  );

  test('a bar stays in view and follows the ticks; without the script it says what all do', async () => {
    const lines = [moveLine(1), ...Array.from({ length: 11 }, (_, i) => lineView(i + 2))];
    const { page, desk: on } = await visit(lines, { viewport: { width: 360, height: 640 } });
    const bar = page.getByRole('status');
    const words = () => bar.textContent();
    expect(await words()).toBe('0 of 12 · pays nothing · gets back nothing');
    await page.getByRole('checkbox').nth(0).check();
    await page.getByRole('checkbox').nth(11).check();
    expect(await words()).toBe('2 of 12 · pays SAR 345.00 · gets back SAR 172.50');
    const yes = page.getByRole('button', { name: /^Approve/ });
    expect(await yes.textContent()).toBe('Approve 2 for SAR 345.00');
    await page.getByRole('checkbox').nth(0).uncheck();
    expect(await yes.textContent()).toBe('Approve 1 for SAR 86.25 back');
    expect(await words()).toBe('1 of 12 · pays nothing · gets back SAR 86.25');
    for (const at of [0, 500, 5_000]) {
      await page.evaluate(`scrollTo(0, ${at})`);
      const box = await bar.boundingBox();
      expect([(box?.y ?? -1) >= 0, (box?.y ?? 640) + (box?.height ?? 0) <= 640]).toEqual([true, true]);
    }
    const all = 'pays SAR 345.00 · gets back SAR 1,035.00';
    await page.getByRole('button', { name: 'Tick all 12' }).click();
    expect(await words()).toBe(`12 of 12 · ${all}`);
    const plain = await tab({ javaScriptEnabled: false });
    await plain.goto(on.page.addressFor(on.approval));
    await plain.getByRole('checkbox').nth(3).check();
    expect(await plain.getByRole('status').textContent()).toBe(`All 12 · ${all}`);
    await press(plain, 'Approve what you tick');
    expect(on.decided).toEqual([{ yes: true, ticked: [4] }]);
    expect(complaints).toEqual([]);
  });

  test('the bar says ranges, what is at most paid, what is not known, and each currency, as the page says it without the script', async () => {
    const [refund] = lineView(1).steps;
    if (refund === undefined) throw new Error('a line without a step');
    const eur = (minor: number) => ({ minor, currency: 'EUR' });
    const pays = { direction: 'payment' as const, amount: eur(123_450), isUpperBound: true as const };
    const steps: (typeof refund)[][] = [
      [{ ...refund, estimate: { bounds: { atLeast: sar(1_000), atMost: sar(2_000) } } }],
      [{ ...refund, estimate: {} }],
      [{ ...refund, money: pays }],
      [{ ...refund, money: { direction: 'payment' } }],
    ];
    const lines = steps.map((some, i) => lineView(i + 1, { steps: some }));
    const { page } = await visit(lines, {}, [
      {
        ...{ comesBackUnknown: true, paidUnknown: true },
        ...{ paid: sar(0), comesBack: sar(1_000), comesBackAtMost: sar(2_000) },
      },
      { paidAtMost: true, paid: eur(123_450), comesBack: eur(0) },
    ]);
    await page.getByRole('button', { name: 'Tick all 4' }).click();
    const words = 'pays at most EUR 1,234.50 and an unknown sum · gets back SAR 10.00 to SAR 20.00 and an unknown sum';
    await expect.poll(() => page.getByRole('status').textContent()).toBe(`4 of 4 · ${words}`);
    const yes = page.getByRole('button', { name: /^Approve/ });
    expect(await yes.textContent()).toBe('Approve 4 for at most EUR 1,234.50 and an unknown sum');
    await page.context().close();
    const plain = await tab({ javaScriptEnabled: false });
    await plain.goto(desk?.page.addressFor(desk.approval) ?? '');
    expect(await plain.getByRole('status').textContent()).toBe(`All 4 · ${words}`);
  });

  test('at 360 px it is walked by keyboard: the bar covers nothing that has the focus, Enter on a tick answers nothing, "no" comes before "yes"', async () => {
    const lines = Array.from({ length: 12 }, (_, i) => lineView(i + 1));
    const { page, desk: on } = await visit(lines, { viewport: { width: 360, height: 640 } });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('BODY');
    const covered = `(() => {
      const one = document.activeElement.getBoundingClientRect();
      const bar = document.querySelector('.bar').getBoundingClientRect();
      return !document.activeElement.closest('.bar') && one.bottom > bar.top + 1;
    })()`;
    const seen: string[] = [];
    const next = async () => {
      await page.keyboard.press('Tab');
      seen.push(await page.evaluate('(document.activeElement.value || document.activeElement.textContent).trim()'));
      expect(await page.evaluate<boolean>(covered), seen.at(-1)).toBe(false);
    };
    await next();
    for (const _ of lines) {
      await next();
      await page.keyboard.press('Space');
      await next();
    }
    await next();
    await next();
    const each = lines.flatMap(({ n, title }) => [String(n), `Terms of ${n}. ${title}`]);
    expect(seen).toEqual(['Tick all 12', ...each, 'no', 'yes']);
    await page.getByRole('checkbox').last().focus();
    await page.keyboard.press('Enter');
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(12);
    expect(on.decided).toEqual([]);
    await page.getByRole('button', { name: /^Approve/ }).focus();
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    expect(on.decided).toEqual([{ yes: true, ticked: lines.map(({ n }) => n) }]);
  });

  test.each([
    [320, 'light'],
    [320, 'dark'],
    [1024, 'dark'],
  ] as const)(
    '%i px wide, %s: 50 lines with long names are read whole, before and after the yes',
    async (width, colorScheme) => {
      const lines = Array.from({ length: 50 }, (_, i) => lineView(i + 1));
      const about = { people: [LONG], count: 1, route: `${LONG} → ${LONG}`, departs: '2026-12-01T08:00:00+03:00' };
      lines[1] = moveLine(2, { title: `Move booking of ${LONG}`, about });
      const { page, desk: on } = await visit(lines, { viewport: { width, height: 700 }, colorScheme });
      await expectReadable(page, width);
      await expectButtons(page, width, /^Decline all$/, /^Approve/);
      const tick = await page.getByRole('checkbox').nth(1).boundingBox();
      expect(tick?.width).toBeGreaterThanOrEqual(24);
      on.run(
        ...lines.map(
          (_, i) => (['done', 'skipped', 'in_doubt', 'needs_person', 'not_begun'] as const)[i % 5] ?? 'done',
        ),
      );
      await page.reload();
      expect(await heading(page)).toBe('Finished: 10 of 50 bookings are done');
      await expectReadable(page, width);
    },
  );
});
