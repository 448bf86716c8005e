/**
 * Records what goes over the wire, redacted, one exchange a line. It never changes or delays an exchange. After a line
 * that cannot be written, or a full file, the recording ends, and `onLost` is called once. It is called for each exchange
 * that cannot be redacted.
 */

import { closeSync, fstatSync, writeSync } from 'node:fs';
import { ClerkError } from '../../core/errors.ts';
import { ForeignError } from '../../files/foreign.ts';
import { openOwn } from '../../files/own-files.ts';
import { TransportFailure } from '../errors/transport-failure.ts';
import { type JsonReading, readJson } from '../messages/json.ts';
import type { HttpReply, HttpRequest, Transport } from '../transport/http.ts';
import { Redactor } from './redact.ts';

interface RecordingOptions {
  readonly file: string;
  readonly secrets: readonly string[];
  readonly version: string;
  /** Settings that shape what is sent, without secrets. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Called when the recording ends before its time, and for each exchange that cannot be redacted. */
  readonly onLost?: () => void;
}

/** A recording ends before its file is larger than this, bytes. */
const MOST_BYTES = 64 << 20;
const SECRET_HEADERS = ['x-api-key', 'authorization', 'x-refresh-token'] as const;
const CREDENTIAL_HEADERS = [...SECRET_HEADERS, 'x-realm'];

/** Wraps a transport so that each exchange is recorded. Throws E_CONFIG if the file cannot be opened. */
export function recordingTransport(transport: Transport, options: RecordingOptions): Transport {
  const { now = Date.now, settings, version } = options;
  const redactor = new Redactor(options.secrets);
  const file = openFile(options.file);
  let isOpen = true;

  function write(line: object): void {
    if (!isOpen) return;

    try {
      const text = `${JSON.stringify(line)}\n`;
      if (fstatSync(file).size + text.length > MOST_BYTES) throw new Error('full');
      // One write of the whole line: several processes may append to one file.
      writeSync(file, text);
    } catch {
      endRecording();
      options.onLost?.();
    }
  }

  function endRecording(): void {
    if (!isOpen) return;
    isOpen = false;
    closeSync(file);
  }

  function recordExchange(request: HttpRequest, startedAt: number, outcome: ExchangeOutcome): void {
    const times = { at: new Date(startedAt).toISOString(), ms: Math.max(0, Math.round(now() - startedAt)) };
    try {
      for (const name of SECRET_HEADERS) redactor.hide((request.headers[name] ?? '').replace(/^Bearer /, ''));
      write({ ...times, ...recordedLine(request, outcome, redactor) });
    } catch {
      options.onLost?.();
    }
  }

  // The first line of every process says what a reader of the recording needs to know.
  write({ recording: 1, fareclerk: version, at: new Date(now()).toISOString(), settings });

  return {
    ...transport,

    async exchange(request) {
      const startedAt = now();
      try {
        const reply = await transport.exchange(request);
        recordExchange(request, startedAt, { reply });
        return reply;
      } catch (error) {
        if (error instanceof TransportFailure) recordExchange(request, startedAt, { failure: error });
        throw error;
      }
    },

    async close() {
      await transport.close();
      endRecording();
    },
  };
}

function openFile(path: string): number {
  try {
    return openOwn(path, 'append');
  } catch (cause) {
    const why = cause instanceof ForeignError ? cause.brief : 'cannot be opened for writing';
    const message = `The file of FARECLERK_RECORD_FILE ${why}. Nothing was sent.`;
    throw new ClerkError('E_CONFIG', message, {
      next: 'Ask the operator to set FARECLERK_RECORD_FILE to a file that can be written, or to unset it.',
      cause,
    });
  }
}

/** How an exchange ended. Exactly one is set. */
interface ExchangeOutcome {
  readonly reply?: HttpReply;
  readonly failure?: TransportFailure;
}

function recordedLine(request: HttpRequest, { reply, failure }: ExchangeOutcome, redactor: Redactor) {
  const url = new URL(request.url);
  const parts = readParts(request, url);
  const reading = reply === undefined ? undefined : readJson(reply.text);

  // Request and reply are both searched for personal data before either is written.
  redactor.learn(parts);
  if (reading?.ok) redactor.learn(reading.value);

  return {
    message: messageName(request, url),
    method: request.method,
    /** Names of the headers that carried credentials. */
    with: CREDENTIAL_HEADERS.filter((name) => request.headers[name] !== undefined),
    request: redactor.redact(parts),
    ...(reply !== undefined && reading !== undefined && recordedReply(reply, reading, redactor)),
    failed: failure?.kind,
    sent: failure?.sent,
  };
}

/** `OTA_ReadRQ`, or what the path ends with: `routes`, `calendar`, `token`. */
function messageName({ headers }: HttpRequest, { pathname }: URL): string {
  const [end = '', before = ''] = pathname.split('/').reverse();
  const endOfPath = end === 'availability' ? before : end;
  return headers['local-name'] ?? (/^[\w-]{1,64}$/.test(endOfPath) ? endOfPath : 'unknown');
}

/** The parameters or the JSON value that a request sends. */
function readParts({ body, headers }: HttpRequest, url: URL): unknown {
  if (body === undefined) return Object.fromEntries(url.searchParams);
  if (headers['content-type'] === 'application/x-www-form-urlencoded')
    return Object.fromEntries(new URLSearchParams(body));
  const reading = readJson(body);
  return reading.ok ? reading.value : null;
}

function recordedReply(
  { status, text, bytes, retryAfterSeconds }: HttpReply,
  reading: JsonReading,
  redactor: Redactor,
) {
  const start = { status, retry_after: retryAfterSeconds };
  if (bytes !== undefined && text === '') return { ...start, reply_was: { kind: 'pdf', length: bytes.length } };
  if (!reading.ok) return { ...start, reply_was: { kind: reading.problem, length: text.length } };
  return { ...start, reply: redactor.redact(reading.value) };
}
