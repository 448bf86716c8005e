/** Faults on the wire: a `before` that makes the nth next call of a message fail. First the orders; then how each kind of fault plays. */
import {
  type Before,
  type HeldCall,
  jsonReply,
  type Reply,
  refusalReply,
  sendReply,
} from '../../../src/sandbox/calls.ts';
import { Refusal } from '../../../src/sandbox/refusal.ts';

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
  /** Seconds of `Retry-After`, for `throttled`. */
  readonly retryAfter?: number;
  /** Where `redirect` points; default a host that does not exist. */
  readonly location?: string;
}

/** A call that a fault strikes, and work that waits for its time. */
type StruckCall = HeldCall & { runAfter(ms: number, job: () => void): void };

/** The faults that are ordered for one sandbox. */
export class WireFaults {
  #orders: { readonly fault: SandboxFault; skip: number; times: number }[] = [];
  readonly #jobs = new Map<NodeJS.Timeout, () => void>();

  /** Returns what withdraws the order. Throws an Error for an unknown kind. */
  order(fault: SandboxFault): () => void {
    const { kind, nth = 1, times = 1 } = fault;
    if (!Object.hasOwn(FAULT_PLAYS, kind))
      throw new Error(`no fault ${kind}; known: ${Object.keys(FAULT_PLAYS).join(', ')}`);
    const order = { fault, skip: nth - 1, times };
    this.#orders.push(order);
    return () => {
      order.times = 0;
    };
  }

  readonly before: Before = (call) => {
    const fault = this.#take(call.name);
    if (fault === undefined) return undefined;
    const play: Play = FAULT_PLAYS[fault.kind];
    play({ ...call, runAfter: (ms, job) => this.#runAfter(ms, job) }, fault);
    return 'taken';
  };

  /** Counts the call and returns the fault ordered for it, if any. */
  #take(message: string): SandboxFault | undefined {
    this.#orders = this.#orders.filter(({ times }) => times > 0);
    // Only the oldest due order strikes the call. Orders that are not due yet count it.
    let due: SandboxFault | undefined;
    for (const order of this.#orders.filter(({ fault }) => fault.message === message || fault.message === '*')) {
      if (order.skip > 0) {
        order.skip -= 1;
      } else if (due === undefined) {
        due = order.fault;
        order.times -= 1;
      }
    }
    return due;
  }

  #runAfter(ms: number, job: () => void): void {
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

type Play = (call: StruckCall, fault: SandboxFault) => void;

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
    const reply = call.act();
    call.runAfter(ms, () => sendReply(call.response, reply));
  },
  'commit-then-html': afterActing(sendPage),
  'commit-then-error': afterActing(sendError),
  'late-commit': (call, { ms = 1000 }) => {
    resetConnection(call);
    call.runAfter(ms, () => {
      call.act();
    });
  },
  'lose-before': resetConnection,
  'hang-before': hang,
  '5xx-before': sendFailure(503),
  '4xx-before': sendFailure(422),
  'error-before': sendError,
  throttled: (call, { retryAfter = 1 }) => {
    const reply = failureReply(call, 429);
    sendReply(call.response, { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfter) } });
  },
  unauthorized: (call) => sendReply(call.response, refusalReply(new Refusal('497', 'fault'), call.now())),
  html: sendPage,
  'empty-body': (call) => sendReply(call.response, { ...call.act(), body: '' }),
  'wrong-locator': (call) => sendReply(call.response, withOtherLocators(call.act())),
  'slow-drip': sendByteByByte,
  redirect: ({ response }, { status = 302, location = REDIRECT_TARGET }) =>
    sendReply(response, { status, headers: { location }, body: '' }),
  'wrong-type': (call) => sendReply(call.response, withContentType('application/octet-stream', call.act())),
  mislabelled: (call) => sendReply(call.response, withContentType('application/pdf', htmlPage(200))),
  oversized: (call) => sendReply(call.response, withPadding(call.act(), OVERSIZE_BYTES)),
} as const satisfies Readonly<Record<string, Play>>;

/** Lets the airline act, then plays a fault instead of its answer. */
function afterActing(play: Play): Play {
  return (call, fault) => {
    call.act();
    play(call, fault);
  };
}

/** Resets the connection, as when it is lost. */
function resetConnection({ response }: StruckCall): void {
  response.socket?.resetAndDestroy();
}

/** Never answers. Disconnects after `ms`, if the fault gives them. */
function hang(call: StruckCall, { ms }: SandboxFault): void {
  if (ms !== undefined) call.runAfter(ms, () => resetConnection(call));
}

/** Makes a play that answers with a failure. Its status is the ordered one, or else `usualStatus`. */
function sendFailure(usualStatus: number): Play {
  return (call, { status = usualStatus }) => sendReply(call.response, failureReply(call, status));
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
function sendError(call: StruckCall, { status = 500, code = 'SYSTEM_ERROR' }: SandboxFault): void {
  const timestamp = new Date(call.now()).toISOString();
  const id = 'fault-0000-0000';
  const body = /^\d+$/.test(code)
    ? { status, error: 'Error', code, title: 'fault', correlationId: id, timestamp }
    : { errors: [{ type: 'system', code, message: 'fault' }], requestId: id };
  sendReply(call.response, jsonReply(status, body));
}

function sendPage({ response }: StruckCall, { status = 200 }: SandboxFault): void {
  sendReply(response, htmlPage(status));
}

function htmlPage(status: number): Reply {
  const body = '<html><head><title>Service</title></head><body><h1>Please try again</h1></body></html>';
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function sendHalf(call: StruckCall): void {
  const reply = call.act();
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
  const reply = call.act();
  const bytes = Buffer.from(reply.body);
  call.response.writeHead(reply.status, { ...reply.headers, 'content-length': bytes.length });
  const sendFrom = (at: number): void => {
    if (call.response.destroyed) return;
    if (at >= bytes.length) {
      call.response.end();
      return;
    }
    call.response.write(bytes.subarray(at, at + 1));
    call.runAfter(ms, () => sendFrom(at + 1));
  };
  sendFrom(0);
}

/** How many bytes `oversized` adds to a file. */
const OVERSIZE_BYTES = 6 << 20;

/** Adds spaces after the end of a file. Most PDF readers allow them. */
function withPadding(reply: Reply, bytes: number): Reply {
  return { ...reply, body: Buffer.concat([Buffer.from(reply.body), Buffer.alloc(bytes, ' ')]) };
}

function withContentType(type: string, reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, 'content-type': type } };
}
