/** A browser without a screen. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporary } from './screen.ts';

/** A program for `$BROWSER`: it opens the page of a plan, ticks these lines, and sends the decision. Without lines it declines. */
export function browserThatTicks(lines: readonly number[]): string {
  const file = join(temporary('browser'), 'browser.mjs');
  const client = new URL('../pages/approval/support/page-client.ts', import.meta.url).href;
  const decision = lines.length === 0 ? 'no' : 'yes';
  writeFileSync(
    file,
    `#!${process.execPath}
import { enter } from ${JSON.stringify(client)};
const { answer, token } = await enter(process.argv[2]);
const form = new URLSearchParams({ token, decision: '${decision}' });
for (const line of ${JSON.stringify(lines)}) form.append('line', line);
await answer('${decision}', { body: form.toString() });
`,
    { mode: 0o755 },
  );
  return file;
}
