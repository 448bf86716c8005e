/** Shows the progress of long work: one line that is overwritten, on a screen only. */
import type { Terminal } from '../commands/command.ts';
import { windowWidth } from './window.ts';

interface ProgressLine {
  /** `7 of 31 days searched`. */
  show(done: number, total: number, what: string): void;
  /** Removes the line, before anything else is written. */
  end(): void;
}

const BAR_WIDTH = 20;

export function progressOn({ stderr }: Pick<Terminal, 'stderr'>): ProgressLine {
  if (stderr.isTTY !== true) return { show() {}, end() {} };
  let shown = false;
  return {
    show(done, total, what) {
      const filled = total > 0 ? Math.min(BAR_WIDTH, Math.floor((done / total) * BAR_WIDTH)) : 0;
      const line = `[${'#'.repeat(filled).padEnd(BAR_WIDTH)}] ${done} of ${total} ${what}`;
      // One column less than the window: the cursor must not wrap.
      stderr.write(`\r\u001b[K${line.slice(0, (windowWidth(stderr) ?? 80) - 1)}`);
      shown = true;
    },
    end() {
      if (shown) stderr.write('\r\u001b[K');
      shown = false;
    },
  };
}
