/** Plays a recording back over HTTP on loopback, to learn what a dialect does and to test the fix. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OTA_PATH } from './addresses/ota.ts';
import { pdf } from './addresses/pdf.ts';
import { Refusal } from './refusal.ts';
import { Echo } from './replay/echo.ts';
import { Session } from './replay/session.ts';
import type { Tape, TapeExchange } from './replay/tape.ts';
import { jsonReply, type Reply, refusalReply } from './reply.ts';

export { parseTape, readTape, type Tape } from './replay/tape.ts';

export interface ReplayOptions {
  /** Default 0: any free one. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** ms epoch at which the replay begins; default: now. */
  readonly startAt?: number;
}

export interface Replay {
  readonly url: string;
  /** `FARECLERK_*` settings that point a server at it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Calls without a recorded answer, by message. */
  missing(): readonly string[];
  close(): Promise<void>;
}

const BODY_LIMIT = 1 << 20;
/** Accepts any credentials: the recording was made with real ones. */
const ANYTHING = 'replay';

export async function startReplay(tape: Tape, options: ReplayOptions = {}): Promise<Replay> {
  const { host = '127.0.0.1', port = 0, startAt = Date.now() } = options;
  const session = new Session(tape);
  const missing: string[] = [];
  let origin = '';
  let echo: Echo | undefined;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request) {
      size += (chunk as Buffer).length;
      if (size > BODY_LIMIT) throw new Error('too large');
      chunks.push(chunk as Buffer);
    }
    const url = new URL(request.url ?? '/', 'http://replay.invalid');
    const message = messageOf(request, url);
    const asked = parsed(Buffer.concat(chunks).toString('utf8'), url);
    echo ??= new Echo(startAt - tape.recordedAt, origin);
    const exchange = session.next(message, asked);
    if (exchange !== undefined) {
      echo.learn(exchange.request, asked);
      play(exchange, response, echo);
    } else if (message === 'token') {
      send(response, jsonReply(200, tokenBody({})));
    } else {
      missing.push(message);
      send(response, refusalReply(unknown(message, session), Date.now()));
    }
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  origin = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  return {
    url: origin,
    settings: settingsOf(tape, origin),
    missing: () => missing,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Answers calls without a recorded answer: an unknown booking, or the end of the recording. */
function unknown(message: string, session: Session): Refusal {
  if (message === 'OTA_ReadRQ' || message === 'OTA_AirSeatMapRQ') return new Refusal('97', 'not in the recording');
  return new Refusal(
    '187',
    `the recording holds no answer to this ${message} (${session.left(message)} left of it)`,
    501,
  );
}

function play(exchange: TapeExchange, response: ServerResponse, echo: Echo): void {
  const { status, reply, reply_was: was, failed, retry_after: after } = exchange;
  if (status === undefined) {
    // A recorded timeout stays unanswered; other failures end the connection.
    if (failed !== 'timeout' && failed !== 'aborted') response.socket?.resetAndDestroy();
  } else if (was !== undefined) {
    const type = was.kind === 'pdf' ? { 'content-type': 'application/pdf' } : {};
    send(response, { status, headers: { ...type, ...again(after) }, body: OTHER_BODIES[was.kind] });
  } else {
    const json = jsonReply(status, exchange.message === 'token' ? tokenBody(reply) : echo.reply(reply));
    send(response, { ...json, headers: { ...json.headers, ...again(after) } });
  }
}

const again = (after: number | undefined): Record<string, string> =>
  after === undefined ? {} : { 'retry-after': String(after) };

const OTHER_BODIES = {
  empty: '',
  html: '<html><title>replayed</title></html>',
  not_json: 'no json was recorded here',
  too_deep: '['.repeat(200),
  pdf: pdf(['A replayed ticket: the recording holds none']),
} as const;

/** Replaces the token that the recording omits; repeats a refusal. */
function tokenBody(reply: unknown): unknown {
  const fields = typeof reply === 'object' && reply !== null ? { ...reply } : {};
  if ('error' in fields) return fields;
  return { expires_in: 7200, refresh_expires_in: 14_400, ...fields, access_token: ANYTHING, refresh_token: ANYTHING };
}

function messageOf({ headers }: IncomingMessage, { pathname }: URL): string {
  const named = headers['local-name'];
  if (typeof named === 'string') return named;
  if (pathname.endsWith('/token')) return 'token';
  if (pathname === '/schedule/routes') return 'routes';
  return pathname === '/schedule/calendar/availability' ? 'calendar' : (pathname.split('/').at(-1) ?? '');
}

function parsed(body: string, url: URL): unknown {
  if (body === '') return Object.fromEntries(url.searchParams);
  try {
    return JSON.parse(body);
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

function settingsOf({ settings }: Tape, origin: string): Readonly<Record<string, string>> {
  return {
    FARECLERK_BASE_URL: origin + OTA_PATH,
    FARECLERK_AUTH_URL: origin,
    FARECLERK_TENANT: ANYTHING,
    FARECLERK_CLIENT_ID: ANYTHING,
    FARECLERK_CLIENT_SECRET: ANYTHING,
    FARECLERK_USERNAME: ANYTHING,
    FARECLERK_PASSWORD: ANYTHING,
    FARECLERK_GATEWAY_URL: origin,
    FARECLERK_REST_URL: origin,
    FARECLERK_API_KEY: ANYTHING,
    FARECLERK_AGENT_ID: ANYTHING,
    FARECLERK_AGENCY_ID: ANYTHING,
    FARECLERK_CURRENCY: 'SAR',
    ...settings,
  };
}
