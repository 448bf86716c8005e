/**
 * Playing recordings back: which exchange answers which call, and how replies are made to fit the caller of today.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Echo } from '../../src/sandbox/replay/echo.ts';
import { Session } from '../../src/sandbox/replay/session.ts';
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

describe('which exchange answers', () => {
  const session = (...lines: readonly object[]) => new Session(parseTape(text(...lines)));
  const replies = (one: Session, calls: readonly (readonly [string, unknown])[]) =>
    calls.map(([message, request]) => one.next(message, request)?.reply);

  it('repeats readings between two changes, and moves on after the next change', () => {
    const one = session(
      line('OTA_ReadRQ', read('ABC123'), 'held'),
      line('OTA_AirDemandTicketRQ', {}, 'paid'),
      line('OTA_ReadRQ', read('ABC123'), 'ticketed 1'),
      line('OTA_ReadRQ', read('ABC123'), 'ticketed 2'),
    );
    const reading = ['OTA_ReadRQ', read('ABC123')] as const;
    expect(replies(one, [reading, reading, ['OTA_AirDemandTicketRQ', {}], reading, reading, reading])).toEqual([
      'held',
      'held',
      'paid',
      'ticketed 1',
      'ticketed 2',
      'ticketed 2',
    ]);
  });

  it('replays the previous reading if none was recorded after the change', () => {
    const one = session(line('routes', {}, 'routes'), line('OTA_AirBookRQ', {}, 'booked'));
    expect(
      replies(one, [
        ['OTA_AirBookRQ', {}],
        ['routes', {}],
      ]),
    ).toEqual(['booked', 'routes']);
  });

  it('plays each change once, by its type, and skips changes that the caller leaves out', () => {
    const one = session(
      line('OTA_AirBookModifyRQ', modify('3'), 'renamed'),
      line('OTA_AirBookModifyRQ', modify('10'), 'cancelled'),
    );
    expect(
      replies(one, [
        ['OTA_AirBookModifyRQ', modify('10')],
        ['OTA_AirBookModifyRQ', modify('10')],
      ]),
    ).toEqual(['cancelled', undefined]);
    expect(one.left('OTA_AirBookModifyRQ')).toBe(1);
  });

  it('chooses the reply of the same booking or station, and of the most similar search', () => {
    const leg = (from: string, to: string, date: string) => ({
      originDestinationInformation: [
        {
          originLocation: { locationCode: from },
          destinationLocation: { locationCode: to },
          departureDateTime: { value: date },
        },
      ],
    });
    const one = session(
      line('OTA_ReadRQ', read('ABC123'), 'first'),
      line('OTA_ReadRQ', read('XYZ789'), 'second'),
      line('OTA_AirLowFareSearchRQ', leg('RUH', 'JED', '2026-12-01'), 'on the first'),
      line('OTA_AirLowFareSearchRQ', leg('RUH', 'JED', '2026-12-02'), 'on the second'),
      line('OTA_AirLowFareSearchRQ', leg('JED', 'RUH', '2026-12-02'), 'back'),
      line('calendar', { departure_airport: 'RUH', arrival_airport: 'JED' }, 'days'),
    );
    expect(
      replies(one, [
        ['OTA_ReadRQ', read('XYZ789')],
        ['OTA_ReadRQ', read('NOBODY')],
        ['OTA_AirLowFareSearchRQ', leg('RUH', 'JED', '2026-12-02')],
        ['OTA_AirLowFareSearchRQ', leg('JED', 'RUH', '2027-01-01')],
        ['OTA_AirLowFareSearchRQ', leg('JED', 'DMM', '2026-12-02')],
        ['calendar', { departure_airport: 'JED', arrival_airport: 'RUH' }],
      ]),
    ).toEqual(['second', undefined, 'on the second', 'back', undefined, undefined]);
  });
});

describe('a reply for the caller of today', () => {
  const person = (given: string, surname: string) => ({
    personName: { givenName: [given], surname },
    comment: [{ value: '1' }],
  });

  it('replaces recorded people by those of the caller, also in merged names and capitals', () => {
    const echo = new Echo(0, 'http://127.0.0.1:1');
    echo.learn(person('Xqzt', 'Vwlmno'), person('Amal', 'Haddad'));
    const reply = { personName: { givenName: ['XQZT BBB'], surname: 'Vwlmno' }, status: 'Xqzt', text: 'Vwlmno' };
    expect(echo.reply(reply)).toEqual({
      personName: { givenName: ['AMAL BBB'], surname: 'Haddad' },
      status: 'Xqzt',
      text: 'Vwlmno',
    });
    expect(echo.reply({ href: '{rest_url}/tickets?firstName=Xqzt' })).toEqual({
      href: 'http://127.0.0.1:1/tickets?firstName=Amal',
    });
  });

  it('moves time limits with the clock, and travel dates by whole days', () => {
    const DAY = 86_400_000;
    const echo = new Echo(40 * DAY + 3_600_000, '');
    expect(
      echo.reply({
        departureDateTime: '2026-12-01T08:00:00.000+03:00',
        journeyDate: '2026-12-31',
        dates: ['2026-12-01'],
        ticketTimeLimit: '2026-11-20T08:30:00Z',
        birthDate: '1990-01-01',
        other: '2026-12-01',
      }),
    ).toEqual({
      departureDateTime: '2027-01-10T08:00:00.000+03:00',
      journeyDate: '2027-02-09',
      dates: ['2027-01-10'],
      ticketTimeLimit: '2026-12-30T09:30:00.000Z',
      birthDate: '1990-01-01',
      other: '2026-12-01',
    });
  });
});

describe('over HTTP', () => {
  let replay: Replay | undefined;
  afterEach(async () => {
    await replay?.close();
    replay = undefined;
  });
  const post = (url: string, message: string, body: unknown) =>
    fetch(url, { method: 'POST', headers: { 'local-name': message }, body: JSON.stringify(body) });

  it('answers with the recorded status, delay and content type, and with invented tokens', async () => {
    replay = await startReplay(
      parseTape(
        text(
          line('token', {}, { access_token: '[dropped]', expires_in: 300 }),
          line('OTA_ReadRQ', read('ABC123'), { code: '888' }, { status: 429, retry_after: 9 }),
          line('OTA_AirSeatMapRQ', {}, undefined, { status: 502, reply_was: { kind: 'html', length: 5 } }),
          line('OTA_AirBookRQ', {}, undefined, { status: undefined, failed: 'closed', sent: true }),
        ),
      ),
    );
    const { url, settings } = replay;
    const token = await fetch(`${url}/realms/x/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(),
    });
    expect(await token.json()).toMatchObject({ expires_in: 300, access_token: 'replay' });
    const throttled = await post(String(settings.FARECLERK_BASE_URL), 'OTA_ReadRQ', read('ABC123'));
    expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '9']);
    const page = await fetch(`${settings.FARECLERK_BASE_URL}/OTA_AirSeatMapRQ`, { method: 'POST', body: '{}' });
    expect([page.status, await page.text()]).toEqual([502, expect.stringMatching(/^<html>/)]);
    await expect(post(url, 'OTA_AirBookRQ', {})).rejects.toThrow();
    expect(settings.FARECLERK_CURRENCY).toBe('AED');
    expect(replay.missing()).toEqual([]);
  });

  it('names a request that has no recorded answer', async () => {
    replay = await startReplay(parseTape(text(line('OTA_AirBookRQ', {}, {}))));
    const { url } = replay;
    const unknown = await post(url, 'OTA_ReadRQ', read('NOBODY'));
    expect([unknown.status, (await unknown.json()) as { code: string }]).toMatchObject([404, { code: '97' }]);
    expect((await post(url, 'OTA_AirDemandTicketRQ', {})).status).toBe(501);
    expect(replay.missing()).toEqual(['OTA_ReadRQ', 'OTA_AirDemandTicketRQ']);
  });
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
