import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { freshState, screen } from '../screen.ts';

/** Runs the command until its settings are printed; `stop` ends it as Ctrl-C does. */
async function started(...argv: readonly string[]) {
  const seen = screen({});
  const done = seen.run('sandbox', '--port', '0', ...argv);
  while (!seen.stderr().includes('listens on')) await once(seen.terminal.stderr, 'data');
  return {
    printed: seen.stdout(),
    stop: async () => {
      process.emit('SIGINT');
      return done;
    },
  };
}

describe('fareclerk sandbox', () => {
  it('prints settings that point a server at it', async () => {
    const { printed, stop } = await started('--json', '--seed', '7');
    const settings = { ...JSON.parse(printed), ...freshState() } as Record<string, string>;
    const there = screen(settings);
    expect(await there.run('call', 'list_routes', '{"from": "QCA"}')).toBe(0);
    expect(JSON.parse(there.stdout())).toMatchObject({ environment: 'live' });
    expect(await stop()).toBe(0);
  });

  it('prints lines for a shell, also in the airline dialect', async () => {
    const { printed, stop } = await started('--dialect', 'airline', '--now', '2027-03-01T08:00:00Z');
    for (const line of printed.trim().split('\n')) expect(line).toMatch(/^export FARECLERK_[A-Z_]+='[^']*'$/);
    expect(await stop()).toBe(0);
  });
});
