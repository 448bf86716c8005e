/**
 * The page of a payment lists its tickets and serves their files, to nobody but the visitor of that page.
 */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ClerkError } from '../../../src/errors.ts';
import type { Operation } from '../../../src/journal/operation.ts';
import {
  type TicketFile,
  type TicketFiles,
  type TicketLink,
  ticketsFrom,
} from '../../../src/server/approval-page/ticket-files.ts';
import type { Clerk } from '../../../src/server/clerk.ts';
import { pendingApproval } from '../../support/approvals.ts';
import { pageOf, TICKET, testDesk } from './support/desk-of.ts';
import { enter, fetchPage, headingOf } from './support/page-client.ts';

const PDF = Buffer.from('%PDF-1.7\n\u0000\u00ff');
let links: () => Promise<readonly TicketLink[]>;
let file: (n: number) => Promise<TicketFile | undefined>;
const files: TicketFiles = {
  ticketLinks: () => links(),
  ticketFile: (_approval, operation, n) => {
    expect(operation.state).toBe('succeeded');
    return file(n);
  },
};
const desk = await testDesk();
const page = await pageOf(desk, files);

afterAll(async () => {
  await page.close();
  await desk.close();
});

beforeEach(() => {
  links = async () => [{ label: 'Download (PDF)', number: TICKET }];
  file = async (n) => (n === 0 ? { name: `a"b\r\n${TICKET}.pdf`, bytes: PDF } : undefined);
});

async function paid() {
  const visitor = await enter(page.addressFor(await desk.ask()));
  return { visitor, outcome: await visitor.decide('yes') };
}

test('lists the tickets of a payment, and serves their files from below the page', async () => {
  const { visitor, outcome } = await paid();
  expect(headingOf(outcome)).toBe('Paid SAR 172.50');
  expect(outcome.body).toContain(TICKET);
  const href = /<a class="file" href="([^"]+)">Download \(PDF\)/.exec(outcome.body)?.[1] ?? '';
  expect(href).toBe(`${new URL(visitor.url).pathname}/tickets/1`);
  const served = await fetch(page.origin + href, { headers: { cookie: visitor.cookie } });
  expect(Buffer.from(await served.arrayBuffer())).toEqual(PDF);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="a_b__${TICKET}.pdf"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
});

test('serves a file neither without the cookie, nor with that of another page, nor by a form', async () => {
  const [mine, other] = [await paid(), await paid()];
  const url = `${mine.visitor.url}/tickets/1`;
  expect((await fetchPage(url)).status).toBe(404);
  expect((await fetchPage(url, { headers: { cookie: other.visitor.cookie } })).status).toBe(404);
  const [, id = ''] = /approve\/([\w-]+)/.exec(url) ?? [];
  const { cookie } = mine.visitor;
  expect((await fetchPage(`${page.origin}/approve/${id}/tickets/1`, { headers: { cookie } })).status).toBe(404);
  expect((await fetchPage(url, { headers: { cookie, host: 'evil.example' } })).status).toBe(421);
  const posted = await fetchPage(url, { method: 'POST', headers: { cookie, origin: page.origin } });
  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET']);
});

test('says that a ticket cannot be downloaded if there is no such file, or it cannot be had', async () => {
  const { visitor } = await paid();
  const { cookie } = visitor;
  const get = (n: string) => fetchPage(`${visitor.url}/tickets/${n}`, { headers: { cookie } });
  expect(headingOf(await get('2'))).toBe('This ticket cannot be downloaded now');
  for (const n of ['0', '-1', '1000', 'x', '1/2']) expect((await get(n)).status).toBe(404);
  file = () => Promise.reject(new Error('the airline is down'));
  expect((await get('1')).status).toBe(500);
  expect(desk.failures.splice(0)).toHaveLength(1);
});

test('serves no file before the yes', async () => {
  const visitor = await enter(page.addressFor(await desk.ask()));
  const early = await fetchPage(`${visitor.url}/tickets/1`, { headers: { cookie: visitor.cookie } });
  expect(headingOf(early)).toBe('This ticket cannot be downloaded now');
});

test('shows the numbers, and where to ask, if the links cannot be made', async () => {
  links = () => Promise.reject(new Error('down'));
  const { outcome } = await paid();
  expect(outcome.status).toBe(200);
  expect(outcome.body).toContain(TICKET);
  expect(outcome.body).toContain('cannot be downloaded here now');
  expect(desk.failures.splice(0)).toHaveLength(1);
});

test('links to another address of the server where one is given, also for tickets that it does not know', async () => {
  links = async () => [{ label: 'All tickets', href: 'https://desk.example/tickets/x?k=1&l=2' }];
  const { outcome } = await paid();
  expect(outcome.body).toContain(
    '<li><a class="file" href="https://desk.example/tickets/x?k=1&amp;l=2">All tickets</a></li>',
  );
});

test('shows no words of programs with an outcome', async () => {
  const { outcome } = await paid();
  expect(outcome.body.replace(/<style>[\s\S]*<\/style>/, '')).not.toMatch(/pay_booking|approval_id|operation|terms/i);
});

test('takes the files from the clerk of the one who asked, and offers none without get_tickets', async () => {
  const asked: unknown[] = [];
  let fails: Error | undefined;
  const clerk = (tools: readonly string[]) =>
    ticketsFrom((asker) => {
      asked.push(asker);
      const ticket = async (name: object) => {
        if (fails) throw fails;
        return Buffer.from(JSON.stringify(name));
      };
      return { tools: tools.map((name) => ({ name })), ticket } as unknown as Clerk;
    });
  const coupons = [{ name: '1', flight: 'HHR101' }, { name: '2' }];
  const after = { tickets: [{ number: '900', rides: [], coupons }], changes: [] };
  const approval = pendingApproval({ tenant: 't', caller: 'os:ann', after });
  const operation = { locator: 'ABC123' } as Operation;
  expect(await clerk([]).ticketLinks(approval, operation)).toEqual([]);
  const fromClerk = clerk(['get_tickets']);
  expect(await fromClerk.ticketLinks(approval, operation)).toEqual([
    { number: '900', label: 'Download HHR101 (PDF)' },
    { number: '900', label: 'Download ticket (PDF)' },
  ]);
  const second = await fromClerk.ticketFile(approval, operation, 1);
  expect(second?.name).toBe('ABC123-900-2.pdf');
  expect(JSON.parse(String(second?.bytes))).toEqual({ locator: 'ABC123', number: '900', coupon: '2' });
  expect(await fromClerk.ticketFile(approval, operation, 2)).toBeUndefined();
  expect(new Set(asked.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"tenant":"t","id":"os:ann"}']));
  fails = new ClerkError('E_AIRLINE_DOWN', 'Down.', { next: 'Wait.' });
  expect(await fromClerk.ticketFile(approval, operation, 0)).toBeUndefined();
  fails = new TypeError('ours');
  await expect(fromClerk.ticketFile(approval, operation, 0)).rejects.toThrow('ours');
});
