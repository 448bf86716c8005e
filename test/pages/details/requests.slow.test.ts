/** The details page over HTTP: addresses, guesses, forged and foreign forms, sizes, mounts, and what is logged of a request. */
import { request } from 'node:http';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newDetailsId } from '../../../src/details/seal.ts';
import { createMetrics } from '../../../src/metrics/metrics.ts';
import { createTracer } from '../../../src/tracing/tracer.ts';
import { fetchPage, headingOf, type Page, visible } from '../approval/support/page-client.ts';
import { ADULT, detailsDesk, rightCard, visit } from './support/details-desk.ts';

const desk = await detailsDesk();
afterAll(() => desk.close());
const ahead = () => desk.desk;
afterEach(() => {
  ahead().ahead = 0;
});

const address = async (id: string) => (await desk.local.details.address(id)) ?? '';
const openForm = async () => {
  const id = await desk.form([ADULT, ADULT]);
  return { id, url: await address(id), traveller: await visit(await address(id)) };
};
const shown = (page: Page) => [page.status, page.body, { ...page.headers, date: '' }];
const keptOf = async (id: string) => Object.keys((await desk.entered(id)) ?? {});

test('a form that the store cannot take comes back filled in, and is taken when it is sent again', async () => {
  const { id, traveller } = await openForm();
  const { details } = desk.desk.state;
  const { submit } = details;
  Object.assign(details, { submit: () => Promise.reject(new Error('the disk is full')) });
  const refused = await traveller.send(rightCard(1));
  Object.assign(details, { submit });
  expect(refused.status).toBe(503);
  expect(visible(refused)).toContain('This could not be kept now.');
  for (const typed of ['Amal', 'Haddad', 'L898901C3']) expect(refused.body).toContain(`value="${typed}"`);
  expect(desk.desk.failures.splice(0)).toHaveLength(1);
  expect(await keptOf(id)).toEqual([]);
  expect((await traveller.send(rightCard(1))).status).toBe(303);
  expect(await keptOf(id)).toEqual(['0']);
});

describe('an address', () => {
  test('that is used, over, forgotten, guessed or not whole looks like one that never was', async () => {
    const unknown = await fetchPage(await address(newDetailsId()));
    expect([unknown.status, headingOf(unknown)]).toEqual([404, 'There is nothing here']);
    const [used, over] = [await openForm(), await openForm()];
    await used.traveller.send(rightCard(1));
    await used.traveller.send(rightCard(2));
    const kept = await desk.find(used.id);
    await desk.desk.state.details.use(kept?.idHash ?? '', 'operation', 'digest');
    expect(shown(await fetchPage(used.url))).toEqual(shown(unknown));
    // Also for a form that was sent late, and for one of a used address.
    const { origin } = new URL(over.url);
    const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
    const sentNowhere = await fetchPage(await address(newDetailsId()), { method: 'POST', headers, body: 'token=x' });
    expect([sentNowhere.status, headingOf(sentNowhere)]).toEqual([404, 'There is nothing here']);
    expect(sentNowhere.body).toContain('was not kept');
    expect(shown(await used.traveller.send(rightCard(1)))).toEqual(shown(sentNowhere));
    ahead().ahead = 31 * 60_000;
    expect(shown(await fetchPage(over.url))).toEqual(shown(unknown));
    expect(shown(await over.traveller.send(rightCard(1)))).toEqual(shown(sentNowhere));
    ahead().ahead = 0;
    expect(await keptOf(over.id)).toEqual([]);
    for (const path of ['/details/', '/details/x', `${new URL(over.url).pathname}x`, `${new URL(over.url).pathname}/1`])
      expect(shown(await fetchPage(origin + path)), path).toEqual(shown(unknown));
  });

  test('is not used up by being opened, by a browser, a preview or a scanner', async () => {
    const { id, url } = await openForm();
    for (const method of ['GET', 'HEAD', 'GET', 'GET']) expect((await fetchPage(url, { method })).status).toBe(200);
    expect((await fetchPage(url, { method: 'PUT' })).status).toBe(405);
    const traveller = await visit(url);
    expect((await traveller.send({ ...rightCard(1), ...rightCard(2) })).status).toBe(200);
    expect(await keptOf(id)).toEqual(['0', '1']);
  });

  test('replies with the headers that isolate the page, and is kept nowhere', async () => {
    const { url, traveller } = await openForm();
    for (const page of [await fetchPage(url), await traveller.send({}), await fetchPage(await address(newDetailsId()))])
      expect(page.headers).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; .*form-action 'self'; frame-ancestors 'none'/,
        ),
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
  });

  const guess = async (origin: string) => {
    const { status, body } = await fetchPage(`${origin}/details/${newDetailsId()}`);
    return `${status} ${body}`;
  };

  test('is not found by 200 guesses, which all get the same words', async () => {
    const { id, url } = await openForm();
    const replies = await Promise.all(Array.from({ length: 200 }, () => guess(new URL(url).origin)));
    expect(new Set(replies).size).toBe(1);
    expect(await keptOf(id)).toEqual([]);
  });
});

describe('a form', () => {
  let opened: Awaited<ReturnType<typeof openForm>>;
  beforeEach(async () => {
    opened = await openForm();
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['another token', {}, { token: 'forged' }],
    ['no token', {}, { token: '' }],
    ['the origin of another site', { origin: 'https://evil.example' }, {}],
    ['the origin null', { origin: 'null' }, {}],
    ['a browser that says it comes from another site', { 'sec-fetch-site': 'cross-site' }, {}],
    ['a browser that says it comes from the same site', { 'sec-fetch-site': 'same-site' }, {}],
  ])('with %s changes nothing', async (_, headers, fields) => {
    const page = await opened.traveller.send({ ...rightCard(1), ...fields }, { headers });
    expect([page.status, headingOf(page), await keptOf(opened.id)]).toEqual([403, 'Not accepted', []]);
    expect(visible(page)).toContain('This form did not come from the page itself, so nothing of it was kept.');
  });

  test('with the token of another form changes nothing', async () => {
    const other = await openForm();
    const page = await opened.traveller.send({ ...rightCard(1), token: other.traveller.token });
    expect([page.status, await keptOf(opened.id), await keptOf(other.id)]).toEqual([403, [], []]);
  });

  test('without an origin, or to another host, changes nothing', async () => {
    const body = new URLSearchParams({ token: opened.traveller.token, ...rightCard(1) }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await fetchPage(opened.url, { method: 'POST', headers: type, body })).status).toBe(403);
    const headers = { ...type, host: 'evil.example', origin: 'http://evil.example' };
    expect((await fetchPage(opened.url, { method: 'POST', headers, body })).status).toBe(421);
    expect(await keptOf(opened.id)).toEqual([]);
  });

  test('counts once: a second one changes nothing', async () => {
    await opened.traveller.send(rightCard(1));
    const before = await desk.entered(opened.id);
    await opened.traveller.send(rightCard(1, { surname: 'Other' }));
    expect(await desk.entered(opened.id)).toEqual(before);
  });

  test('of 1 MB is refused with the way back to the form, and so is another type', async () => {
    await opened.traveller.send(rightCard(1));
    const before = await desk.entered(opened.id);
    const body = new URLSearchParams({
      token: opened.traveller.token,
      ...rightCard(2),
      'surname-2': 'x'.repeat(1e6),
    }).toString();
    const send = (headers: Record<string, string>, text = body) => opened.traveller.send({}, { headers, body: text });
    const replies = [
      await send({}),
      await send({ 'transfer-encoding': 'chunked' }),
      await send({ 'content-type': 'multipart/form-data; boundary=x' }),
      await send({ 'content-type': 'application/json' }, '{}'),
      await send({ 'content-encoding': 'gzip' }, 'x'),
    ];
    expect(replies.map(({ status }) => status)).toEqual([413, 413, 415, 415, 415]);
    for (const reply of replies) {
      expect(visible(reply)).toContain('nothing of it was kept');
      expect(reply.body).toContain(`href="${new URL(opened.url).pathname}"`);
    }
    expect(await desk.entered(opened.id)).toEqual(before);
    expect((await opened.traveller.send(rightCard(2))).status).toBe(200);
  });

  test('that its sender leaves unfinished is no failure, and changes nothing', async () => {
    const { origin, pathname, port } = new URL(opened.url);
    const left = request({ port, path: pathname, method: 'POST', headers: { origin, 'content-length': 100_000 } });
    left.on('error', () => undefined);
    left.setHeader('content-type', 'application/x-www-form-urlencoded');
    left.write('token=x');
    await new Promise((resolve) => setTimeout(resolve, 50));
    left.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([await keptOf(opened.id), desk.desk.failures]).toEqual([[], []]);
  });

  test('with fields that nobody asked for is read without them', async () => {
    const page = await opened.traveller.send({
      ...rightCard(1),
      ...{ 'surname-3': 'X', 'surname-__proto__': 'X', __proto__: 'X', constructor: 'X', 'action-1': 'list' },
    });
    expect([page.status, await keptOf(opened.id)]).toEqual([303, ['0']]);
    for (const action of ['list', 'fill-1', 'other', '']) {
      const reply = await opened.traveller.send({ action });
      expect([action, [200, 422].includes(reply.status), await keptOf(opened.id)]).toEqual([action, true, ['0']]);
    }
    expect(desk.desk.failures).toEqual([]);
  });
});

describe('on a public address', () => {
  test('is served to whoever has the address, below its path, and the address is never that of a request', async () => {
    const { page, publicUrl, port } = await desk.publicly('/desk');
    const id = await desk.form();
    const url = await page.address(id);
    expect(url).toBe(`${publicUrl}/details/${id}`);
    const traveller = await visit(url ?? '');
    expect(headingOf(traveller.page)).toBe('Passenger details');
    expect(traveller.page.body).not.toContain('Sandbox');
    expect(traveller.page.body).toContain(`action="/desk/details/${id}"`);
    expect((await traveller.send(rightCard(1))).status).toBe(200);
    // Elsewhere there is none.
    expect((await fetchPage(`http://127.0.0.1:${port}/details/${id}`)).status).toBe(404);
    expect((await fetchPage(url ?? '', { headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await fetchPage(url ?? '', { headers: { host: `localhost:${port}` } })).status).toBe(421);
    expect((await fetchPage(url ?? '', { method: 'HEAD' })).status).toBe(200);
    expect(page.open).toBeUndefined();
  });

  test('a form of one instance is taken by another', async () => {
    const [one, other] = [await desk.publicly(), await desk.publicly()];
    const id = await desk.form();
    const traveller = await visit((await one.page.address(id)) ?? '');
    const there = await visit((await other.page.address(id)) ?? '');
    expect((await there.send({ ...rightCard(1), token: traveller.token })).status).toBe(200);
    expect(headingOf(await traveller.look())).toBe('Thank you');
  });

  test('access lines, metrics and traces name the route and never the address', async () => {
    const lines: object[] = [];
    const metrics = createMetrics({ process: false });
    const log = { answered: (line: object) => void lines.push(line), failure() {} };
    const { page, publicUrl } = await desk.publicly('/desk', { log, metrics });
    const id = await desk.form();
    const traveller = await visit((await page.address(id)) ?? '');
    await traveller.send(rightCard(1, { surname: 'Canary' }));
    await fetchPage(`${publicUrl}/details/${newDetailsId()}?said=canary`);
    await expect.poll(() => lines.length).toBe(3);
    expect(lines).toMatchObject([
      { method: 'GET', route: '/details/', status: 200 },
      { method: 'POST', route: '/details/', status: 200 },
      { method: 'GET', route: '/details/', status: 404 },
    ]);
    const { body } = await metrics.text();
    expect(body).toContain('route="/details/"');
    for (const secret of [id, 'canary', 'Canary'])
      for (const text of [JSON.stringify(lines), body]) expect(text).not.toContain(secret);
  });
});

describe('on this machine', () => {
  test('traces name the route and never the address', async () => {
    const spans: unknown[] = [];
    const tracer = createTracer(async () => ({
      start(...about) {
        spans.push(about[0]);
        const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', flags: 1 };
        const mark = (fields: unknown) => void spans.push(fields);
        return { trace: trace as never, mark, fail: mark, link() {}, end() {} };
      },
      close: async () => undefined,
    }));
    const traced = await detailsDesk({ tracer });
    const id = await traced.form();
    const url = (await traced.local.details.address(id)) ?? '';
    expect((await fetchPage(url)).status).toBe(200);
    await fetchPage(url.replace('/details/', '/approve/'));
    await expect.poll(() => JSON.stringify(spans)).toContain('GET /approve/');
    expect(JSON.stringify(spans)).toContain('"http.route":"/details/"');
    expect(JSON.stringify(spans)).not.toContain(id);
    await traced.close();
  });

  test('the browser opens a page once, and only a few a minute', async () => {
    const { details } = desk.local;
    const ids = await Promise.all(Array.from({ length: 7 }, () => desk.form()));
    const opened = desk.browser.opened;
    const first = ids[0] ?? '';
    expect([await details.open?.(first), await details.open?.(first)]).toEqual([true, true]);
    expect(opened).toEqual([await address(first)]);
    for (const id of ids.slice(1)) await details.open?.(id);
    expect(opened).toHaveLength(6);
    expect(await details.open?.(ids.at(-1) ?? '')).toBe(false);
    ahead().ahead = 61_000;
    expect(await details.open?.(ids.at(-1) ?? '')).toBe(true);
    ahead().ahead = 130_000;
    desk.browser.isThere = false;
    expect(await details.open?.(await desk.form())).toBe(false);
    desk.browser.isThere = true;
  });
});
