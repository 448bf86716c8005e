/** The docs of events: the payloads are those that are sent, and the receiver of the guide works. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FINDING_KINDS } from '../../src/domain/booking/finding.ts';
import { createSender } from '../../src/events/signed-post.ts';
import { freePort } from '../http/support/openid.ts';
import { headOf, open, raw } from '../http/support/raw.ts';
import { deliverAll, MINUTE, openToldAddress, type ToldAddress } from './support/told-address.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const GUIDE = readFileSync(join(ROOT, 'docs/guides/events.md'), 'utf8');
const KINDS = readFileSync(join(ROOT, 'docs/reference/events.md'), 'utf8');
const AT = Date.parse('2026-12-01T09:00:00Z');

const block = (page: string, language: string): string =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))]
    .map(([, text = '']) => text)
    .join('\n');

type Told = Parameters<ToldAddress['state']['outbox']['add']>[0][number];
const about = { tenant: 'sandbox', caller: 'me', locator: 'ABC123', at: AT };
const payment = { ...about, operationId: '1f2e3d4c-0000-4000-8000-000000000000', tool: 'pay_booking' };
const EXAMPLES: { readonly [T in Told['type']]: Omit<Told, 'id' | 'type'> } = {
  'booking.changed': { ...about, kind: 'segment_cancelled', findingId: '9f1c2a' },
  'hold.lapsing': { ...about, kind: '2h', dueAt: AT + 120 * MINUTE },
  'names.due': { ...about, kind: '24h', dueAt: AT + 1_440 * MINUTE },
  'question.waiting': { ...payment, kind: 'page', dueAt: AT + 10 * MINUTE },
  'question.lapsing': { ...payment, kind: 'page', at: AT + 5 * MINUTE, dueAt: AT + 10 * MINUTE },
  'question.lapsed': { ...payment, kind: 'page', at: AT + 10 * MINUTE },
  'operation.settled': { ...payment, kind: 'succeeded' },
  'operation.needs_person': { ...payment, kind: 'needs_person' },
  'refund.arrived': { ...payment, kind: 'stated', tool: 'cancel_booking' },
};

test('the payloads of the docs are those that are sent, and each kind of event has a row', async () => {
  const desk = await openToldAddress(() => AT);
  const deliverer = await desk.deliverer();
  const types = Object.keys(EXAMPLES) as Told['type'][];
  await desk.state.outbox.add(types.map((type) => ({ ...EXAMPLES[type], id: type, type })));
  await deliverAll(deliverer);
  await desk.close();
  const shown = JSON.parse(block(KINDS, 'json')) as { type: string }[];
  expect(shown.length).toBeGreaterThan(3);
  const sent = desk.receiver.got
    .map(({ body }) => JSON.parse(body))
    .filter(({ type }) => shown.some((one) => one.type === type));
  expect(shown).toEqual(sent);
  expect(types.filter((type) => !KINDS.includes(`| \`${type}\``))).toEqual([]);
});

test('the page lists each kind of finding once, in the order of the program', () => {
  const [, findings = ''] = KINDS.split('## Kinds of findings\n');
  expect([...findings.matchAll(/^\| `(\w+)`/gm)].map(([, kind]) => kind)).toEqual([...FINDING_KINDS]);
});

test('the receiver of the guide takes signed events, each once, and no others, and outlives broken requests', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fareclerk-receiver-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'receiver.mjs'), block(GUIDE, 'js'));
  const port = await freePort();
  const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  const env = { PATH: process.env.PATH, FARECLERK_WEBHOOK_SECRET: secret, PORT: String(port) };
  const child = spawn(process.execPath, [join(folder, 'receiver.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const sender = (key: string) => createSender({ secrets: [key], privateHosts: ['127.0.0.1'], now: Date.now });
  const [right, wrong] = [sender(secret), sender('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')];
  const [example] = JSON.parse(block(KINDS, 'json'));
  const message = { id: 'finding/9f1c2a', body: JSON.stringify(example), isSigned: true };
  const send = (how: typeof right) => how.send(`http://127.0.0.1:${port}/`, message);
  try {
    await expect.poll(() => send(right)).toEqual({ kind: 'delivered' });
    expect(await send(right)).toEqual({ kind: 'delivered' });
    expect(await send(wrong)).toEqual({ kind: 'failed', said: 'HTTP 401' });
    const aborted = await open(port);
    aborted.write(headOf({ path: '/', headers: [['content-length', '100']] }));
    await new Promise((resolve) => aborted.write('{"type":', resolve));
    aborted.destroy();
    const large = await raw(port, { path: '/', headers: [['host', 'x']], body: 'x'.repeat(1_000_000) });
    expect(large.status).toBe(413);
    // Other machines do not reach it: on Linux every address of 127.0.0.0/8 is this one.
    if (process.platform === 'linux')
      await expect(open(port, '127.0.0.2')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(await send(right)).toEqual({ kind: 'delivered' });
    expect(child.exitCode).toBe(null);
    expect(printed).toBe(`booking.changed ${JSON.stringify(example.data)}\n`);
  } finally {
    const over = once(child, 'exit');
    child.kill();
    await over;
    for (const one of [right, wrong]) await one.close();
    rmSync(folder, { recursive: true });
  }
});
