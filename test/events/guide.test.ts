/** The guide to events: its payloads are those that are sent, and its receiver works. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EVENT_TYPES, type NewEvent, payloadOf } from '../../src/events/event.ts';
import { createSender } from '../../src/events/send.ts';
import { freePort } from '../server/http/support/openid.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const GUIDE = readFileSync(join(ROOT, 'docs/guides/events.md'), 'utf8');
const AT = Date.parse('2026-12-01T09:00:00Z');
const MINUTE = 60_000;

const block = (language: string): string =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))]
    .map(([, text = '']) => text)
    .join('\n');

const about = { tenant: 'sandbox', caller: 'me', locator: 'ABC123', at: AT };
const payment = { ...about, operationId: '1f2e3d4c-0000-4000-8000-000000000000', tool: 'pay_booking' };
const EXAMPLES: readonly Omit<NewEvent, 'id'>[] = [
  { ...about, type: 'booking.changed', kind: 'segment_cancelled', findingId: '9f1c2a' },
  { ...about, type: 'hold.lapsing', kind: '2h', dueAt: AT + 120 * MINUTE },
  { ...about, type: 'names.due', kind: '24h', dueAt: AT + 1_440 * MINUTE },
  { ...payment, type: 'question.waiting', kind: 'page', dueAt: AT + 10 * MINUTE },
  { ...payment, type: 'question.lapsed', kind: 'page', at: AT + 10 * MINUTE },
  { ...payment, type: 'operation.settled', kind: 'succeeded' },
  { ...payment, type: 'operation.needs_person', kind: 'needs_person' },
  { ...payment, type: 'refund.arrived', kind: 'stated', tool: 'cancel_booking' },
];

test('the guide has the payload of each kind of event, and a row about it', () => {
  expect(EXAMPLES.map(({ type }) => type)).toEqual([...EVENT_TYPES]);
  expect(JSON.parse(block('json'))).toEqual(EXAMPLES.map((event) => payloadOf({ ...event, id: 'x' }, false)));
  expect(EVENT_TYPES.filter((type) => !GUIDE.includes(`| \`${type}\``))).toEqual([]);
});

test('the receiver of the guide takes signed events, each once, and no others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fareclerk-receiver-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'receiver.mjs'), block('js'));
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
  try {
    const message = {
      id: 'finding/9f1c2a',
      body: JSON.stringify(payloadOf({ ...about, type: 'booking.changed', kind: 'retimed', id: 'x' }, false)),
    };
    const send = (how: typeof right) => how.send(`http://127.0.0.1:${port}/`, message);
    await expect.poll(() => send(right), { timeout: 5_000 }).toEqual({ kind: 'delivered' });
    expect(await send(right)).toEqual({ kind: 'delivered' });
    expect(await send(wrong)).toEqual({ kind: 'failed', said: 'HTTP 401' });
    expect(printed).toBe('booking.changed ABC123 retimed\n');
  } finally {
    const over = once(child, 'exit');
    child.kill();
    await over;
    for (const one of [right, wrong]) await one.close();
    rmSync(folder, { recursive: true });
  }
});
