import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Terminal } from '../../../src/cli/commands/command.ts';
import { Stage } from '../../../src/cli/demo/stage.ts';

test('says what to type after a key that is no choice, and asks again', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stdout = Object.assign(new PassThrough(), { isTTY: true });
  const shown: string[] = [];
  stdout.on('data', (chunk) => shown.push(String(chunk)));
  const stage = new Stage({ stdin, stdout } as unknown as Terminal);
  const answer = stage.dialog({ message: 'Pay SAR 100.00?', choices: ['yes', 'no'] });
  stdin.write('y\n');
  stdin.write('2\n');
  expect(await answer).toBe('no');
  const screen = stripVTControlCharacters(shown.join(''));
  expect(screen).toMatch(/your choice \(1-2\): .*Type a number from 1 to 2\.\n.*your choice/s);
});
