/**
 * The approval page in a real browser: what a person sees, presses and gets, and what another page cannot do.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../e2e/clients.ts';
import { ok, sellable } from '../e2e/trip.ts';
import { pageOf, type TestDesk, TICKET, testDesk } from '../pages/approval/support/desk-of.ts';
import { SAR } from '../store/support/new-operation.ts';
import { CONTACT, passengerNamed } from '../support/people.ts';
import { expectAccessible, expectNoViolation } from './accessibility.ts';
import { browserTabs, expectButtons, expectReadable, expectSeenBeforeYes, heading, press, SCREENS } from './tabs.ts';

const QUESTION = 'Pay SAR 172.50';
const YES = 'Pay SAR 172.50';
const NO = 'No, do not pay';

type Approval = Awaited<ReturnType<TestDesk['ask']>>;

/** As a question tells what the airline changed. */
const CHANGED =
  'Changed since Sat 28 Nov: train 101 Madinah (MED) → Jeddah (JED) on Tue 1 Dec departs 08:45, was 08:00';

const SECTIONS: NonNullable<TestDesk['world']['sections']> = [
  { kind: 'act', lines: ['Pay SAR 172.50 for booking ABC123.'], below: ['for booking ABC123.'] },
  { kind: 'caution', lines: ['It may be paid already.', CHANGED] },
  {
    kind: 'trip',
    lines: ['Train HHR101: Madinah (MED) → Jeddah (JED), Tue 1 Dec 08:00-10:10 (UTC+3), class Y'],
    drawn: [
      {
        ...{ kind: 'ride', name: 'Train HHR101', from: 'Madinah (MED)', to: 'Jeddah (JED)', more: ', class Y' },
        ...{ departs: '2026-12-01T08:00:00+03:00', arrives: '2026-12-01T10:10:00+03:00' },
      },
    ],
  },
  { kind: 'people', lines: ['Passenger 1: “Amal Haddad”, adult', 'Passenger 2: “Badr Haddad”, child'] },
  { kind: 'refund', lines: ['SAR 86.25 back until Mon 30 Nov 08:00 (UTC+3).'] },
  { kind: 'computed', lines: ['The airline keeps SAR 86.25.'] },
];

const { complaints, tab } = browserTabs();
let desk: TestDesk;
let served: Awaited<ReturnType<typeof pageOf>>;

beforeEach(async () => {
  desk = await testDesk();
  served = await pageOf(desk);
});

afterEach(async () => {
  await served.close();
  await desk.close();
});

async function visit(approval: Approval, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await tab(options);
  await page.goto(served.addressFor(approval));
  return page;
}

const decisionOf = async ({ operationId }: Approval) => (await desk.state.approvals.byOperation(operationId))?.decision;

describe('what a person does', () => {
  test('carries out a yes, shows the outcome, and shows the secret nowhere', async () => {
    const approval = await desk.ask();
    const page = await visit(approval);
    const clean = page.url();
    expect(clean).toMatch(new RegExp(`^${served.origin}/approve/${approval.operationId}/[\\w-]{43}$`));
    expect(await heading(page)).toBe(QUESTION);
    expect(await page.evaluate<string>('document.referrer')).toBe('');
    await press(page, YES);
    expect([page.url(), await heading(page)]).toEqual([clean, 'Paid SAR 172.50']);
    await page.getByText(`Ticket ${TICKET}`).waitFor();
    expect(desk.world.sent).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('the page works by keyboard: nothing has the focus, "no" comes first, the focus is visible', async () => {
    const page = await visit(await desk.ask());
    const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('BODY');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    expect(await heading(page)).toBe(QUESTION);
    await page.keyboard.press('Tab');
    expect(await focused()).toBe(NO);
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).toBe('solid');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe(YES);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Paid SAR 172.50' }).waitFor();
    expect(desk.world.sent).toBe(1);
  });
});

describe('what a person sees', () => {
  test.each(SCREENS)(
    'the people, who asks and the time left stand above the buttons, and the act is said once: $viewport.width px, $colorScheme',
    async (screen) => {
      const about = {
        ...{ people: ['Amal Haddad', 'Badr Haddad'], count: 2, route: 'Madinah → Jeddah', agency: 'Blue Travel' },
        ...{ departs: '2026-12-01T08:00:00+03:00', airline: 'HHR, api.airline.example' },
      };
      const words = 'Cancel every train of booking ABC123 for all its passengers. This cannot be undone.';
      desk.world.sections = [{ kind: 'act', lines: [words], below: ['For all its passengers.'] }, ...SECTIONS.slice(1)];
      desk.world.nature = 'cancellation';
      const between = { atLeast: SAR(123_456_700), atMost: SAR(123_456_750) };
      desk.world.act = {
        verb: 'Cancel',
        object: 'every train',
        preposition: 'of',
        booking: 'ABC123',
        sum: { moves: 'back', between },
      };
      const asked = await desk.ask();
      const client = { name: 'An assistant with quite a long name for a phone', version: '10.4.2' };
      const { approvals } = desk.state;
      const byOperation = approvals.byOperation.bind(approvals);
      approvals.byOperation = async (id) => {
        const found = await byOperation(id);
        return found && { ...found, about, client };
      };
      const page = await visit(asked, screen);
      await expectSeenBeforeYes(page, [
        page.getByText('Amal Haddad and Badr Haddad'),
        page.getByText('Madinah → Jeddah, Tue 1 Dec'),
        page.getByText('Asked by “An assistant with'),
        page.getByText('9 minutes left'),
      ]);
      await expectReadable(page, screen.viewport.width);
      await expectAccessible(page);
      const said = (await page.getByRole('main').textContent()) ?? '';
      expect(said.match(/cannot be undone/gi)).toHaveLength(1);
      expect(said.match(/every train/g)).toHaveLength(1);
      expect(said).toContain('For all its passengers.');
    },
  );

  test('a screen reader has landmarks, one heading, named lists, a marked caution and the named buttons', async () => {
    desk.world.sections = SECTIONS;
    const page = await visit(await desk.ask());
    expect(await page.title()).toBe(`${QUESTION} – fareclerk`);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    for (const role of ['banner', 'main', 'contentinfo'] as const) expect(await page.getByRole(role).count()).toBe(1);
    const listed = (name: string) => page.getByRole('list', { name }).getByRole('listitem').allTextContents();
    expect(await listed('Trip')).toEqual(SECTIONS[2]?.lines);
    expect(await listed('Passengers')).toEqual(SECTIONS[3]?.lines);
    const caution = await page.getByRole('note', { name: 'Read this first' }).textContent();
    for (const line of ['It may be paid already.', CHANGED]) expect(caution).toContain(line);
    expect(await page.getByRole('region', { name: 'What comes back' }).textContent()).toContain('SAR 86.25 back');
    const rule = page.getByText('The airline keeps SAR 86.25.');
    expect(await rule.isVisible()).toBe(false);
    await page.getByText('How this was computed').click();
    expect(await rule.isVisible()).toBe(true);
    const buttons = page.getByRole('form', { name: 'Your answer' }).getByRole('button');
    expect(await buttons.allTextContents()).toEqual([NO, YES]);
    await expectAccessible(page);
  });

  test.each([
    [320, 'light', 'payment'],
    [375, 'dark', 'cancellation'],
    [1024, 'dark', 'change'],
  ] as const)(
    '%i px wide, %s, a %s: nothing is cut off, and all of it can be read',
    async (width, colorScheme, nature) => {
      desk.world.sections = [...SECTIONS, { kind: 'note', lines: [`Rule: ${'Nonrefundable'.repeat(12)}`] }];
      desk.world.nature = nature;
      const object = '2 passengers and refund SAR 1,234,567.50 of the fare';
      desk.world.act = { verb: 'Cancel', object, sum: { moves: 'paid', exactly: SAR(17_250) } };
      const page = await visit(await desk.ask(), { viewport: { width, height: 700 }, colorScheme });
      const yes = /^Yes, cancel for SAR 172.50/;
      await expectButtons(page, width, /^No, /, yes);
      // One line.
      expect((await page.getByRole('button', { name: yes }).boundingBox())?.height).toBeLessThan(60);
      await expectReadable(page, width);
      desk.world.sections = [{ kind: 'act', lines: ['Something else'] }];
      await press(page, yes);
      expect(await heading(page)).toContain('changed');
      await expectReadable(page, width);
    },
  );

  test('draws a train as a row of a timetable, names the old and the new name, and says times by the own clock', async () => {
    const line = 'Passenger 1 (adult): was “Laila Haddad”, now “Layla Haddad”';
    desk.world.sections = [...SECTIONS.slice(0, 3), { kind: 'people', lines: [line] }];
    const approval = await desk.ask();
    const page = await visit(approval, { timezoneId: 'Asia/Kolkata', viewport: { width: 360, height: 800 } });
    const at = async (words: string) =>
      (await page.getByText(words, { exact: true }).boundingBox()) ?? { x: -1, y: -1 };
    const [left, there, from, to] = [
      await at('08:00'),
      await at('10:10'),
      await at('Madinah (MED)'),
      await at('Jeddah (JED)'),
    ];
    expect([left.y, from.y]).toEqual([there.y, to.y]);
    expect([left.x, there.x]).toEqual([from.x, to.x]);
    expect(from.y).toBeGreaterThan(left.y);
    expect(await page.getByRole('list', { name: 'Passengers' }).getByRole('listitem').textContent()).toBe(line);
    // One clock: the stations'.
    await page.getByText('9 minutes left', { exact: true }).waitFor();
    expect(await page.getByText('answer by').isVisible()).toBe(false);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  test.each(SCREENS)(
    'something changed: a list says what, and only what binds: $viewport.width px, $colorScheme',
    async (screen) => {
      const trip = (times: string) => `Train HHR101: Madinah → Jeddah, Tue 1 Dec ${times} (UTC+3)`;
      desk.world.sections = [
        // A caution less needs no new yes.
        { kind: 'caution', lines: ['Passenger 2: “حسن Haddad” has no name on a ticket.'] },
        { kind: 'note', lines: ['The tickets go to حسن Haddad.'] },
        { kind: 'trip', lines: [trip('08:00-10:10')] },
      ];
      const page = await visit(await desk.ask(), screen);
      desk.world.sections = [
        { kind: 'caution', lines: ['It may be paid already: ask Madinah → Jeddah first.'] },
        { kind: 'trip', lines: [trip('08:00-10:11')] },
      ];
      await press(page, YES);
      const list = page.getByRole('list', { name: 'What changed' });
      expect(await list.getByRole('listitem').allTextContents()).toEqual([
        'Now: It may be paid already: ask Madinah → Jeddah first.',
        'No longer: The tickets go to حسن Haddad.',
      ]);
      await page.getByText("The earlier terms were approved, so we didn't go ahead.").waitFor();
      await expectReadable(page, screen.viewport.width);
      await expectNoViolation(page);
    },
  );

  test('prints what is asked, and neither buttons nor the time left', async () => {
    desk.world.sections = SECTIONS;
    const page = await visit(await desk.ask());
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Passenger 1').isVisible()).toBe(true);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByText('minutes left').isVisible()).toBe(false);
  });

  test('shows markup in the terms as text that loads and runs nothing', async () => {
    const texts = [
      '<script>alert(1)</script>',
      '<img src="http://evil.example/x" onerror="alert(2)">',
      '</li></ul></main><form action="http://evil.example"><button>Pay</button></form>',
      '<style>button{display:none}</style><base href="http://evil.example">',
      '"><svg/onload=alert(3)>',
      '&lt;b&gt; &#x27;',
      '{{7*7}} <!--',
    ];
    desk.world.sections = (['trip', 'people', 'note'] as const).map((kind) => ({ kind, lines: texts }));
    desk.world.act = { verb: '<b>Pay</b> "1"' };
    const approval = await desk.ask();
    const page = await tab();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).origin));
    await page.goto(served.addressFor(approval));
    expect(await page.getByRole('listitem').allTextContents()).toEqual([...texts, ...texts, ...texts]);
    expect(await page.getByRole('button').allTextContents()).toEqual([NO, '<b>Pay</b> "1"']);
    expect(await page.locator('form').getAttribute('action')).toBe(new URL(page.url()).pathname);
    expect(new Set(requests)).toEqual(new Set([served.origin]));
    expect(complaints).toEqual([]);
  });
});

describe('what another page cannot do', () => {
  let elsewhere: Server;
  let port: number;
  /** What the other server serves. */
  let theirs: string;

  beforeEach(async () => {
    elsewhere = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(theirs);
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, resolve));
    port = (elsewhere.address() as AddressInfo).port;
  });

  afterEach(async () => {
    elsewhere.closeAllConnections();
    await new Promise((resolve) => elsewhere.close(resolve));
  });

  /** A form that sends itself, to the page's own address and with the token, if they have them. */
  function form(address: string, token: string): string {
    return `<form method="post" action="${address}"><input name="token" value="${token}">
      <input name="decision" value="yes"></form><script>document.forms[0].submit()</script>`;
  }

  test.each([
    ['another site (the cookie stays behind)', 'localhost', 404],
    ['another port of this host (the cookie goes along)', '127.0.0.1', 403],
  ])('%s cannot send the form, not even with the token', async (_, host, status) => {
    const approval = await desk.ask();
    const page = await visit(approval);
    const token = (await page.locator('input[name=token]').getAttribute('value')) ?? '';
    theirs = form(page.url(), token);
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.goto(`http://${host}:${port}/`);
    expect((await answered).status()).toBe(status);
    expect([desk.world.sent, await decisionOf(approval)]).toEqual([0, 'pending']);
  });

  test('a client that runs as a web page can open the address by a link', async () => {
    const approval = await desk.ask();
    theirs = `<a href="${served.addressFor(approval)}">decide</a>`;
    const page = await tab();
    await page.goto(`http://localhost:${port}/`);
    await page.getByRole('link').click();
    await page.getByRole('heading', { name: QUESTION }).waitFor();
    expect(page.url()).toMatch(new RegExp(`^${served.origin}/approve/${approval.operationId}/[\\w-]{43}$`));
    await press(page, YES);
    expect(await heading(page)).toBe('Paid SAR 172.50');
  });
});

describe('from the host to the airline and back', () => {
  test('the server opens $BROWSER, the person says yes, and the waiting call gets the outcome', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fareclerk-page-'));
    const [opener, noted] = [join(folder, 'browser'), join(folder, 'address')];
    writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > '${noted}.part' && mv '${noted}.part' '${noted}'\n`);
    chmodSync(opener, 0o755);
    const client = await connect('v2-2026', { env: { FARECLERK_STATE_DIR: folder, BROWSER: opener } });
    try {
      const { from, to, out } = await sellable(client);
      const search = { legs: [{ from, to, date: out }], passengers: { adults: 1 }, max_results: 1 };
      const { offers } = (await ok(client, 'search_fares', search)).structuredContent;
      const made = await ok(client, 'create_booking', {
        offer_ids: offers[0].offer_id,
        contact: CONTACT,
        passengers: [passengerNamed('Amal', 'Haddad', 'P100001')],
      });
      const payment = { locator: made.structuredContent.booking.locator, payment: { type: 'invoice' } };
      const asked = await ok(client, 'pay_booking', payment);
      const { status, approval } = asked.structuredContent;
      expect([status, approval.url]).toEqual(['approval_required', undefined]);
      await expect.poll(() => existsSync(noted)).toBe(true);
      const address = readFileSync(noted, 'utf8');
      const page = await tab();
      await page.goto(address);
      for (const term of approval.terms) expect(await page.locator('main').textContent()).toContain(term);
      const told = client.call('pay_booking', { ...payment, approval_id: approval.id });
      await press(page, /^Pay SAR/);
      expect(await heading(page)).toMatch(/^Paid SAR/);
      await expectNoViolation(page);
      const result = await told;
      expect(result.structuredContent.tickets).toHaveLength(1);
      const secret = new URL(address).searchParams.get('k') ?? '';
      expect(secret).toHaveLength(43);
      expect(JSON.stringify([asked, result])).not.toContain(secret);
    } finally {
      await client.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
