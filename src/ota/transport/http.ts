/**
 * Makes one HTTP exchange: no retry, no redirect, one deadline, a bounded body. Says whether a byte may have left.
 *
 * HTTP/2 is off: after GOAWAY or REFUSED_STREAM undici sends a POST again by itself, and a booking would be made twice.
 * `pipelining: 0` means a new socket per request: no stale connection, and no late reply to another request. Reads and
 * searches share sockets. Their replies are checked (errors/reply-identity.ts), and a foreign one ends its socket.
 *
 * First the connections, then the transport, then one request on it, at the end how its reply is read.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import type { ZlibOptions } from 'node:zlib';
import type { Agent, Dispatcher } from 'undici';
import { classifyFailure, TransportFailure } from '../errors/transport-failure.ts';
import { parseAddress } from './addresses.ts';

/** What a request is for, which decides its connections and limits. */
export type Purpose = 'read' | 'search' | 'money' | 'identity';

const MIB_BYTES = 1 << 20;
/** A new socket for every request. */
const ONE_REQUEST_A_SOCKET = { allowH2: false, pipelining: 0 } as const;
/** Sockets that one request after another uses. */
const SHARED_SOCKETS = { allowH2: false, pipelining: 1, keepAliveTimeout: 4_000, keepAliveMaxTimeout: 10_000 } as const;
const READ = { ...SHARED_SOCKETS, connections: 64, bodyTimeout: 5_000, maxResponseSize: 8 * MIB_BYTES };

/** Settings of undici's agents; times in milliseconds. */
const SETTINGS = {
  read: READ,
  search: READ,
  money: { ...ONE_REQUEST_A_SOCKET, connections: 32, bodyTimeout: 20_000, maxResponseSize: 4 * MIB_BYTES },
  identity: { ...ONE_REQUEST_A_SOCKET, connections: 4, bodyTimeout: 5_000, maxResponseSize: MIB_BYTES },
} as const satisfies Readonly<Record<Purpose, Agent.Options>>;

/** How long a connection may take, milliseconds. */
const CONNECT_MS: Readonly<Record<Purpose, number>> = { read: 3_000, search: 3_000, money: 5_000, identity: 3_000 };

/**
 * Reads ask for compressed replies. A send does not, so that a broken reply can still be read. Nothing asks for `deflate`: some services
 * send it without the zlib format around it (RFC 9110, 8.4.1.2).
 */
const ENCODINGS: Readonly<Record<Purpose, string>> = {
  read: 'gzip, br',
  search: 'gzip, br',
  money: 'identity',
  identity: 'identity',
};

/** Most bytes of a reply, on the wire and unpacked. */
const mostBytesFor = (purpose: Purpose): number => SETTINGS[purpose].maxResponseSize;

/**
 * undici's agents, one per purpose, so that no kind of call can starve or disturb another. undici is the largest part of a
 * cold start and is loaded with the first call.
 * @param ca certificate authorities to trust instead of the platform's (PEM)
 */
function createAgents(ca?: string) {
  const agents = new Map<Purpose, Promise<Agent>>();

  /** All that were started: some only finish the calls under way. */
  const startedAgents = new Set<Agent>();
  let isClosed = false;

  const start = async (purpose: Purpose): Promise<Agent> => {
    const undici = await import('undici');
    const connect = { timeout: CONNECT_MS[purpose], ...(ca === undefined ? {} : { ca }) };
    const agent = new undici.Agent({ ...SETTINGS[purpose], connect });
    startedAgents.add(agent);
    return agent;
  };

  const retire = async (agent: Agent): Promise<void> => {
    await agent.close().catch(() => {});
    startedAgents.delete(agent);
  };

  return {
    get(purpose: Purpose): Promise<Agent> {
      if (isClosed) return Promise.reject(new Error('the connections to the airline are closed'));
      const agent = agents.get(purpose) ?? start(purpose);
      agents.set(purpose, agent);
      return agent;
    },

    /** Drops the sockets of a purpose once their calls are over: one of them carried a foreign reply. */
    replaceConnections(purpose: Purpose): void {
      const agent = agents.get(purpose);
      agents.delete(purpose);
      agent?.then(retire, () => {});
    },

    /** Ends all connections and the calls on them. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.allSettled(agents.values());
      agents.clear();
      await Promise.all([...startedAgents].map((agent) => agent.destroy().catch(() => {})));
    },
  };
}

export interface HttpRequest {
  readonly purpose: Purpose;
  readonly method: 'GET' | 'POST';
  /** http or https, checked by addresses.ts. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Total milliseconds from call to last byte. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  /** Asked once, when the socket is connected and no byte has left. If it returns false or throws, nothing is sent. */
  readonly mayStart?: () => boolean;
  /** The reply is a file: its bytes are kept, up to this many. */
  readonly fileBytes?: number;
}

export interface HttpReply {
  readonly status: number;
  /** Empty for a PDF that was asked for with `fileBytes`. */
  readonly text: string;
  /** The body as it came, if `fileBytes` was given. */
  readonly bytes?: Uint8Array;
  /** From `Retry-After`, in seconds or as a date. */
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<IncomingHttpHeaders>;
}

export interface Transport {
  /** Rejects with {@link TransportFailure}, or with a ClerkError before anything is sent. A reply of any status resolves. */
  exchange(request: HttpRequest): Promise<HttpReply>;
  /** Opens new connections for the next calls with this purpose. Those under way end on the old ones. */
  replaceConnections(purpose: Purpose): void;
  /** Ends every connection. A send under way fails as `sent`. */
  close(): Promise<void>;
}

/** Connects with the first {@link Transport.exchange}. `ca`: PEM authorities to trust instead of the platform's. */
export function createTransport(options: { readonly ca?: string } = {}): Transport {
  const agents = createAgents(options.ca);
  return {
    async exchange(request) {
      const agent = await agents.get(request.purpose).catch((cause: unknown) => {
        throw new TransportFailure('unreachable', false, { cause });
      });

      const result = Promise.withResolvers<BufferedReply>();
      const handler = new RequestHandler(request, result);
      const url = parseAddress(request.url);

      try {
        agent.dispatch(
          {
            origin: url.origin,
            path: url.pathname + url.search,
            method: request.method,
            headers: { 'accept-encoding': ENCODINGS[request.purpose], 'user-agent': 'fareclerk', ...request.headers },
            body: request.body ?? null,
            headersTimeout: request.deadlineMs,
          },
          handler,
        );
      } catch (cause) {
        handler.fail(classifyFailure(cause, handler.sent, false), cause);
      }

      return readReply(await result.promise, request);
    },
    replaceConnections: (purpose) => agents.replaceConnections(purpose),
    close: () => agents.close(),
  };
}

interface BufferedReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** undici's handler of one request, settled by what comes first: reply, error, deadline, fence or the caller. */
class RequestHandler implements Dispatcher.DispatchHandler {
  /** Set in onRequestStart: undici writes the first byte right after it, in the same turn. */
  sent = false;
  readonly #request: HttpRequest;
  readonly #result: PromiseWithResolvers<BufferedReply>;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #received = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  /** 0 until the head of the reply is here. */
  #status = 0;
  #headers: IncomingHttpHeaders = {};

  constructor(request: HttpRequest, result: PromiseWithResolvers<BufferedReply>) {
    this.#request = request;
    this.#result = result;
    this.#timer = setTimeout(() => this.fail('timeout'), request.deadlineMs);
    if (request.signal?.aborted) this.fail('aborted', request.signal.reason);
    else request.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;

    // A second start would send the request again.
    if (this.#settled || this.sent) {
      controller.abort(new Error('not to be sent'));
      return;
    }

    try {
      this.sent = this.#request.mayStart?.() ?? true;
    } catch {
      // A fence that cannot answer is closed.
    }

    if (!this.sent) this.fail('fenced');
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.byteLength;
    if (this.#received > (this.#request.fileBytes ?? Number.POSITIVE_INFINITY)) this.fail('too_large');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.#settle()) return;
    this.#result.resolve({ status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks) });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(classifyFailure(error, this.sent, this.#status !== 0), error);
  }

  fail(kind: TransportFailure['kind'], cause?: unknown): void {
    if (!this.#settle()) return;
    this.#result.reject(new TransportFailure(kind, this.sent, { cause }));
    this.#controller?.abort(new Error('given up'));
  }

  readonly #onAbort = (): void => this.fail('aborted', this.#request.signal?.reason);

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

async function readReply(reply: BufferedReply, { purpose, fileBytes }: HttpRequest): Promise<HttpReply> {
  const body = await unpack(reply, fileBytes ?? mostBytesFor(purpose));
  const { status, headers } = reply;
  const retryAfterSeconds = parseRetryAfter(headers);
  const head = { status, headers, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  if (fileBytes === undefined) return { ...head, text: readText(reply, body) };
  return { ...head, text: isPdf(body) ? '' : readText(reply, body), bytes: body };
}

/**
 * The text of a body, without a byte order mark: UTF-8 if it is that (RFC 8259, 8.1), else in the charset that its Content-Type names.
 * Of an error only the code and the status are used, so it may have replacement signs.
 * @throws TransportFailure for any other body: a name in it would be shown, approved and sent back with signs that stand for nothing
 */
function readText({ status, headers }: BufferedReply, body: Buffer): string {
  if (isUtf8(body)) return withoutMark(body.toString('utf8'));

  const [, charset = ''] = /charset="?([\w-]+)/i.exec((headers['content-type'] ?? '').slice(0, 200)) ?? [];
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body);
  } catch (cause) {
    if (status >= 400) return withoutMark(body.toString('utf8'));
    throw new TransportFailure('undecodable', true, { cause });
  }
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Packings of a body, as its headers name them, and the functions of node:zlib that unpack each. */
const UNPACKERS = [
  ['gzip', 'gunzip'],
  ['deflate', 'inflate'],
  ['br', 'brotliDecompress'],
] as const;

/**
 * Unpacks a body by its content coding. Airlines also name there `UTF-8` or `none`, and proxies repeat one that was applied once.
 * @param mostBytes limit on the unpacked bytes: a small packed body can unpack to any size
 */
async function unpack({ headers, body }: BufferedReply, mostBytes: number): Promise<Buffer> {
  const codings = String(headers['content-encoding'] ?? '').toLowerCase();
  const [, unpacker] = UNPACKERS.find(([coding]) => codings.includes(coding)) ?? [];
  if (unpacker === undefined || body.length === 0) return body;

  // Loaded here, so that a start does not load zlib.
  const zlib = await import('node:zlib');
  try {
    return await promisify<Buffer, ZlibOptions, Buffer>(zlib[unpacker])(body, { maxOutputLength: mostBytes });
  } catch (cause) {
    const isTooLarge = classifyFailure(cause, true, false) === 'too_large';
    throw new TransportFailure(isTooLarge ? 'too_large' : 'garbled', true, { cause });
  }
}

/** Whether a file begins as a PDF (ISO 32000-1, 7.5.2). */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-';
}

/**
 * The seconds, rounded up, of `Retry-After: 120` or of an HTTP date (RFC 9110, 10.2.3): from the reply's own `Date`, because the clocks of
 * the airline and of this machine may differ.
 */
function parseRetryAfter({ 'retry-after': value, date = '' }: IncomingHttpHeaders): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value.trim());
  const [instant, sentAt] = [parseHttpDate(value), parseHttpDate(date)];
  return instant === undefined ? undefined : Math.max(0, Math.ceil((instant - (sentAt ?? Date.now())) / 1_000));
}

/** An HTTP date begins with the day of the week: Date.parse alone takes `-5` for a month. */
function parseHttpDate(value: string): number | undefined {
  const instant = /^[A-Za-z]{3,9},? /.test(value.trim()) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

/** Posts a form to the identity provider: what auth/airline/token-request.ts needs of HTTP. */
export function formPoster(transport: Transport, deadlineMs = 5_000) {
  return (url: string, form: URLSearchParams): Promise<HttpReply> => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    return transport.exchange({ purpose: 'identity', method: 'POST', url, headers, body: form.toString(), deadlineMs });
  };
}
