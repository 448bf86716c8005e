import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { progressOn } from '../../../src/cli/terminal/progress.ts';

function screen(isTTY: boolean, columns = 80) {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns }) as unknown as NodeJS.WriteStream;
  return { stderr, written: () => String((stderr as unknown as PassThrough).read() ?? '') };
}

it('overwrites one progress line and removes it at the end', () => {
  const { stderr, written } = screen(true, 40);
  const progress = progressOn({ stderr });
  progress.show(1, 4, 'bookings read');
  expect(written()).toBe('\r\u001b[K[#####               ] 1 of 4 bookings r'.slice(0, 4 + 39));
  progress.end();
  progress.end();
  expect(written()).toBe('\r\u001b[K');
});

it('shows no progress in a pipe, and none for work of unknown size', () => {
  const pipe = screen(false);
  progressOn(pipe).show(1, 2, 'x');
  progressOn(pipe).end();
  expect(pipe.written()).toBe('');
  const tty = screen(true);
  progressOn(tty).show(0, 0, 'days');
  expect(tty.written()).toContain('0 of 0 days');
});
