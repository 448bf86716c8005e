import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressReach, createSender, type Sender, type SenderOptions } from '../../src/events/signed-post.ts';
import { CERTIFICATE, PRIVATE_KEY } from '../ota/support/certificate.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const NEXT = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MESSAGE = { id: 'operation/1/succeeded', body: '{"type":"operation.settled"}', isSigned: true };

let receiver: Receiver;
const senders: Sender[] = [];
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const sender of senders.splice(0)) await sender.close();
  await receiver.close();
});

function sender(options: Partial<SenderOptions> = {}): Sender {
  const made = createSender({ secrets: [SECRET], now: Date.now, timeoutMs: 1_000, ...options });
  senders.push(made);
  return made;
}
const local = (options: Partial<SenderOptions> = {}) => sender({ privateHosts: ['127.0.0.1'], ...options });

/** Every name resolves to these, in turn. */
function resolving(...answers: string[]): LookupFunction {
  return (_host, { all }, done) => {
    const address = answers.length > 1 ? (answers.shift() ?? '') : (answers[0] ?? '');
    const found = address.split(' ').map((each) => ({ address: each, family: each.includes(':') ? 6 : 4 }));
    setImmediate(() => (all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family)));
  };
}

describe('a message', () => {
  test('is signed so that the library of Standard Webhooks accepts it, with each of two secrets', async () => {
    const sent = await local({ secrets: [SECRET, NEXT] }).send(receiver.url, MESSAGE);
    expect(sent).toEqual({ kind: 'delivered' });
    const [got] = receiver.got;
    const headers = got?.headers as Record<string, string>;
    for (const secret of [SECRET, NEXT])
      expect(new Webhook(secret).verify(got?.body ?? '', headers)).toEqual({ type: 'operation.settled' });
    expect(() => new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA').verify(got?.body ?? '', headers)).toThrow();
    expect(() => new Webhook(SECRET).verify(`${got?.body} `, headers)).toThrow();
    expect(headers).toMatchObject({
      'webhook-id': MESSAGE.id,
      'content-type': 'application/json',
      'user-agent': 'fareclerk',
    });
  });

  test('goes over https only to a receiver whose certificate is trusted and has its name', async () => {
    const secure = await startReceiver({ cert: CERTIFICATE, key: PRIVATE_KEY });
    const named = secure.url.replace('127.0.0.1', 'elsewhere.example');
    const trusting = { ca: CERTIFICATE, lookup: resolving('127.0.0.1') };
    const elsewhere = sender({ ...trusting, privateHosts: ['elsewhere.example'] });
    expect((await local().send(secure.url, MESSAGE)).kind).toBe('failed');
    expect((await elsewhere.send(named, MESSAGE)).kind).toBe('failed');
    expect(secure.got).toHaveLength(0);
    expect(await local(trusting).send(secure.url, MESSAGE)).toEqual({ kind: 'delivered' });
    expect(secure.got).toMatchObject([{ body: MESSAGE.body }]);
    await secure.close();
  });

  test('is judged by the status of its answer alone, and no redirect is followed', async () => {
    const all = { 200: 'delivered', 299: 'delivered', 302: 'failed', 307: 'failed', 404: 'failed', 503: 'failed' };
    for (const [status, kind] of Object.entries({ ...all, 410: 'gone' })) {
      receiver.answer = () => Number(status);
      const said = kind === 'delivered' ? {} : { said: `HTTP ${status}` };
      expect(await local().send(receiver.url, MESSAGE)).toEqual({ kind, ...said });
    }
    expect(receiver.got).toHaveLength(7);
  });

  test('that gets no answer has failed, and so has one to a closed port or an unknown host', async () => {
    receiver.answer = () => new Promise(() => undefined);
    const said = 'no answer within 0.05 s';
    expect(await local({ timeoutMs: 50 }).send(receiver.url, MESSAGE)).toEqual({ kind: 'failed', said });
    await receiver.close();
    expect(await local().send(receiver.url, MESSAGE)).toEqual({ kind: 'failed', said: 'ECONNREFUSED' });
    const unknown: LookupFunction = (_host, _options, done) =>
      done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), '');
    const sent = await sender({ lookup: unknown }).send('https://nowhere.example/', MESSAGE);
    expect(sent).toEqual({ kind: 'failed', said: 'ENOTFOUND' });
  });
});

test('a reply without an end keeps no connection, and none from another address of that host', async () => {
  let closed = 0;
  const server = createServer((request, reply) => {
    request.resume();
    reply.on('close', () => {
      closed += 1;
    });
    reply.writeHead(request.url === '/quick' ? 204 : 200);
    if (request.url === '/quick') reply.end();
    else reply.write('x'.repeat(70_000));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const one = local({ timeoutMs: 10_000 });
  await Promise.all(Array.from({ length: 20 }, () => one.send(`${url}/endless`, MESSAGE)));
  expect(await one.send(`${url}/quick`, MESSAGE)).toEqual({ kind: 'delivered' });
  await expect.poll(() => closed).toBe(21);
  server.close();
});

describe('an address that leads into a private network', () => {
  const REFUSED = { kind: 'failed', said: 'refused: an address in a private network' };

  /** As written in a setting. `https` alone would already stop the first byte: what counts is that none is refused for another reason. */
  const LITERALS = [
    ...['https://127.0.0.1/', 'https://127.1/', 'https://2130706433/', 'https://0x7f000001/'],
    ...['https://0177.0.0.1/', 'https://127.0.0.1./', 'https://0/', 'https://0.0.0.0/'],
    ...['https://10.0.0.1/', 'https://172.16.0.1/', 'https://172.31.255.255/', 'https://192.168.1.1/'],
    ...['https://100.64.0.1/', 'https://169.254.169.254/latest/meta-data/', 'https://2852039166/'],
    ...['https://0xa9fea9fe/', 'https://0251.0376.0251.0376/', 'https://100.100.100.200/'],
    ...['https://192.0.0.192/', 'https://168.63.129.16/', 'https://224.0.0.1/', 'https://255.255.255.255/'],
    ...['https://①②⑦.⓪.⓪.①/', 'https://[::1]/', 'https://[::]/', 'https://[::ffff:127.0.0.1]/'],
    ...['https://[::ffff:7f00:1]/', 'https://[0:0:0:0:0:ffff:a9fe:a9fe]/', 'https://[::127.0.0.1]/'],
    ...['https://[64:ff9b::127.0.0.1]/', 'https://[64:ff9b::a9fe:a9fe]/', 'https://[2002:7f00:1::]/'],
    ...['https://[2001:0:7f00:1::]/', 'https://[fe80::1]/', 'https://[fc00::1]/'],
    ...['https://[fd00:ec2::254]/', 'https://[ff02::1]/'],
  ];
  test.each(LITERALS)('%s is refused', async (address) => {
    expect(await sender().send(address, MESSAGE)).toEqual(REFUSED);
  });

  test.each([
    ...['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00:ec2::254'],
    // One good address beside it does not help.
    '93.184.216.34 127.0.0.1',
  ])('a name that resolves to %s is refused', async (address) => {
    expect(await sender({ lookup: resolving(address) }).send('https://hook.example/', MESSAGE)).toEqual(REFUSED);
  });

  test('a name that resolves to a good address first and to this machine then is refused then: each connection is checked', async () => {
    const changing = sender({ lookup: resolving('192.0.2.1', '127.0.0.1'), privateHosts: [], timeoutMs: 200 });
    for (let i = 0; i < 2; i++) expect(await changing.send('https://hook.example/', MESSAGE)).toEqual(REFUSED);
    const second = sender({ lookup: resolving('2001:4860:4860::8888', '127.0.0.1'), timeoutMs: 200 });
    expect((await second.send('https://hook.example/', MESSAGE)).kind).toBe('failed');
    expect(await second.send('https://hook.example/', MESSAGE)).toEqual(REFUSED);
  });

  test.each([
    ['http://hook.example/', 'refused: not an https address'],
    [`http://127.0.0.1/`, 'refused: not an https address'],
    ['https://127.0.0.1:1@hook.example/', 'refused: an address with a user name'],
    ['https://hook.example@127.0.0.1/', 'refused: an address with a user name'],
  ])('%s is refused', async (address, said) => {
    const sent = await sender({ lookup: resolving('93.184.216.34') }).send(address, MESSAGE);
    expect(sent).toEqual({ kind: 'failed', said });
  });

  test('is reached if the operator names its host, but never a link-local one or that of a cloud', async () => {
    const named = sender({ privateHosts: ['n8n', '169.254.169.254', 'meta'], lookup: resolving('127.0.0.1') });
    expect(await named.send(`http://n8n:${receiver.port}/hook`, MESSAGE)).toEqual({ kind: 'delivered' });
    expect(await named.send('http://169.254.169.254/', MESSAGE)).toEqual(REFUSED);
    for (const cloud of ['169.254.169.254', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254']) {
      const meta = sender({ privateHosts: ['meta'], lookup: resolving(cloud) });
      expect([cloud, await meta.send('http://meta/', MESSAGE)]).toEqual([cloud, REFUSED]);
    }
    expect(receiver.got).toHaveLength(1);
  });

  test('differs from a public one', () => {
    const hosts = ['93.184.216.34', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'];
    expect(new Set(hosts.map(addressReach))).toEqual(new Set(['public']));
    const never = [
      '64:ff9b::',
      '64:ff9b::1',
      '::ffff:0:1',
      '2001:db8::1',
      '3fff::1',
      'fec0::1',
      'not-an-address',
      'fe80::1%eth0',
    ];
    expect(new Set(never.map(addressReach))).toEqual(new Set(['never']));
  });
});
