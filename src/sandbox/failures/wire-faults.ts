/**
 * Faults on the wire: makes the nth next call of a message fail. First the orders, which the state stores so that
 * another process can order a fault; then how each kind of fault plays.
 */
import type { ServerResponse } from 'node:http';
import { jsonReply, type Reply, refusalReply } from '../calls.ts';
import { Refusal } from '../refusal.ts';
import { type CarrierState, inStateFile } from '../state.ts';

export type SandboxFaultKind = keyof typeof FAULT_PLAYS;

/** Messages by name (`OTA_AirBookRQ`); other calls are `token`, `routes`, `calendar`, `email` and `download`. */
export interface SandboxFault {
  /** `*` for every call. */
  readonly message: string;
  readonly kind: SandboxFaultKind;
  /** Which call from now on; default 1, the next. */
  readonly nth?: number;
  /** How many calls in a row; default 1. */
  readonly times?: number;
  /** Real milliseconds that a kind waits: late, late-commit, drip (a byte), hang (by default as long as the caller). */
  readonly ms?: number;
  /** HTTP status that `…5xx…`, `4xx-before`, `commit-then-error` and `error-before` answer with. */
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

/** Stores an order for a fault. Throws an Error for an unknown kind. */
export function placeFault(state: CarrierState, fault: SandboxFault): void {
  const { message, nth = 1, times = 1 } = fault;
  if (!Object.hasOwn(FAULT_PLAYS, fault.kind))
    throw new Error(`no fault ${fault.kind}; known: ${Object.keys(FAULT_PLAYS).join(', ')}`);
  const sql = 'INSERT INTO faults (message, skip, times, fault) VALUES (?, ?, ?, ?)';
  state.run(sql, message, nth - 1, times, JSON.stringify(fault));
}

/** An order for a fault, with strikes left. */
export interface FaultOrder {
  readonly message: string;
  readonly kind: string;
  /** How many calls pass before it strikes. */
  readonly skip: number;
  readonly times: number;
}

export function readFaultOrders(state: CarrierState): readonly FaultOrder[] {
  return state.rows('SELECT * FROM faults ORDER BY id').map(({ message, skip, times, fault }) => {
    const { kind } = JSON.parse(String(fault)) as SandboxFault;
    return { message: String(message), kind, skip: Number(skip), times: Number(times) };
  });
}

/** Orders a fault from another process, through the airline's `stateFile`. */
export function orderFault(stateFile: string, fault: SandboxFault): void {
  inStateFile(stateFile, (state) => placeFault(state, fault));
}

/** Counts the call and returns the fault ordered for it, if any. */
export function takeFault(state: CarrierState, message: string): SandboxFault | undefined {
  // Usually there are no orders. Then this writes nothing.
  if (state.row('SELECT 1 FROM faults LIMIT 1') === undefined) return undefined;
  return state.change(() => {
    const orders = state.rows(`SELECT * FROM faults WHERE message IN (?, '*') ORDER BY id`, message);
    // Only the oldest due order strikes the call. Orders that are not due yet count it.
    let dueFault: SandboxFault | undefined;
    for (const order of orders) {
      const id = Number(order.id);
      if (Number(order.skip) > 0) {
        state.run('UPDATE faults SET skip = skip - 1 WHERE id = ?', id);
      } else if (dueFault === undefined) {
        dueFault = JSON.parse(String(order.fault)) as SandboxFault;
        state.run('UPDATE faults SET times = times - 1 WHERE id = ?', id);
      }
    }
    state.run('DELETE FROM faults WHERE times <= 0');
    return dueFault;
  });
}

/** Work that waits for its time. What still waits when the sandbox closes is run at once. */
export class DelayedJobs {
  readonly #jobs = new Map<NodeJS.Timeout, () => void>();

  runAfter(ms: number, job: () => void): void {
    const timer = setTimeout(() => {
      this.#jobs.delete(timer);
      job();
    }, ms);
    this.#jobs.set(timer, job);
  }

  /** Runs all waiting jobs now, and those that they add: the slow drip adds one for each byte that is left. */
  flush(): void {
    for (const [timer, job] of this.#jobs) {
      clearTimeout(timer);
      job();
    }
    this.#jobs.clear();
  }
}

/** The call that a fault strikes. */
export interface StruckCall {
  /** Lets the airline act, and returns its reply. */
  answer(): Reply;
  /** ms epoch. */
  now(): number;
  readonly response: ServerResponse;
  readonly delayedJobs: DelayedJobs;
}

type Play = (call: StruckCall, fault: SandboxFault) => void;

export function playFault(fault: SandboxFault, call: StruckCall): void {
  const play: Play = FAULT_PLAYS[fault.kind];
  play(call, fault);
}

/** Where a redirect leads by default: no host has this name. */
const REDIRECT_TARGET = 'https://elsewhere.invalid/ticket.pdf';

/**
 * How each kind of fault plays. `commit-…`: the airline acts, and its answer fails. `…-before`: it does not act. For
 * downloads, `wrong-type` sends the file as another type, and `mislabelled` sends an error page as the file's type.
 */
const FAULT_PLAYS = {
  'commit-then-lose': afterActing(resetConnection),
  'commit-then-hang': afterActing(hang),
  'commit-then-5xx': afterActing(sendFailure(502)),
  'commit-then-truncated': sendHalf,
  'commit-then-late': (call, { ms = 1000 }) => {
    const reply = call.answer();
    call.delayedJobs.runAfter(ms, () => send(call.response, reply));
  },
  'commit-then-html': afterActing(sendPage),
  'commit-then-error': afterActing(sendError),
  'late-commit': (call, { ms = 1000 }) => {
    resetConnection(call);
    call.delayedJobs.runAfter(ms, () => {
      call.answer();
    });
  },
  'lose-before': resetConnection,
  'hang-before': hang,
  '5xx-before': sendFailure(503),
  '4xx-before': sendFailure(422),
  'error-before': sendError,
  throttled: (call, { retryAfter = 1 }) => {
    const reply = failureReply(call, 429);
    send(call.response, { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfter) } });
  },
  unauthorized: (call) => send(call.response, refusalReply(new Refusal('497', 'fault'), call.now())),
  html: sendPage,
  'empty-body': (call) => send(call.response, { ...call.answer(), body: '' }),
  'wrong-locator': (call) => send(call.response, withOtherLocators(call.answer())),
  'slow-drip': sendByteByByte,
  redirect: ({ response }, { status = 302, location = REDIRECT_TARGET }) =>
    send(response, { status, headers: { location }, body: '' }),
  'wrong-type': (call) => send(call.response, withContentType('application/octet-stream', call.answer())),
  mislabelled: (call) => send(call.response, withContentType('application/pdf', htmlPage(200))),
  oversized: (call, { bytes = 6 << 20 }) => send(call.response, withPadding(call.answer(), bytes)),
} as const satisfies Readonly<Record<string, Play>>;

/** Lets the airline act, then plays a fault instead of its answer. */
function afterActing(play: Play): Play {
  return (call, fault) => {
    call.answer();
    play(call, fault);
  };
}

export function send(response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return;
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
}

/** Resets the connection, as when it is lost. */
function resetConnection({ response }: StruckCall): void {
  response.socket?.resetAndDestroy();
}

/** Never answers. Disconnects after `ms`, if the fault gives them. */
function hang(call: StruckCall, { ms }: SandboxFault): void {
  if (ms !== undefined) call.delayedJobs.runAfter(ms, () => resetConnection(call));
}

/** Makes a play that answers with a failure. Its status is the ordered one, or else `usualStatus`. */
function sendFailure(usualStatus: number): Play {
  return (call, { status = usualStatus }) => send(call.response, failureReply(call, status));
}

function failureReply(call: StruckCall, status: number): Reply {
  return refusalReply(new Refusal(codeFor(status), 'fault', status), call.now());
}

/** Chooses the code of refusal.ts that fits a status. */
function codeFor(status: number) {
  if (status === 429) return '888'; // Too many requests.
  if (status < 500) return '172'; // Not possible.
  return status === 500 ? '448' : '187'; // System error; system unavailable.
}

/** Sends an error with any code. Digits have the flat form, words the list form (docs/wire/notes.md, Errors). */
function sendError(call: StruckCall, { status = 500, code = 'SYSTEM_ERROR', type = 'system' }: SandboxFault): void {
  const timestamp = new Date(call.now()).toISOString();
  const id = 'fault-0000-0000';
  const body = /^\d+$/.test(code)
    ? { status, error: 'Error', code, title: 'fault', correlationId: id, timestamp }
    : { errors: [{ type, code, message: 'fault' }], requestId: id };
  send(call.response, jsonReply(status, body));
}

function sendPage({ response }: StruckCall, { status = 200 }: SandboxFault): void {
  send(response, htmlPage(status));
}

function htmlPage(status: number): Reply {
  const body = '<html><head><title>Service</title></head><body><h1>Please try again</h1></body></html>';
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function sendHalf(call: StruckCall): void {
  const reply = call.answer();
  const body = Buffer.from(reply.body);
  call.response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length });
  call.response.write(body.subarray(0, Math.floor(body.length / 2)), () => call.response.socket?.destroy());
}

/** A locator that no booking of the sandbox has. */
const OTHER_LOCATOR = 'ZZ9ZZ9';

/** Replaces the locators of a good reply and changes longer ids, such as an operator's reference: another caller's reply. */
function withOtherLocators(reply: Reply): Reply {
  const body = JSON.stringify(JSON.parse(String(reply.body)), (key, value) => {
    if (key !== 'id' || typeof value !== 'string') return value;
    if (/^[A-Z0-9]{6}$/.test(value)) return OTHER_LOCATOR;
    return value.length > 6 ? `${value}X` : value;
  });
  return { ...reply, body };
}

/** Sends a good reply byte by byte. */
function sendByteByByte(call: StruckCall, { ms = 5 }: SandboxFault): void {
  const reply = call.answer();
  const bytes = Buffer.from(reply.body);
  call.response.writeHead(reply.status, { ...reply.headers, 'content-length': bytes.length });
  const sendFrom = (at: number): void => {
    if (call.response.destroyed) return;
    if (at >= bytes.length) {
      call.response.end();
      return;
    }
    call.response.write(bytes.subarray(at, at + 1));
    call.delayedJobs.runAfter(ms, () => sendFrom(at + 1));
  };
  sendFrom(0);
}

/** Adds spaces after the end of a file. Most PDF readers allow them. */
function withPadding(reply: Reply, bytes: number): Reply {
  return { ...reply, body: Buffer.concat([Buffer.from(reply.body), Buffer.alloc(bytes, ' ')]) };
}

function withContentType(type: string, reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, 'content-type': type } };
}
