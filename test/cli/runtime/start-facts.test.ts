import { expect, it } from 'vitest';
import { factLines, sendingNow, startFacts } from '../../../src/cli/runtime/start-facts.ts';
import { readConfig } from '../../../src/config/load.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { LIVE } from '../../config/live.ts';

const TEAM = {
  ...LIVE,
  FARECLERK_PUBLIC_URL: 'https://air.example',
  FARECLERK_ISSUER: 'https://id.example/realms/air',
  FARECLERK_AUDIENCE: 'https://air.example/mcp',
  FARECLERK_DATABASE_URL:
    'postgres://clerk:hunter2%2F@db.example:6432/air?sslmode=verify-full&application_name=hunter3',
};

it('says what a team server is in front of, without a secret', () => {
  const facts = startFacts(readConfig({ ...TEAM }), 'http://0.0.0.0:8765/mcp', 'allowed');
  expect(factLines(facts).replaceAll(/ +/g, ' ')).toMatch(
    new RegExp(
      [
        '^ version \\d+\\.\\d+\\.\\d+',
        ' public https://air.example',
        ' issuer https://id.example/realms/air',
        ' audience https://air.example/mcp',
        ' airline live: \\S+, agency .+, [A-Z]{3}',
        ' state PostgreSQL db.example:6432/air',
        ' sending allowed\n$',
      ].join('\n'),
    ),
  );
  expect(JSON.stringify(facts)).not.toContain('hunter');
});

it('leaves out a database address that cannot be parsed: it may hold a password anywhere', () => {
  const config = readConfig({ ...TEAM, FARECLERK_DATABASE_URL: 'postgres://clerk:hunter2/x@db.example/air' });
  expect(startFacts(config, '', '').state).toBe('PostgreSQL');
});

it('says that a sandbox is not real, and whether sending is paused', async () => {
  const config = readConfig({ FARECLERK_STATE_DIR: '/nonexistent' });
  const opened = async () => openSqliteState(':memory:');
  expect(startFacts(config, '', await sendingNow(config, opened))).toMatchObject({
    airline: 'sandbox: nothing is real',
    state: 'SQLite /nonexistent/sandbox/fareclerk.sqlite',
    sending: 'allowed',
  });
  const team = readConfig({ ...TEAM });
  const state = await opened();
  await state.chain.pause('the airline asks', 'os:ann', Date.parse('2026-11-21T06:00:00Z'));
  expect(await sendingNow(team, async () => state)).toBe(
    '“os:ann” paused sending at 2026-11-21T06:00:00Z: “the airline asks”.',
  );
  await state.close();
});
