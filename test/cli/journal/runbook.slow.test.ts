/** The runbook, played: every command of every entry, on a desk in which what it is about has happened. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../events/support/receiver.ts';
import { openState } from '../desk.ts';
import { ran } from '../screen.ts';
import { journalOf } from './operations.ts';

const PAGE = readFileSync(new URL('../../../docs/guides/runbook.md', import.meta.url), 'utf8');
const OPERATION = 'aaaa-needs-a-person';
const EVENT = 'question/aaaa/waiting';

/** What a person looks at elsewhere: a panel, the log, the system. */
const ELSEWHERE = /`(?:curl|df|timedatectl|select)|panel|log|running\.md#backup|`\/readyz`|label/;

const entries = PAGE.split(/^## /m)
  .slice(1)
  .map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    text,
    commands: [...new Set([...text.matchAll(/`fareclerk ([^`]+)`/g)].map(([, command = '']) => command))],
  }));

const wordsOf = (command: string, id: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare = '']) =>
    (quoted ?? bare).replace('…', 'checked').replace(/^ID$/, id),
  );

let receiver: Receiver;
let env: Record<string, string>;
beforeAll(async () => {
  receiver = await startReceiver();
  const desk = await journalOf({
    [OPERATION]: { state: 'needs_person', outcome: { check: 'A person must check.' }, more: { locator: 'ABC123' } },
  });
  const webhooks = { FARECLERK_WEBHOOKS: receiver.url, FARECLERK_PRIVATE_HOSTS: '127.0.0.1' };
  env = { ...desk, ...webhooks, FARECLERK_WEBHOOK_SECRET: `whsec_${'QUJD'.repeat(11)}` };
  const state = await openState(env);
  await state.outbox.add([{ id: EVENT, type: 'question.waiting', at: Date.now(), tenant: 'sandbox', kind: 'page' }]);
  await state.close();
});
afterAll(() => receiver.close());

describe('the runbook', () => {
  it('has entries with what is at risk, where to look, and what to do', () => {
    expect(entries.length).toBeGreaterThan(14);
    for (const { title, text, commands } of entries) {
      for (const part of ['**Risk:**', '**Look:**', '**Do:**'])
        expect([title, text.includes(part)]).toEqual([title, true]);
      expect([title, commands.length > 0 || ELSEWHERE.test(text)]).toEqual([title, true]);
    }
  });

  const played = entries.filter(({ commands }) => commands.length > 0);
  it.each(played)('$title: its commands do what they are for', async ({ commands }) => {
    for (const command of commands) {
      const { code, stderr, stdout } = await ran(
        env,
        wordsOf(command, command.startsWith('events') ? EVENT : OPERATION),
      );
      // A wrong word is 2; 1 is what the command found.
      expect([command, code === 2 ? stderr : '']).toEqual([command, '']);
      if (command.startsWith('journal list --state needs_person')) expect(stdout).toContain(OPERATION);
      if (/^journal (?:show|resolve|verify)|^pause|^resume|^events test/.test(command))
        expect([command, code, stderr]).toEqual([command, 0, expect.any(String)]);
    }
  });

  it('leaves nothing open behind: the operation is closed, sending goes on, the receiver was reached', async () => {
    const { stdout } = await ran(env, ['journal', 'show', OPERATION]);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'resolved' });
    expect((await ran(env, ['resume'])).stdout + (await ran(env, ['journal', 'verify'])).stdout).not.toContain('held');
    expect(receiver.got.map(({ body }) => JSON.parse(body).type)).toContain('test');
  });
});
