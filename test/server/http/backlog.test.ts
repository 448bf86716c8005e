import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { serve } from './support/serve.ts';

describe('the backlog', () => {
  /** Opens connections while this process is blocked and can accept none; prints how many were made. */
  const CROWD = `
    let made = 0;
    for (let n = 0; n < 900; n++)
      require('node:net').connect(Number(process.argv[1]), '127.0.0.1', () => made++).on('error', () => {});
    setTimeout(() => { console.log(made); process.exit(); }, 700);`;
  const crowd = (port: number) =>
    Number(execFileSync(process.execPath, ['-e', CROWD, String(port)], { encoding: 'utf8' }));

  it('keeps 900 new connections waiting while the server is busy', async () => {
    const at = await serve();
    expect(crowd(at.port)).toBe(900);
    await at.close();
  });

  it('has the length that is set', async () => {
    const short = await serve({ limits: { backlog: 10 } });
    expect(crowd(short.port)).toBeLessThan(20);
    await short.close();
  });
});
