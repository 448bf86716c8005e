/**
 * Playing recordings back: which exchange answers which call, and how replies are made to fit the caller of today.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parseTape, type Replay, startReplay } from '../../src/sandbox/replay.ts';
import { screen } from '../cli/screen.ts';

const AT = '2026-11-20T08:00:00.000Z';
const HEAD = { recording: 1, fareclerk: '0.1.0', at: AT, settings: { FARECLERK_CURRENCY: 'AED' } };
const line = (message: string, request: unknown, reply: unknown, more: object = {}) => ({
  ...{ at: AT, ms: 5, message, method: 'POST', url: '{base_url}', with: ['x-api-key'], request, status: 200, reply },
  ...more,
});
const text = (...lines: readonly object[]): string => [HEAD, ...lines].map((one) => JSON.stringify(one)).join('\n');
const read = (id: string) => ({ readRequests: { readRequest: [{ uniqueID: { id, type: '14' } }] } });
const modify = (modificationType: string) => ({ airBookModifyRQ: { modificationType } });

let replay: Replay;
afterEach(() => replay?.close());

async function play(...lines: readonly object[]): Promise<void> {
  replay = await startReplay(parseTape(text(...lines)), { startAt: Date.parse(AT) });
}
const post = (message: string, body: unknown) =>
  fetch(replay.url, { method: 'POST', headers: { 'local-name': message }, body: JSON.stringify(body) });
/** Replies to calls, one after another; of a refusal the status. */
async function replies(...calls: readonly (readonly [string, unknown])[]): Promise<unknown[]> {
  const all = [];
  for (const [message, body] of calls) {
    const answer = await post(message, body);
    all.push(answer.ok ? await answer.json() : answer.status);
  }
  return all;
}

describe('which exchange answers', () => {
  const READING = ['OTA_ReadRQ', read('ABC123')] as const;
  const PAY = ['OTA_AirDemandTicketRQ', {}] as const;

  it('repeats readings between two changes, and moves on after the next change', async () => {
    await play(
      line(...READING, 'held'),
      line(...PAY, 'paid'),
      line(...READING, 'ticketed 1'),
      line(...READING, 'ticketed 2'),
    );
    expect(await replies(READING, READING, PAY, READING, READING, READING)).toEqual([
      ...['held', 'held', 'paid', 'ticketed 1', 'ticketed 2', 'ticketed 2'],
    ]);
  });

  it('replays the previous reading if none was recorded after the change', async () => {
    await play(line(...READING, 'read'), line(...PAY, 'paid'));
    expect(await replies(PAY, READING)).toEqual(['paid', 'read']);
  });

  it('plays each change once, by its type, and skips changes that the caller leaves out', async () => {
    const change = (type: string) => ['OTA_AirBookModifyRQ', modify(type)] as const;
    await play(line(...change('3'), 'renamed'), line(...change('10'), 'cancelled'));
    expect(await replies(change('10'), change('10'))).toEqual(['cancelled', 501]);
  });

  it('chooses the reply of the same booking or station, and of the most similar search', async () => {
    const search = (from: string, to: string, value: string) => {
      const [originLocation, destinationLocation] = [{ locationCode: from }, { locationCode: to }];
      const leg = { originLocation, destinationLocation, departureDateTime: { value } };
      return ['OTA_AirLowFareSearchRQ', { originDestinationInformation: [leg] }] as const;
    };
    await play(
      line(...READING, 'first'),
      line('OTA_ReadRQ', read('XYZ789'), 'second'),
      line(...search('RUH', 'JED', '2026-12-01'), 'on the first'),
      line(...search('RUH', 'JED', '2026-12-02'), 'on the second'),
      line(...search('JED', 'RUH', '2026-12-02'), 'back'),
    );
    const calls = [
      ['OTA_ReadRQ', read('XYZ789')],
      ['OTA_ReadRQ', read('NOBODY')],
      search('RUH', 'JED', '2026-12-02'),
      search('JED', 'RUH', '2027-01-01'),
      search('JED', 'DMM', '2026-12-02'),
    ] as const;
    expect(await replies(...calls)).toEqual(['second', 404, 'on the second', 'back', 501]);
    expect(replay.missing()).toEqual(['OTA_ReadRQ', 'OTA_AirLowFareSearchRQ']);
  });
});

describe('a reply for the caller of today', () => {
  const person = (given: string, surname: string) => ({
    personName: { givenName: [given], surname },
    comment: [{ value: '1' }],
  });

  it('replaces recorded people by those of the caller, also in merged names and capitals', async () => {
    const href = '{rest_url}/tickets?firstName=Xqzt';
    const reply = { personName: { givenName: ['XQZT BBB'], surname: 'Vwlmno' }, status: 'Xqzt', text: 'Vwlmno', href };
    await play(line('OTA_AirBookRQ', person('Xqzt', 'Vwlmno'), reply));
    expect(await replies(['OTA_AirBookRQ', person('Amal', 'Haddad')])).toEqual([
      {
        personName: { givenName: ['AMAL BBB'], surname: 'Haddad' },
        ...{ status: 'Xqzt', text: 'Vwlmno', href: `${replay.url}/tickets?firstName=Amal` },
      },
    ]);
  });

  it('replaces no single words of a name that has more words than that of the caller', async () => {
    const reply = { personName: { givenName: ['RST XQZT'], surname: 'Vwlmno' } };
    await play(line('OTA_AirBookRQ', person('Xqzt Rst', 'Vwlmno'), reply));
    expect(await replies(['OTA_AirBookRQ', person('Amal', 'Haddad')])).toEqual([
      { personName: { givenName: ['RST XQZT'], surname: 'Haddad' } },
    ]);
  });

  it('moves time limits with the clock, and travel dates by whole days', async () => {
    const reply = {
      ...{ departureDateTime: '2026-12-01T08:00:00.000+03:00', journeyDate: '2026-12-31', dates: ['2026-12-01'] },
      ...{ ticketTimeLimit: '2026-11-20T08:30:00Z', birthDate: '1990-01-01', other: '2026-12-01' },
    };
    const startAt = Date.parse(AT) + 40 * 86_400_000 + 3_600_000;
    replay = await startReplay(parseTape(text(line('OTA_ReadRQ', {}, reply))), { startAt });
    expect(await replies(['OTA_ReadRQ', {}])).toEqual([
      {
        ...{ departureDateTime: '2027-01-10T08:00:00.000+03:00', journeyDate: '2027-02-09', dates: ['2027-01-10'] },
        ...{ ticketTimeLimit: '2026-12-30T09:30:00.000Z', birthDate: '1990-01-01', other: '2026-12-01' },
      },
    ]);
  });
});

it('answers with the recorded status, delay and content type, and with invented tokens', async () => {
  await play(
    line('token', {}, { access_token: '[dropped]', expires_in: 300 }),
    line('OTA_ReadRQ', read('ABC123'), { code: '888' }, { status: 429, retry_after: 9 }),
    line('OTA_AirSeatMapRQ', {}, undefined, { status: 502, reply_was: { kind: 'html', length: 5 } }),
    line('OTA_AirBookRQ', {}, undefined, { status: undefined, failed: 'closed', sent: true }),
  );
  const { url, settings } = replay;
  const login = { method: 'POST', body: new URLSearchParams() };
  const token = await fetch(`${url}/realms/x/protocol/openid-connect/token`, login);
  expect(await token.json()).toMatchObject({ expires_in: 300, access_token: 'replay' });
  const throttled = await post('OTA_ReadRQ', read('ABC123'));
  expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '9']);
  const page = await fetch(`${settings.FARECLERK_BASE_URL}/OTA_AirSeatMapRQ`, { method: 'POST', body: '{}' });
  expect([page.status, await page.text()]).toEqual([502, expect.stringMatching(/^<html>/)]);
  await expect(post('OTA_AirBookRQ', {})).rejects.toThrow();
  expect(settings.FARECLERK_CURRENCY).toBe('AED');
  expect(replay.missing()).toEqual([]);
});

describe('a file that is not a recording', () => {
  it.each([
    ['', /empty/],
    ['{"recording": 2}', /Line 1 of the recording is not one of its lines: recording/],
    [`${text()}\nnot json`, /Line 2 of the recording is not JSON/],
    [`${text()}\n{"message": "OTA_ReadRQ"}`, /Line 2 .*: at/],
    [JSON.stringify({ ...HEAD, settings: { PATH: '/bin' } }), /Line 1/],
  ])('%s', (content, words) => {
    expect(() => parseTape(content)).toThrow(words);
  });

  it('exits with code 2 and names the problem of a bad recording', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fareclerk-replay-'));
    writeFileSync(join(folder, 'bad.jsonl'), 'not json');
    for (const [args, words] of [
      [['--replay', join(folder, 'bad.jsonl')], /Line 1 of the recording/],
      [['--replay', join(folder, 'none.jsonl')], /cannot be read/],
      [['--replay', 'x', '--dialect', 'rail'], /--dialect: does not go with --replay/],
    ] as const) {
      const { run, stderr } = screen({});
      expect(await run('sandbox', ...args)).toBe(2);
      expect(stderr()).toMatch(words);
    }
  });
});
