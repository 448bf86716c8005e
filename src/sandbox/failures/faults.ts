/**
 * Faults on demand: ordered for the nth next call of a message, stored in the state so that another process can place
 * them, and played on the wire.
 */
import type { ServerResponse } from 'node:http';
import { jsonReply, type Reply, refusalReply } from '../calls.ts';
import { Refusal } from '../refusal.ts';
import { type CarrierState, inStateFile } from '../state.ts';

export type SandboxFaultKind = keyof typeof ACTS;

/** Messages by name (`OTA_AirBookRQ`); other calls are `token`, `routes`, `calendar`, `email` and `download`. */
export interface SandboxFault {
  /** `*` for every call. */
  readonly message: string;
  readonly kind: SandboxFaultKind;
  /** Counted from now; default 1, the next call. */
  readonly nth?: number;
  /** How many calls in a row; default 1. */
  readonly times?: number;
  /** Real milliseconds, for kinds that wait: hang (default until the caller disconnects), late, late-commit, drip per byte. */
  readonly ms?: number;
  /** HTTP status of `…5xx…`, `4xx-before`, `commit-then-error` and `error-before`. */
  readonly status?: number;
  /** Code of `commit-then-error` and `error-before`: digits, or a word such as `TIMEOUT` (default `SYSTEM_ERROR`). */
  readonly code?: string;
  /** `type` sent with a word; default `system`. */
  readonly type?: string;
  /** Seconds of `Retry-After`, for `throttled`. */
  readonly retryAfter?: number;
  /** Where `redirect` points; default a host that does not exist. */
  readonly location?: string;
  /** Bytes that `oversized` adds to the file; default 6 MiB. */
  readonly bytes?: number;
}

export function placeFault(state: CarrierState, fault: SandboxFault): void {
  const { message, nth = 1, times = 1 } = fault;
  if (!Object.hasOwn(ACTS, fault.kind))
    throw new Error(`no fault ${fault.kind}; known: ${Object.keys(ACTS).join(', ')}`);
  const columns = '(message, skip, times, fault)';
  state.run(`INSERT INTO faults ${columns} VALUES (?, ?, ?, ?)`, message, nth - 1, times, JSON.stringify(fault));
}

/** An order that has not struck yet. */
export interface OrderedFault {
  readonly message: string;
  readonly kind: string;
  /** Calls that pass before it strikes. */
  readonly skip: number;
  readonly times: number;
}

export function orderedFaults(state: CarrierState): readonly OrderedFault[] {
  return state.rows('SELECT * FROM faults ORDER BY id').map(({ message, skip, times, fault }) => {
    const { kind } = JSON.parse(String(fault)) as SandboxFault;
    return { message: String(message), kind, skip: Number(skip), times: Number(times) };
  });
}

/** Reads the orders from another process, through the airline's `stateFile`. */
export function readOrders(stateFile: string): readonly OrderedFault[] {
  return inStateFile(stateFile, orderedFaults);
}

/** Orders a fault from another process, through the airline's `stateFile`. */
export function orderFault(stateFile: string, fault: SandboxFault): void {
  inStateFile(stateFile, (state) => placeFault(state, fault));
}

/** Counts the call and returns the fault ordered for it, if any. */
export function takeFault(state: CarrierState, message: string): SandboxFault | undefined {
  // Usually there are no orders: then nothing is written.
  if (state.row('SELECT 1 FROM faults LIMIT 1') === undefined) return undefined;
  return state.change(() => {
    const orders = state.rows(`SELECT * FROM faults WHERE message IN (?, '*') ORDER BY id`, message);
    let due: SandboxFault | undefined;
    for (const order of orders) {
      const id = Number(order.id);
      if (Number(order.skip) > 0) {
        state.run('UPDATE faults SET skip = skip - 1 WHERE id = ?', id);
      } else if (due === undefined) {
        due = JSON.parse(String(order.fault)) as SandboxFault;
        state.run('UPDATE faults SET times = times - 1 WHERE id = ?', id);
      }
    }
    state.run('DELETE FROM faults WHERE times <= 0');
    return due;
  });
}

/** Delayed work. When the sandbox closes, the rest of it runs at once. */
export class Pending {
  readonly #jobs = new Map<NodeJS.Timeout, () => void>();

  after(ms: number, job: () => void): void {
    const timer = setTimeout(() => {
      this.#jobs.delete(timer);
      job();
    }, ms);
    this.#jobs.set(timer, job);
  }

  /** Runs all of it now. */
  flush(): void {
    for (const [timer, job] of this.#jobs) {
      clearTimeout(timer);
      job();
    }
    this.#jobs.clear();
  }
}

export interface Scene {
  answer(): Reply;
  now(): number;
  readonly response: ServerResponse;
  readonly pending: Pending;
}

export function send(response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return;
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
}

/** Resets the connection, as when it is lost. */
function lose(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

/** Does not answer until the caller disconnects, or for `ms`. */
function hang({ response, pending }: Scene, ms: number | undefined): void {
  if (ms !== undefined) pending.after(ms, () => lose(response));
}

function failure(scene: Scene, status: number): Reply {
  return refusalReply(new Refusal(codeFor(status), 'fault', status), scene.now());
}

function codeFor(status: number) {
  if (status === 429) return '888';
  if (status < 500) return '172';
  return status === 500 ? '448' : '187';
}

/** An error with any code and status: digits in the flat form, words in the list form (docs/wire/notes.md, Errors). */
function codedError(scene: Scene, { status = 500, code = 'SYSTEM_ERROR', type = 'system' }: SandboxFault): Reply {
  const at = new Date(scene.now()).toISOString();
  const id = 'fault-0000-0000';
  const body = /^\d+$/.test(code)
    ? { status, error: 'Error', code, title: 'fault', correlationId: id, timestamp: at }
    : { errors: [{ type, code, message: 'fault' }], requestId: id };
  return jsonReply(status, body);
}

function html(status: number): Reply {
  const body = '<html><head><title>Service</title></head><body><h1>Please try again</h1></body></html>';
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function truncated(response: ServerResponse, reply: Reply): void {
  const body = Buffer.from(reply.body);
  response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length });
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
}

const OTHER_LOCATOR = 'ZZ9ZZ9';

/** The good reply with other booking references, as if it belonged to another caller. */
function wrongLocator(reply: Reply): Reply {
  const swapped = JSON.stringify(JSON.parse(String(reply.body)), (key, value) => {
    if (key !== 'id' || typeof value !== 'string') return value;
    if (/^[A-Z0-9]{6}$/.test(value)) return OTHER_LOCATOR;
    return value.length > 6 ? `${value}X` : value;
  });
  return { ...reply, body: swapped };
}

function drip(scene: Scene, reply: Reply, ms: number): void {
  const { response, pending } = scene;
  const bytes = Buffer.from(reply.body);
  response.writeHead(reply.status, { ...reply.headers, 'content-length': bytes.length });
  const next = (at: number): void => {
    if (response.destroyed) return;
    if (at >= bytes.length) {
      response.end();
      return;
    }
    response.write(bytes.subarray(at, at + 1));
    pending.after(ms, () => next(at + 1));
  };
  next(0);
}

function throttled(scene: Scene, { retryAfter = 1 }: SandboxFault): void {
  const reply = failure(scene, 429);
  send(scene.response, { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfter) } });
}

const ELSEWHERE = 'https://elsewhere.invalid/ticket.pdf';

function redirect({ response }: Scene, { status = 302, location = ELSEWHERE }: SandboxFault): void {
  send(response, { status, headers: { location }, body: '' });
}

/** The good file with spaces after its end, which most readers of PDF allow. */
function oversized(reply: Reply, bytes: number): Reply {
  return { ...reply, body: Buffer.concat([Buffer.from(reply.body), Buffer.alloc(bytes, ' ')]) };
}

function as(type: string, reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, 'content-type': type } };
}

type Act = (scene: Scene, fault: SandboxFault) => void;

/**
 * `commit-…`: the airline acts and its answer fails. `…-before`: it does not act. For downloads: `wrong-type` sends the file
 * as another type, `mislabelled` sends an error page as the file's type.
 */
const ACTS = {
  'commit-then-lose': (scene) => {
    scene.answer();
    lose(scene.response);
  },
  'commit-then-hang': (scene, { ms }) => {
    scene.answer();
    hang(scene, ms);
  },
  'commit-then-5xx': (scene, { status = 502 }) => {
    scene.answer();
    send(scene.response, failure(scene, status));
  },
  'commit-then-truncated': (scene) => truncated(scene.response, scene.answer()),
  'commit-then-late': (scene, { ms = 1000 }) => {
    const reply = scene.answer();
    scene.pending.after(ms, () => send(scene.response, reply));
  },
  'commit-then-html': (scene, { status = 200 }) => {
    scene.answer();
    send(scene.response, html(status));
  },
  'commit-then-error': (scene, fault) => {
    scene.answer();
    send(scene.response, codedError(scene, fault));
  },
  'late-commit': (scene, { ms = 1000 }) => {
    lose(scene.response);
    scene.pending.after(ms, () => {
      scene.answer();
    });
  },
  'lose-before': (scene) => lose(scene.response),
  'hang-before': (scene, { ms }) => hang(scene, ms),
  '5xx-before': (scene, { status = 503 }) => send(scene.response, failure(scene, status)),
  '4xx-before': (scene, { status = 422 }) => send(scene.response, failure(scene, status)),
  'error-before': (scene, fault) => send(scene.response, codedError(scene, fault)),
  throttled,
  unauthorized: (scene) => send(scene.response, refusalReply(new Refusal('497', 'fault'), scene.now())),
  html: (scene, { status = 200 }) => send(scene.response, html(status)),
  'empty-body': (scene) => send(scene.response, { ...scene.answer(), body: '' }),
  'wrong-locator': (scene) => send(scene.response, wrongLocator(scene.answer())),
  'slow-drip': (scene, { ms = 5 }) => drip(scene, scene.answer(), ms),
  redirect,
  'wrong-type': (scene) => send(scene.response, as('application/octet-stream', scene.answer())),
  mislabelled: (scene) => send(scene.response, as('application/pdf', html(200))),
  oversized: (scene, { bytes = 6 << 20 }) => send(scene.response, oversized(scene.answer(), bytes)),
} as const satisfies Readonly<Record<string, Act>>;

export function playFault(fault: SandboxFault, scene: Scene): void {
  const act: Act = ACTS[fault.kind];
  act(scene, fault);
}
