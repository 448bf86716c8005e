import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TransportFailure } from '../../../src/ota/errors/transport-failure.ts';
import { type RecordingOptions, recordingTransport } from '../../../src/ota/recording/recorder.ts';
import type { HttpReply, HttpRequest, Transport } from '../../../src/ota/transport/http.ts';
import { parseTape } from '../../../src/sandbox/replay.ts';

const newFile = (...path: string[]): string => join(mkdtempSync(join(tmpdir(), 'fareclerk-rec-')), ...path);

/** A transport that answers so, recorded in the file. */
function recorded(file: string, send: Transport['send'], more: Partial<RecordingOptions> = {}): Transport {
  const transport = { send, renew() {}, close: async () => undefined };
  return recordingTransport(transport, {
    file,
    addresses: { base_url: 'https://air.example/v2015b/OTA?subscription=s3cr3t', rest_url: 'https://rest.example' },
    key: Buffer.from('key'),
    secrets: [],
    version: '9.9.9',
    settings: { FARECLERK_CURRENCY: 'SAR' },
    now: () => Date.parse('2026-11-20T08:00:00Z'),
    ...more,
  });
}

const request: HttpRequest = {
  purpose: 'read',
  method: 'POST',
  url: 'https://air.example/v2015b/OTA?subscription=s3cr3t',
  headers: { 'local-name': 'OTA_ReadRQ', 'x-api-key': 'k-123456', 'content-type': 'application/json' },
  body: JSON.stringify({ version: '2.001' }),
  deadlineMs: 1_000,
};
const reply = (body: unknown, more: Partial<HttpReply> = {}): HttpReply => ({
  status: 200,
  text: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
});

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a recording', () => {
  it('keeps nothing of a ticket but its type and length, and no name or locator of its address', async () => {
    const file = newFile('calls.jsonl');
    const pdf = Buffer.from('%PDF-1.4 (LINA BERG)');
    const transport = recorded(file, async () => ({ status: 200, text: '', bytes: pdf }));
    const address = 'https://rest.example/tickets/confirmation/K7PL2M/download/passenger-segment';
    const query = 'firstName=LINA&lastName=BERG&ticketNumber=2201234500017&couponNumber=2';
    await transport.send({
      ...request,
      headers: {},
      method: 'GET',
      url: `${address}?${query}`,
      body: undefined as never,
    });
    await transport.close();
    const [, line] = linesOf(file);
    expect(line).toMatchObject({
      message: 'passenger-segment',
      url: '{rest_url}/tickets/confirmation/{locator}/download/passenger-segment',
      request: { couponNumber: '2' },
      reply_was: { kind: 'pdf', length: pdf.length },
    });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/LINA|BERG|K7PL2M|2201234500017|%PDF/i);
    expect(parseTape(text).exchanges).toHaveLength(1);
  });

  it('writes a head and one line per exchange: message, placeholder, status, reply', async () => {
    const file = newFile('deep', 'calls.jsonl');
    const transport = recorded(file, async () => reply({ success: {} }));
    expect(await transport.send(request)).toEqual(reply({ success: {} }));
    await transport.close();
    const [head, line] = linesOf(file);
    expect(head).toEqual({
      recording: 1,
      fareclerk: '9.9.9',
      at: '2026-11-20T08:00:00.000Z',
      settings: { FARECLERK_CURRENCY: 'SAR' },
    });
    expect(line).toEqual({
      at: '2026-11-20T08:00:00.000Z',
      ms: 0,
      message: 'OTA_ReadRQ',
      method: 'POST',
      url: '{base_url}',
      with: ['x-api-key'],
      request: { version: '2.001' },
      status: 200,
      reply: { success: {} },
    });
    expect(readFileSync(file, 'utf8')).not.toContain('s3cr3t');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('keeps only the kind of a reply that is not JSON, the wait of a throttled one and the kind of a failure', async () => {
    const file = newFile('calls.jsonl');
    const answers = [
      () => reply('<html>Amal Haddad</html>', { status: 502 }),
      () => reply({ code: '888' }, { status: 429, retryAfterSeconds: 7 }),
      () => {
        throw new TransportFailure('timeout', true);
      },
      () => {
        throw new TransportFailure('unreachable', false);
      },
    ];
    const transport = recorded(file, async () => (answers.shift() as () => HttpReply)());
    for (let index = 0; index < 4; index += 1) await transport.send(request).catch(() => undefined);
    await transport.close();
    const [, html, throttled, silent, unsent] = linesOf(file);
    expect(html).toMatchObject({ status: 502, reply_was: { kind: 'html', length: 24 } });
    expect(throttled).toMatchObject({ status: 429, retry_after: 7 });
    expect(silent).toMatchObject({ failed: 'timeout', sent: true });
    expect(unsent).toMatchObject({ failed: 'unreachable', sent: false });
    expect(readFileSync(file, 'utf8')).not.toContain('Amal');
    // A request that was not sent is not played back.
    expect(parseTape(readFileSync(file, 'utf8')).exchanges).toHaveLength(3);
  });

  it('passes a failure on unchanged', async () => {
    const failure = new TransportFailure('closed', true);
    const transport = recorded(newFile('calls.jsonl'), () => Promise.reject(failure));
    await expect(transport.send(request)).rejects.toBe(failure);
    await transport.close();
  });

  it('uses the same pseudonym for the same person in several processes', async () => {
    const file = newFile('calls.jsonl');
    const named = { personName: { givenName: ['Amal'], surname: 'Haddad' } };
    for (const run of [1, 2]) {
      const transport = recorded(file, async () => reply({ ...named, run }));
      await transport.send(request);
      await transport.close();
    }
    const replies = linesOf(file).flatMap((line) => (line.reply === undefined ? [] : [line.reply.personName]));
    expect(replies).toHaveLength(2);
    expect(replies[0]).toEqual(replies[1]);
    expect(parseTape(readFileSync(file, 'utf8')).exchanges).toHaveLength(2);
  });

  it('reports a settings error that names the variable if the recording cannot be opened', () => {
    const path = newFile('file');
    writeFileSync(path, '');
    expect(() => recorded(join(path, 'calls.jsonl'), async () => reply({}))).toThrow(
      expect.objectContaining({ code: 'E_CONFIG', next: expect.stringContaining('FARECLERK_RECORD_FILE') }),
    );
  });

  it('reports once that a recording can no longer be written, and disturbs no exchange', async () => {
    let lost = 0;
    const transport = recorded('/dev/full', async () => reply({ success: {} }), { onLost: () => (lost += 1) });
    for (let index = 0; index < 3; index += 1) expect((await transport.send(request)).status).toBe(200);
    await transport.close();
    expect(lost).toBe(1);
  });
});
