import { chmodSync, linkSync, mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TransportFailure } from '../../../src/ota/errors/transport-failure.ts';
import { recordingTransport } from '../../../src/ota/recording/recorder.ts';
import { fixture } from '../messages/fixture.ts';
import { goldenNames } from '../messages/golden.ts';
import { replyFixtures } from '../messages/support/reply-fixtures.ts';
import type { Booking } from '../support/port.ts';
import { parseTape } from '../support/tape.ts';
import { readingOf } from '../support/wire.ts';

type Transport = ReturnType<typeof recordingTransport>;
type Request = Parameters<Transport['exchange']>[0];
type Reply = Awaited<ReturnType<Transport['exchange']>>;

const newFile = (...path: string[]): string => join(mkdtempSync(join(tmpdir(), 'fareclerk-rec-')), ...path);

/** A transport that answers so, recorded in the file. */
function recorded(file: string, send: (request: Request) => Promise<Reply>, more: object = {}): Transport {
  return recordingTransport(
    { exchange: send, replaceConnections() {}, close: async () => undefined },
    {
      file,
      secrets: [],
      version: '9.9.9',
      settings: { FARECLERK_CURRENCY: 'SAR' },
      now: () => Date.parse('2026-11-20T08:00:00Z'),
      ...more,
    },
  );
}

const request: Request = {
  purpose: 'read',
  method: 'POST',
  url: 'https://air.example/v2015b/OTA?subscription=s3cr3t',
  headers: { 'local-name': 'OTA_ReadRQ', 'x-api-key': 'k-123456', 'content-type': 'application/json' },
  body: JSON.stringify({ version: '2.001' }),
  deadlineMs: 1_000,
};
const reply = (body: unknown, more: Partial<Reply> = {}): Reply => ({
  status: 200,
  text: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
});

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** What one recording keeps of replies and of requests, in turn. */
function keeper(more: object = {}) {
  const file = newFile('calls.jsonl');
  const next = { reply: reply({}) };
  const transport = recorded(file, async () => next.reply, more);
  const exchange = async (of: Partial<Request>, body: unknown) => {
    next.reply = reply(body);
    const before = statSync(file).size;
    await transport.exchange({ ...request, ...of });
    return JSON.parse(readFileSync(file).subarray(before).toString('utf8'));
  };
  return {
    // biome-ignore lint/suspicious/noExplicitAny: what was kept is looked at as the JSON that it is.
    tree: async (body: unknown): Promise<any> => (await exchange({}, body)).reply,
    sent: async (of: Partial<Request>) => (await exchange(of, {})).request,
  };
}

describe('a recording', () => {
  it('keeps nothing of a ticket but its type and length, and no name or locator of its address', async () => {
    const file = newFile('calls.jsonl');
    const pdf = Buffer.from('%PDF-1.4 (LINA BERG)');
    const transport = recorded(file, async () => ({ status: 200, text: '', bytes: pdf }));
    const address = 'https://rest.example/api/tickets/confirmation/K7PL2M/download/passenger-segment';
    const query = 'firstName=LINA&lastName=BERG&ticketNumber=2201234500017&couponNumber=2';
    const { body: _, ...bodiless } = request;
    await transport.exchange({ ...bodiless, headers: {}, method: 'GET', url: `${address}?${query}` });
    await transport.close();
    expect(linesOf(file)[1]).toMatchObject({
      message: 'passenger-segment',
      request: { couponNumber: '2' },
      reply_was: { kind: 'pdf', length: pdf.length },
    });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/LINA|BERG|K7PL2M|2201234500017|%PDF/i);
    expect(parseTape(text).exchanges).toHaveLength(1);
  });

  it('writes a head and one line per exchange: message, placeholder, status, reply', async () => {
    const file = newFile('deep', 'calls.jsonl');
    const transport = recorded(file, async () => reply({ success: {} }));
    expect(await transport.exchange(request)).toEqual(reply({ success: {} }));
    await transport.close();
    const at = '2026-11-20T08:00:00.000Z';
    expect(linesOf(file)).toEqual([
      { recording: 1, fareclerk: '9.9.9', at, settings: { FARECLERK_CURRENCY: 'SAR' } },
      {
        at,
        ms: 0,
        message: 'OTA_ReadRQ',
        method: 'POST',
        with: ['x-api-key'],
        request: { version: '2.001' },
        status: 200,
        reply: { success: {} },
      },
    ]);
    expect(readFileSync(file, 'utf8')).not.toContain('s3cr3t');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('keeps the kind of a reply that is not JSON, the wait of a throttled one, and failures, which it passes on', async () => {
    const file = newFile('calls.jsonl');
    const lost = [new TransportFailure('timeout', true), new TransportFailure('unreachable', false)];
    const answers = [
      reply('<html>Amal Haddad</html>', { status: 502 }),
      reply({ code: '888' }, { status: 429, retryAfterSeconds: 7 }),
      ...lost.map((failure) => Promise.reject(failure)),
    ];
    const transport = recorded(file, async () => answers.shift() as Reply);
    for (let index = 0; index < 2; index += 1) await transport.exchange(request);
    for (const failure of lost) await expect(transport.exchange(request)).rejects.toBe(failure);
    await transport.close();
    expect(linesOf(file).slice(1)).toMatchObject([
      { status: 502, reply_was: { kind: 'html', length: 24 } },
      { status: 429, retry_after: 7 },
      { failed: 'timeout', sent: true },
      { failed: 'unreachable', sent: false },
    ]);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('Amal');
    // A request that was not sent is not played back.
    expect(parseTape(text).exchanges).toHaveLength(3);
  });

  it('is one file of several processes', async () => {
    const file = newFile('calls.jsonl');
    for (const run of [1, 2]) {
      const transport = recorded(file, async () => reply({ personName: { surname: 'Haddad' }, run }));
      await transport.exchange(request);
      await transport.close();
    }
    expect(parseTape(readFileSync(file, 'utf8')).exchanges).toHaveLength(2);
  });

  it('reports a settings error that names the variable if the recording cannot be opened', () => {
    const path = newFile('file');
    writeFileSync(path, '');
    expect(() => recorded(join(path, 'calls.jsonl'), async () => reply({}))).toThrow(
      expect.objectContaining({ code: 'E_CONFIG', next: expect.stringContaining('FARECLERK_RECORD_FILE') }),
    );
  });

  it.skipIf(process.platform === 'win32')(
    'writes into no file of ours that somebody linked into a folder that all can write',
    () => {
      const [mine, path] = [newFile('mine'), newFile('calls.jsonl')];
      writeFileSync(mine, 'precious');
      linkSync(mine, path);
      chmodSync(dirname(path), 0o1777);
      expect(() => recorded(path, async () => reply({}))).toThrow(
        'FARECLERK_RECORD_FILE is a link to a file elsewhere',
      );
      expect(readFileSync(mine, 'utf8')).toBe('precious');
    },
  );

  it('reports once that a recording can no longer be written, and disturbs no exchange', async () => {
    const path = newFile('calls.jsonl');
    // As many bytes as a recording may have. A sparse file takes none of the disk.
    const most = 64 << 20;
    writeFileSync(path, '', { mode: 0o600 });
    truncateSync(path, most);
    let lost = 0;
    const transport = recorded(path, async () => reply({ success: {} }), { onLost: () => (lost += 1) });
    for (let index = 0; index < 3; index += 1) expect((await transport.exchange(request)).status).toBe(200);
    await transport.close();
    expect(lost).toBe(1);
    expect(statSync(path).size).toBe(most);
  });
});

describe('numbers in place of what is of a person', () => {
  it('are numbers of the same length for what is of a person: one for each value', async () => {
    const { tree } = keeper();
    const kept = await tree({
      surname: ['Haddad', 'Noor', 'Haddad'],
      recordLocator: 'AB12C3',
      ticketNumber: '0655500000001',
    });
    expect(kept).toEqual({
      surname: ['000001', '0002', '000001'],
      recordLocator: '000003',
      ticketNumber: '0000000000004',
    });
    expect(await tree({ ticketNumber: '0655500000001' })).toEqual({ ticketNumber: '0000000000004' });
  });

  it('are the same for all other texts and numbers', async () => {
    expect(await keeper().tree({ note: 'HADDAD/AMAL MRS', count: 5550147 })).toEqual({ note: '[dropped]', count: 0 });
  });

  it('are one day for all birth dates, and one for all days of expiry', async () => {
    const days = ['1987-03-09', '2024-05-17T00:00:00', '•••'];
    const { birthDate, expireDate } = await keeper().tree({ birthDate: days, expireDate: days });
    expect(new Set(birthDate)).toEqual(new Set(['1990-01-01']));
    expect(new Set(expireDate)).toEqual(new Set(['2090-01-01']));
  });
});

describe('what a redacted message keeps', () => {
  it('is the protocol exactly: a decoder reads the same segments, statuses and sums of other people', async () => {
    const facts = ({ options, pricing, tickets, travelers, createdAt }: Booking) => ({
      options: options.map(({ segments }) => segments.map(({ fareRules, ...segment }) => segment)),
      createdAt,
      total: pricing?.total && { ...pricing.total, remarks: 0 },
      refunds: pricing?.refunds,
      perType: pricing?.perType.map((one) => [one.type, one.count, one.price?.total, one.fareBasis, one.segmentRefs]),
      rules: pricing?.fares.map((fare) => [...fare.refundRules, ...fare.changeRules].map(({ texts, ...rule }) => rule)),
      coupons: tickets.map(({ coupons, travelerRefs }) => [
        travelerRefs,
        coupons.map(({ providerTicket, ...coupon }) => coupon),
      ]),
      travelers: travelers.map(({ ref, type, gender, segmentRefs, attendantRef, document }) => [
        ...[ref, type, gender, segmentRefs, attendantRef, document?.docType],
      ]),
    });
    const { tree } = keeper();
    const replies = replyFixtures(goldenNames('replies')).filter(({ name }) => /^(read|hold|modify)/.test(name));
    expect(replies.length).toBeGreaterThan(12);
    for (const { name, wire } of replies) {
      const [before, after] = [readingOf(wire), readingOf(await tree(wire))];
      expect(facts(after), name).toEqual(facts(before));
      if (name === 'read-reply') expect(after.travelers[0]?.name).not.toEqual(before.travelers[0]?.name);
    }
  });

  it('is every name of a field and every kind of value', async () => {
    for (const name of ['ticket-reply', 'seat-map-reply', 'fare-search-reply', 'read-reply']) {
      expect(skeleton(await keeper().tree(fixture(name))), name).toEqual(skeleton(fixture(name)));
    }
  });

  it('is a fare and its family, and no other description', async () => {
    const { tree } = keeper();
    const fares = {
      tpaextensions: { fareBasis: 'YLSAVE', priceGroup: 'Economy Saver' },
      fares: [{ description: 'Flex' }],
    };
    expect(await tree(fares)).toEqual(fares);
    expect(JSON.stringify(await tree({ item: { description: 'Flex' } }))).not.toContain('Flex');
  });

  it('is no text under an unknown field, however it is written', async () => {
    const canary = fc.constantFrom('Zwitschervogel', 'QX9044176Z', 'ella@home.example', '5550147723');
    const name = fc
      .stringMatching(/^[A-Za-z]{2,12}$/)
      .map((key) => `zz${key}`)
      .filter((key) => !/ella/i.test(key));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        canary,
        canary.map((text) => `Dear ${text.toUpperCase()}, welcome`),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3 }),
      ),
    }));
    const { tree } = keeper();
    for (const wire of fc.sample(fc.dictionary(name, value, { minKeys: 1, maxKeys: 4 }), 500)) {
      const written = JSON.stringify(await tree(wire)).toLowerCase();
      for (const one of ['zwitschervogel', 'qx9044176z', 'ella', '5550147723']) expect(written).not.toContain(one);
    }
  });

  it('is no learned name, even in protocol fields and names of fields', async () => {
    const { tree } = keeper();
    await tree({ personName: { givenName: ['Amal'], surname: 'Haddad' } });
    const kept = await tree({ status: 'HADDAD', type: 'E_TICKET', Haddad: 1, code: 'OK' });
    expect(kept).toMatchObject({ type: 'E_TICKET', code: 'OK' });
    expect(JSON.stringify(kept).toLowerCase()).not.toContain('haddad');
  });

  it('is no secret, wherever it is', async () => {
    const { tree, sent } = keeper({ secrets: ['key-0123456789'] });
    await sent({ headers: { authorization: 'Bearer token-abcdef' } });
    const kept = await tree({ detail: 'bad key key-0123456789', a: { status: 'token-abcdef' }, 'key-0123456789': 1 });
    expect(JSON.stringify(kept)).not.toMatch(/key-0123|token-abc/);
    const login = { grant_type: 'password', client_id: 'app', username: 'u', password: 'p' };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const [client_id, username, password] = Array(3).fill('[dropped]');
    expect(await sent({ headers, body: String(new URLSearchParams(login)) })).toEqual({
      grant_type: 'password',
      client_id,
      username,
      password,
    });
  });

  it('is no link', async () => {
    const own = 'https://rest.example/api/tickets/confirmation/K7M4QX/download/passenger-segment?firstName=Amal';
    const kept = await keeper().tree({ href: own, url: 'https://evil.example/x/Amal' });
    expect(kept).toEqual({ href: '[dropped]', url: '[dropped]' });
  });

  it('is no short name in fields of codes, unless the code is the whole value', async () => {
    const codes = { seatNumber: '12A', status: 'LI', code: 'SAR' };
    const kept = await keeper().tree({ givenName: ['Li'], surname: 'Amr', ssrCode: 'LI/AMR MR', ...codes });
    expect(kept.ssrCode).not.toMatch(/\bLI\b|\bAMR\b/);
    expect(kept).toMatchObject(codes);
  });

  it('is the code of a special service', async () => {
    const kept = await keeper().tree({ specialServiceRequest: [{ ssrcode: 'DPNA', status: '30' }] });
    expect(kept).toEqual({ specialServiceRequest: [{ ssrcode: '[dropped]', status: '30' }] });
  });

  it('is something of any JSON value', async () => {
    const { tree } = keeper();
    for (const value of fc.sample(fc.jsonValue(), 300)) expect(await tree({ value })).toHaveProperty('value');
  });
});

/** Names of fields and kinds of values: what a decoder goes by. */
function skeleton(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(skeleton);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, skeleton(item)]));
}
