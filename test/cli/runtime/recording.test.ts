/**
 * Recording and playing back by the command line.
 */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readTape } from '../../../src/sandbox/replay.ts';
import { freshState, screen } from '../screen.ts';

const RECORDING = fileURLToPath(new URL('../../ota/recordings/airline-trip.jsonl', import.meta.url));

describe('FARECLERK_RECORD_FILE', () => {
  it('records what a command sends, the embedded sandbox airline included', async () => {
    const state = freshState();
    const file = join(state.FARECLERK_STATE_DIR ?? '', 'calls.jsonl');
    for (const args of ['{"from": "QCA"}', '{"from": "XJA"}']) {
      const { run, stdout } = screen({ ...state, FARECLERK_RECORD_FILE: file });
      expect(await run('call', 'list_routes', args), stdout()).toBe(0);
    }
    const { exchanges } = readTape(file);
    expect(exchanges.map(({ message }) => message)).toEqual(['token', 'routes', 'token', 'routes']);
    expect(readFileSync(file, 'utf8')).not.toContain('sandbox-');
  });

  it('records nothing if the setting is not set', async () => {
    const state = freshState();
    expect(await screen(state).run('call', 'list_routes')).toBe(0);
    expect(existsSync(join(state.FARECLERK_STATE_DIR ?? '', 'calls.jsonl'))).toBe(false);
  });

  it('stops the call before anything is sent if the file cannot be written', async () => {
    const { run, stdout } = screen({ ...freshState(), FARECLERK_RECORD_FILE: '/dev/null/calls.jsonl' });
    expect(await run('call', 'list_routes')).toBe(1);
    expect(JSON.parse(stdout()).error).toMatchObject({ code: 'E_CONFIG', effect: 'none' });
  });
});

describe('sandbox --replay', () => {
  it('prints the settings of an airline that only knows the recording', async () => {
    const seen = screen({});
    const done = seen.run('sandbox', '--port', '0', '--json', '--replay', RECORDING);
    while (!seen.stderr().includes('listens on')) await once(seen.terminal.stderr, 'data');
    expect(seen.stderr()).toMatch(/^A recorded airline listens on/);
    const settings = { ...JSON.parse(seen.stdout()), ...freshState() } as Record<string, string>;
    expect(settings).toMatchObject({ FARECLERK_CURRENCY: 'AED', FARECLERK_CARRIER: 'ZQ' });
    const text = readFileSync(RECORDING, 'utf8');
    const locator = /"uniqueID":\{"id":"([A-Z0-9]{6})"/.exec(text)?.[1];
    const there = screen(settings);
    expect(await there.run('call', 'read_booking', JSON.stringify({ locator }))).toBe(0);
    expect(JSON.parse(there.stdout())).toMatchObject({ booking: { locator, state: 'held', currency: 'AED' } });
    const other = screen(settings);
    expect(await other.run('call', 'read_booking', '{"locator": "AAAAA9"}')).toBe(1);
    expect(JSON.parse(other.stdout()).error.code).toBe('E_NOT_FOUND');
    process.emit('SIGINT');
    expect(await done).toBe(0);
  });
});
