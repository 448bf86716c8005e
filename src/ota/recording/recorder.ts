/**
 * Records what goes over the wire, redacted, one exchange a line. It never changes or delays an exchange: a line that
 * cannot be written is lost, and reported once.
 */
import { closeSync, fstatSync, writeSync } from 'node:fs';
import { ClerkError } from '../../core/errors.ts';
import { ForeignError } from '../../files/foreign.ts';
import { openOwn } from '../../files/own-files.ts';
import { TransportFailure } from '../errors/transport-failure.ts';
import type { HttpReply, HttpRequest, Transport } from '../transport/http.ts';
import { type JsonReading, readJson } from '../transport/json.ts';
import { createPseudonyms, createRedactor, type Redactor } from './redact.ts';

/** Configured addresses. A recording names them by their setting. */
interface RecordedAddresses {
  readonly base_url: string;
  readonly auth_url?: string;
  readonly gateway_url?: string;
  readonly rest_url?: string;
}

interface RecordingOptions {
  readonly file: string;
  readonly addresses: RecordedAddresses;
  /** Key of the pseudonyms, from the state store: all its processes write the same ones. */
  readonly key: Uint8Array;
  readonly secrets: readonly string[];
  readonly version: string;
  /** Settings that shape what is sent, without secrets. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly onLost?: () => void;
}

/** A recording ends when its file has so many bytes. */
const MOST_BYTES = 64 << 20;
const SECRET_HEADERS = ['x-api-key', 'authorization', 'x-refresh-token'] as const;
const CREDENTIAL_HEADERS = [...SECRET_HEADERS, 'x-realm'];

/** Throws E_CONFIG if the file cannot be opened. */
export function recordingTransport(transport: Transport, options: RecordingOptions): Transport {
  const { now = Date.now, addresses, settings, version } = options;
  const restUrl = addresses.rest_url;
  const redactor = createRedactor({
    pseudonyms: createPseudonyms(options.key),
    secrets: options.secrets,
    restUrl,
  });
  const file = openFile(options.file);
  let open = true;

  function write(line: object): void {
    if (!open) return;
    try {
      const text = `${JSON.stringify(line)}\n`;
      if (fstatSync(file).size + text.length > MOST_BYTES) throw new Error('full');
      // One write of the whole line: several processes may append to one file.
      writeSync(file, text);
    } catch {
      end();
      options.onLost?.();
    }
  }

  function end(): void {
    if (!open) return;
    open = false;
    closeSync(file);
  }

  const record = (request: HttpRequest, started: number, outcome: ExchangeOutcome): void => {
    const times = { at: new Date(started).toISOString(), ms: Math.max(0, Math.round(now() - started)) };
    try {
      for (const name of SECRET_HEADERS) redactor.hide((request.headers[name] ?? '').replace(/^Bearer /, ''));
      write({ ...times, ...recordedLine(request, outcome, addresses, redactor) });
    } catch {
      options.onLost?.();
    }
  };

  // The first line of every process: what a reader of the recording needs to know.
  write({ recording: 1, fareclerk: version, at: new Date(now()).toISOString(), settings });
  return {
    ...transport,
    async send(request) {
      const started = now();
      try {
        const reply = await transport.send(request);
        record(request, started, { reply });
        return reply;
      } catch (error) {
        if (error instanceof TransportFailure) record(request, started, { failure: error });
        throw error;
      }
    },
    async close() {
      await transport.close();
      end();
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

interface ExchangeOutcome {
  readonly reply?: HttpReply;
  readonly failure?: TransportFailure;
}

function recordedLine(
  request: HttpRequest,
  { reply, failure }: ExchangeOutcome,
  addresses: RecordedAddresses,
  redactor: Redactor,
) {
  const url = new URL(request.url);
  const sent = readParts(request, url);
  const reading = reply === undefined ? undefined : readJson(reply.text);
  // Both sides are searched for personal data before either is written.
  redactor.learn(sent);
  if (reading?.ok) redactor.learn(reading.value);
  return {
    message: messageName(request, url),
    method: request.method,
    url: addressInWords(url, addresses, request.purpose),
    /** Names of the headers that carried credentials. */
    with: CREDENTIAL_HEADERS.filter((name) => request.headers[name] !== undefined),
    request: redacted(sent, redactor),
    ...(reply !== undefined && reading !== undefined && recordedReply(reply, reading, redactor)),
    failed: failure?.kind,
    sent: failure?.sent,
  };
}

/** Calls without the header that names a message, by the end of their path. */
const BY_PATH: readonly (readonly [path: RegExp, name: string])[] = [
  [/\/schedule\/routes$/, 'routes'],
  [/\/schedule\/calendar\/availability$/, 'calendar'],
  [/\/protocol\/openid-connect\/token$/, 'token'],
];

/** `OTA_ReadRQ`, `routes`, `calendar`, `token`, or the end of the path. */
function messageName({ headers }: HttpRequest, { pathname }: URL): string {
  const named = headers['local-name'] ?? BY_PATH.find(([path]) => path.test(pathname))?.[1];
  const last = pathname.split('/').at(-1) ?? '';
  return named ?? (/^[\w-]{1,64}$/.test(last) ? last : 'unknown');
}

/** Replaces the longest configured address that it begins with, and drops its query. */
function addressInWords(url: URL, addresses: RecordedAddresses, purpose: HttpRequest['purpose']): string {
  const bareUrl = url.origin + url.pathname;
  const longest = Object.entries(addresses)
    .flatMap(([name, address]): [string, string][] => {
      const parsed = URL.parse(String(address));
      return parsed === null ? [] : [[name, parsed.origin + parsed.pathname.replace(/\/+$/, '')]];
    })
    .filter(([, address]) => bareUrl === address || bareUrl.startsWith(`${address}/`))
    .sort(([a, one], [b, other]) => other.length - one.length || rank(a, purpose) - rank(b, purpose))[0];
  if (longest === undefined) return '{elsewhere}';
  const [name, address] = longest;
  const pathBelow = bareUrl
    .slice(address.length)
    .replace(/\/realms\/[^/]+/, '/realms/{tenant}')
    .replace(/\/confirmation\/[^/]+/, '/confirmation/{locator}');
  return `{${name}}${/^[\w/{}-]*$/.test(pathBelow) ? pathBelow : '/…'}`;
}

/** Orders equal addresses: a login belongs to the identity provider, a call does not. */
const rank = (name: string, purpose: HttpRequest['purpose']): number =>
  Number((name === 'auth_url') !== (purpose === 'identity')) + Number(name === 'rest_url');

function readParts({ body, headers }: HttpRequest, url: URL): unknown {
  if (body === undefined) return url.searchParams;
  if (headers['content-type'] === 'application/x-www-form-urlencoded') return new URLSearchParams(body);
  const reading = readJson(body);
  return reading.ok ? reading.value : null;
}

function redacted(parts: unknown, redactor: Redactor): unknown {
  return parts instanceof URLSearchParams ? redactor.parameters(parts) : redactor.tree(parts);
}

function recordedReply(
  { status, text, bytes, retryAfterSeconds }: HttpReply,
  reading: JsonReading,
  redactor: Redactor,
) {
  const after = retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds };
  if (bytes !== undefined && text === '') return { status, ...after, reply_was: { kind: 'pdf', length: bytes.length } };
  if (!reading.ok) return { status, ...after, reply_was: { kind: reading.problem, length: text.length } };
  return { status, ...after, reply: redactor.tree(reading.value) };
}
