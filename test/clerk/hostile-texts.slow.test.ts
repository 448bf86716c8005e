/**
 * No text of any length holds the server up: every entry of the program gets 100,000 hostile characters, and as many as it just takes.
 * `HOSTILE=all npx vitest run test/clerk/hostile-texts.slow.test.ts` plays every kind at every entry.
 */
import { afterAll, describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../src/clerk/schemas.ts';
import * as cleaning from '../../src/core/clean-text.ts';
import { callBody, goodHeaders, LIST, message, messageIn, raw } from '../http/support/raw.ts';
import { serve, UNLIMITED } from '../http/support/serve.ts';
import { enter, fetchPage, tokenOf } from '../pages/approval/support/page-client.ts';
import { lineView, planOf, planOnPage } from '../pages/approval/support/plan-on-page.ts';
import { openPublicDesk } from '../pages/approval/support/public-desk.ts';
import { ADULT, detailsDesk, mistakesIn, rightCard, visit } from '../pages/details/support/details-desk.ts';
import { hostile, LONG, slowEntries } from '../support/hostile.ts';
import { CALLER, openDesk } from './calls/desk.ts';

const desk = await openDesk({ environment: 'sandbox', sql: true });
const details = await detailsDesk();
const served = await serve({ limits: UNLIMITED });
const deskServed = await serve(
  { limits: UNLIMITED, caller: CALLER },
  { clerk: desk.clerk, close: async () => undefined },
);
afterAll(async () => {
  await served.close();
  await deskServed.close();
  await details.close();
  await desk.close();
});

/** The places of a schema that take a text, `passengers.0.surname`; lists and objects take JSON text. */
function textPlaces(schema: JsonSchema, at = ''): readonly string[] {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    textPlaces(field, at === '' ? name : `${at}.${name}`),
  );
  const items = schema.items === undefined ? [] : textPlaces(schema.items, `${at}.0`);
  return at === '' ? inner : [at, ...inner, ...items];
}

/** Arguments with one value at a place. */
function argumentsWith(place: string, value: unknown): unknown {
  return place.split('.').reduceRight<unknown>((inner, key) => (key === '0' ? [inner] : { [key]: inner }), value);
}

describe('a call of a tool', () => {
  const places = desk.clerk.tools.flatMap((tool) =>
    textPlaces(desk.clerk.options.schemas.input(tool)).map((place) => `${tool.name} ${place}`),
  );
  const send = (entry: string, text: string) => {
    const [tool = '', place = ''] = entry.split(' ');
    return desk.call(tool, argumentsWith(place, text) as object);
  };

  test('any text of any argument', async () => {
    expect(places.length).toBeGreaterThan(150);
    expect(await slowEntries(places, send)).toEqual([]);
    expect(await slowEntries(places, send, 4_000)).toEqual([]);
  });

  test('arguments that are a text, names of fields and tools, lists of texts, steps of a plan, and what nests', async () => {
    const list = (text: string) => Array(60).fill(text.slice(0, 4_000));
    const entries: Readonly<Record<string, (text: string) => unknown>> = {
      'the arguments': (text) => desk.call('read_booking', text as never),
      'JSON text': (text) => desk.call('read_booking', JSON.stringify({ locator: text }) as never),
      'JSON text that is none': (text) => desk.call('create_booking', { passengers: `[${text}` }),
      'a name': (text) => desk.call('read_booking', { [text]: 1 }),
      'a name inside': (text) => desk.call('create_booking', { contact: { [text]: 1 } }),
      'a tool': (text) => desk.call(text, {}),
      'sixty texts': (text) => desk.call('cancel_segment', { locator: 'ABC123', segment_refs: list(text) }),
      'texts of a list in one': (text) => desk.call('cancel_segment', { segment_refs: text.slice(0, 4_000) }),
      'a step': (text) =>
        desk.call('propose_plan', { steps: [{ tool: text, arguments: { locator: text, [text]: text } }] }),
    };
    const play = (entry: string, text: string) => entries[entry]?.(text);
    expect(await slowEntries(Object.keys(entries), play)).toEqual([]);
    expect(await slowEntries(Object.keys(entries), play, 4_000)).toEqual([]);
  });

  test.each([
    ['a text', { locator: 'A'.repeat(4_001) }, 'locator: is too long: at most 4000 characters are read.'],
    ['card digits', { locator: '1-'.repeat(120_000) }, 'locator: is too long: at most 4000 characters are read.'],
    ['a name', { ['a'.repeat(101)]: 1 }, 'a field name: is too long: at most 100 characters are read.'],
    [
      'all texts',
      { a: Array(70).fill('b'.repeat(4_000)) },
      'arguments: is too long: at most 262144 characters are read.',
    ],
    ['JSON text', { a: `{"b":"${'c'.repeat(4_001)}"}` }, 'a.b: is too long: at most 4000 characters are read.'],
    ['levels', { a: `${'['.repeat(40)}${']'.repeat(40)}` }, 'a: nests too deep: at most 32 levels are read.'],
  ])('%s over the limit is refused with its field and the limit', async (_, args, words) => {
    const { structured } = await desk.result('read_booking', args);
    expect(structured.error).toMatchObject({ code: 'E_INPUT', message: `${words} Nothing was sent.`, effect: 'none' });
  });

  test('what nests deeper than any call is refused before anything walks through it', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
    const { structured } = await desk.result('read_booking', deep);
    expect(structured.error).toMatchObject({ code: 'E_INPUT', message: expect.stringContaining('nests too deep') });
  });
});

describe('MCP', () => {
  const ask = async (method: string, params: object) => {
    const { body } = await raw(deskServed.port, {
      headers: goodHeaders(deskServed.port),
      body: message(method, params),
    });
    return messageIn(body) as { readonly result?: never; readonly error?: { readonly message: string } };
  };
  const addresses = ['tickets/X/1/1', 'tickets/A/X/1', 'tickets/A/1/X'];
  const ledger = ['ledger/X/2026-12-01/select 1', 'ledger/2026-12-01/X/select 1', 'ledger/2026-12-01/2026-12-02/X'];
  const endings = ['ledger/2026-12-01/2026-12-02/select 1;X', 'ledger/2026-12-01/2026-12-02/select 1;--X'];
  const read = (address: string, text: string) =>
    ask('resources/read', { uri: `fareclerk://${address.replace('X', () => text)}` });
  const encoded = (address: string, text: string) => read(address, encodeURIComponent(text));

  test('any address of a resource or a view', async () => {
    const all = [...addresses, ...ledger, ...endings];
    expect(await slowEntries(all, read)).toEqual([]);
    expect(await slowEntries(all, read, 11_900)).toEqual([]);
    expect(await slowEntries(all, encoded, 1_900)).toEqual([]);
    const view = (scheme: string, text: string) => ask('resources/read', { uri: `${scheme}${text}` });
    expect(await slowEntries(['ui://'], view)).toEqual([]);
    expect((await read('tickets/X/1/1', hostile('letters'))).error?.message).toContain(
      'uri: is too long: at most 12200 characters are read. Nothing was sent.',
    );
  });

  test('any argument of a prompt', async () => {
    const listed = (await ask('prompts/list', {})).result as unknown as {
      readonly prompts: readonly { readonly name: string; readonly arguments: readonly { readonly name: string }[] }[];
    };
    const prompts = listed.prompts.flatMap((prompt) => prompt.arguments.map(({ name }) => `${prompt.name} ${name}`));
    expect(prompts.length).toBeGreaterThan(10);
    const get = (entry: string, text: string) => {
      const [name = '', argument = ''] = entry.split(' ');
      const all = listed.prompts.find((prompt) => prompt.name === name)?.arguments ?? [];
      const others = Object.fromEntries(all.map((each) => [each.name, 'x']));
      return ask('prompts/get', { name, arguments: { ...others, [argument]: text } });
    };
    expect(await slowEntries(prompts, get)).toEqual([]);
    expect(await slowEntries(prompts, get, 4_000)).toEqual([]);
    const named = (_: string, text: string) => ask('prompts/get', { name: text, arguments: { [text]: text } });
    expect(await slowEntries(['name'], named, 60_000)).toEqual([]);
  });

  test('any text of a message over HTTP: methods, names, state, how a client names itself', async () => {
    const { port } = served;
    const post = (body: string) => raw(port, { headers: goodHeaders(port), body });
    const meta = (more: object) => ({ _meta: more });
    const bodies: Readonly<Record<string, (text: string) => string>> = {
      method: (text) => message(text),
      tool: (text) => callBody(text),
      argument: (text) => callBody('who_am_i', { word: text }),
      state: (text) => message('tools/call', { name: 'who_am_i', arguments: {}, requestState: text }),
      client: (text) =>
        message('initialize', {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: text, version: text },
        }),
      trace: (text) => message('tools/call', { name: 'who_am_i', arguments: {}, ...meta({ traceparent: text }) }),
      'no JSON': (text) => text,
      'a text of JSON': (text) => `{"jsonrpc":"2.0","id":1,"method":"${text.replace(/[\n"]/g, '')}`,
    };
    const play = (entry: string, text: string) => post(bodies[entry]?.(text) ?? '');
    expect(await slowEntries(Object.keys(bodies), play)).toEqual([]);
    const reply = await post(callBody('who_am_i', { word: 'a'.repeat(4_001) }));
    expect(JSON.stringify(messageIn(reply.body))).toContain('word: is too long: at most 4000 characters are read.');
  });
});

describe('HTTP', () => {
  const { port } = served;
  const visible = (text: string) => encodeURI(text).replaceAll('%', '~').slice(0, text.length);

  test('any header, and any query', async () => {
    const names = ['authorization', 'cookie', 'origin', 'host', 'content-type', 'accept', 'traceparent', 'tracestate'];
    const more = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id', 'forwarded', 'x-forwarded-for'];
    const send = (name: string, text: string) => {
      const others = goodHeaders(port).filter(([header]) => header !== name);
      return raw(port, { headers: [...others, [name, visible(text)]], body: LIST });
    };
    const all = [...names, ...more, 'user-agent', 'content-encoding', 'content-length'];
    expect(await slowEntries(all, send)).toEqual([]);
    expect(await slowEntries(all, send, 7_000)).toEqual([]);
    expect((await send('cookie', 'a'.repeat(LONG))).status).toBe(431);
    const paths = ['/mcp?X', '/X', '/approve/X', '/details/X', '/healthz?X=1', '/tickets/X'];
    const get = (path: string, text: string) =>
      raw(port, { method: 'GET', path: path.replace('X', visible(text)), headers: goodHeaders(port) });
    expect(await slowEntries(paths, get)).toEqual([]);
    expect(await slowEntries(paths, get, 7_000)).toEqual([]);
  });
});

describe('the approval page', async () => {
  const at = await openPublicDesk();
  const ann = at.person('ann');
  const asked = await at.ask();
  const inbox = `${at.publicUrl}/approve/`;
  const [page] = [await ann.open(at.address(asked)), await ann.open(inbox)];
  const plan = await planOnPage(planOf(Array.from({ length: 50 }, (_, i) => lineView(i + 1))));
  const local = await enter(plan.page.addressFor(plan.approval));
  afterAll(async () => {
    await at.close();
    await plan.page.close();
  });

  type Pages = Readonly<Record<string, { readonly url: string; readonly cookie: string; readonly token: string }>>;
  const pages: Pages = {
    'signed in': { url: page.url.href, cookie: ann.cookies(page.url), token: tokenOf(page) },
    'a plan on this machine': local,
  };
  const post = (on: string, body: string, more: object = {}) => {
    const { url, cookie } = pages[on] ?? local;
    const { origin } = new URL(url);
    const headers = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded', ...more };
    return fetchPage(url, { method: 'POST', headers, body });
  };
  /** Of a form of at most 4,096 bytes, and of one that is much longer. */
  const LENGTHS = [LONG, 3_900, 1_200];

  test.each(Object.keys(pages))('any field of its form: %s', async (on) => {
    const { token = '' } = pages[on] ?? {};
    const fields = ['token', 'decision', 'line', 'other', 'a name'];
    const send = (field: string, text: string) => {
      const good = { token, decision: 'look', ...(on === 'signed in' ? {} : { line: '1' }) };
      return post(on, new URLSearchParams({ ...good, [field === 'a name' ? text : field]: text }).toString());
    };
    for (const length of LENGTHS) expect(await slowEntries(fields, send, length)).toEqual([]);
    const many = (pair: string) =>
      post(on, `token=${token}&decision=look&${pair.repeat(Math.floor(3_900 / pair.length))}`);
    expect(await slowEntries(['line=1&', 'line=&', '&', '=&', 'a=%&', '%'], (pair) => many(pair))).toEqual([]);
    expect((await post(on, `token=${'a'.repeat(LONG)}`)).status).toBe(413);
    expect((await send('token', hostile('letters', 1_200))).status).toBeGreaterThanOrEqual(400);
    expect([await at.desk.decisionOf(asked), plan.decided]).toEqual(['pending', []]);
  });

  const shown = (text: string) => encodeURIComponent(text);
  test('any query of the page, of the inbox and of the end of a sign-in', async () => {
    const queries = [
      '',
      'refresh',
      'of',
      'page',
      'as',
      'k',
      'line',
      'code',
      'state',
      'iss',
      'error',
      'error_description',
    ];
    const callback = `${at.publicUrl}/approve/signed-in`;
    for (const address of [page.url.href, inbox, callback, local.url]) {
      const cookie = address === local.url ? local.cookie : ann.cookies(new URL(address));
      const get = (name: string, text: string) =>
        fetchPage(`${address}?${name === '' ? '' : `${name}=`}${shown(text)}`, { headers: { cookie } });
      expect(await slowEntries(queries, get)).toEqual([]);
      expect(await slowEntries(queries, get, 1_300)).toEqual([]);
    }
  });

  test('any cookie of a sign-in or a session', async () => {
    const names = [...ann.cookies(page.url).split('; '), ...ann.cookies(new URL(inbox)).split('; ')].map(
      (cookie) => cookie.split('=')[0] ?? '',
    );
    expect(names).toContainEqual(expect.stringContaining('session'));
    const visible = (text: string) => shown(text).replaceAll('%', '~');
    for (const address of [page.url.href, inbox, `${at.publicUrl}/approve/signed-in?state=x&code=y`]) {
      const send = (name: string, text: string) =>
        fetchPage(address, { headers: { cookie: `${name}=${visible(text).slice(0, text.length)}` } });
      const all = [...new Set([...names, 'fareclerk_login0', ''])];
      expect(await slowEntries(all, send, 12_000)).toEqual([]);
      const many = (name: string) =>
        fetchPage(address, { headers: { cookie: `${name}=a.b.c; `.repeat(Math.floor(12_000 / (name.length + 8))) } });
      expect(await slowEntries(all, (name) => many(name))).toEqual([]);
    }
  });
});

describe('the details page', async () => {
  const open = async () =>
    visit(
      (await details.local.details.address(await details.form([ADULT, ADULT], { tenant: crypto.randomUUID() }))) ?? '',
    );
  const page = await open();
  const fields = Object.keys(rightCard(1));
  const own = ['list', 'other'];

  test('any field of the form', async () => {
    const send = (name: string, text: string) => page.send({ ...rightCard(2), [name]: text });
    expect(await slowEntries([...fields, ...own], send)).toEqual([]);
    const many = (name: string) => page.send({}, { body: `token=${page.token}&${name.repeat(300_000)}` });
    expect(await slowEntries(['a&', '&', 'a=&'], (name) => many(name))).toEqual([]);
    expect((await many('a&')).status).toBe(413);
  });

  test('a field that is too long comes back cut, the others of its card as they were, and the other card is kept', async () => {
    const id = await details.form([ADULT, ADULT], { tenant: crypto.randomUUID() });
    const traveller = await visit((await details.local.details.address(id)) ?? '');
    const { status, body } = await traveller.send({
      ...rightCard(1),
      ...rightCard(2, { surname: 'Sabah' }),
      'document_number-1': `P${'<'.repeat(80_000)}X`,
      'given_name-1': 'a'.repeat(81),
    });
    expect(status).toBe(422);
    const words = 'characters. Enter it again.';
    expect(mistakesIn({ body } as never)).toEqual([
      `given_name-1: This field holds at most 80 ${words}`,
      `document_number-1: This field holds at most 40 ${words}`,
    ]);
    expect(body).toMatch(/name="surname-1" value="Haddad"/);
    expect(body).toMatch(/name="given_name-1" value="a{1,81}"/);
    expect(body).not.toContain('&lt;'.repeat(42));
    expect(await details.entered(id)).toMatchObject({ 1: { surname: 'Sabah' } });
  });
});

describe('what the airline sends', () => {
  const { cleanText, plainText, quoted, airlineWords, cleanCode, cleanName, visibleText, asciiDigits, normalized } =
    cleaning;
  const readers: Readonly<Record<string, (text: string) => unknown>> = {
    ...{ cleanText, plainText, quoted, airlineWords, cleanCode, cleanName, visibleText, asciiDigits },
    normalized: (text) => normalized(text, 'NFKD'),
  };

  test('any text that is shown', async () => {
    expect(await slowEntries(Object.keys(readers), (name, text) => readers[name]?.(text))).toEqual([]);
  });
});
