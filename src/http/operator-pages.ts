/** Answers the pages for operators: metrics, and whether this instance can serve calls. */
import type { IncomingMessage } from 'node:http';
import type { Clerk, Runtime } from '../clerk/clerk.ts';
import { singleFlight } from '../core/at-once.ts';
import type { SignIn } from '../domain/people/caller.ts';
import { unlikeWords } from '../domain/yes-settings.ts';
import { late, systemClock, within } from '../journal/clock.ts';
import type { JournalPlace } from '../journal/ports.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { refusedFor } from './access-line.ts';
import { isLoopbackPeer } from './addresses.ts';
import type { BearerCheck } from './authenticate.ts';
import { errorReply } from './exchange.ts';

/** Headers that proxies add. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Time between two tries to write, milliseconds, unless the last one failed. */
const WRITE_MS = 5_000;

/** How long a check waits for the issuer's keys, milliseconds. */
const KEYS_MS = 1_000;

const NO_STORE = 'The state store does not answer.';

/** The runtime cannot be opened: its state, the callers file, the recording or the airline's options. */
const UNOPENED = 'The server cannot open what calls need: see the log.';

const NO_KEYS = 'The keys of the issuer cannot be fetched, so no token can be checked.';

const UNWRITABLE: Readonly<Record<JournalPlace, string>> = {
  state: 'The state store cannot be written: it is full or read-only.',
  second_record: 'The second record of the journal cannot be written: its disk is full or read-only.',
};

const HELD = 'held: the journal went backwards; run `fareclerk journal restored`';

const PAUSED = 'paused by the operator; `fareclerk resume` ends it';

/** Answers a readiness probe. Only the operator sees reasons and details. */
export function readinessPage({ reasons, sending }: Readiness, isOutside: boolean): Response {
  const isReady = reasons.length === 0;
  const body = { status: isReady ? 'ready' : 'not ready' };
  const details = isReady ? sending !== undefined && { sending } : { reasons };
  return Response.json(isOutside ? body : { ...body, ...details }, { status: isReady ? 200 : 503 });
}

/** Answers a readiness probe while the server stops. */
export function stoppingPage(isOutside: boolean): Response {
  return Response.json({ status: isOutside ? 'not ready' : 'stopping' }, { status: 503 });
}

/** Whether a request came by the public address or through a proxy: pages for operators are hidden there. */
export function cameThroughProxy(request: IncomingMessage, publicHosts: ReadonlySet<string>): boolean {
  const host = request.headers.host?.toLowerCase() ?? '';
  return publicHosts.has(host) || FORWARDED.some((name) => request.headers[name] !== undefined);
}

/** Needs the token that `checkToken` checks. Without a check, answers this machine only. */
export async function metricsPage(
  request: IncomingMessage,
  metrics: Metrics,
  checkToken: BearerCheck = refuseOtherMachines,
): Promise<Response> {
  const refusal = checkToken(request);
  if (refusal !== undefined) return refusal;
  const { contentType, body } = await metrics.text();
  return new Response(body, { headers: { 'content-type': contentType } });
}

function refuseOtherMachines(request: IncomingMessage): Response | undefined {
  if (isLoopbackPeer(request.socket.remoteAddress)) return undefined;
  return refusedFor(request, 'other_machine', errorReply(403, 'Metrics are for this machine only.'));
}

export interface Readiness {
  /** Why calls would fail. Empty: ready. */
  readonly reasons: readonly string[];
  /** Why nothing is sent, if so. Reading works then. */
  readonly sending?: string;
}

interface ReadinessOptions {
  readonly clerk: Pick<Clerk, 'runtime'>;
  readonly signIn?: Pick<SignIn, 'warm'> | undefined;
  /** Writes commands as they run on this machine. */
  readonly typed?: ((text: string) => string) | undefined;
  /** Gets the reasons whenever they differ from the last ones. */
  readonly onChange?: (reasons: readonly string[]) => void;
  /** Gets the error if the runtime cannot be opened: once, until it can be opened again. */
  readonly onFailure?: (error: unknown) => void;
  /** How long probers share the result of a check, milliseconds. Default 2_000. */
  readonly freshMs?: number;
  /** How long a check waits for the state store, milliseconds. Default 5_000. */
  readonly storeMs?: number;
  /** Monotonic milliseconds. */
  readonly tick?: () => number;
}

/**
 * Returns the function that checks whether calls can be served. Probers share one check, which has its own deadline. It does not ask
 * the airline: if that is down, every instance is affected alike, and each call says so.
 */
export function createReadiness(options: ReadinessOptions): () => Promise<Readiness> {
  const { freshMs = 2_000, storeMs = 5_000, tick = () => performance.now() } = options;
  const askStore = storeReader(options, tick);
  let lastReasons = '';

  async function check(): Promise<Readiness> {
    const [store, hasKeys] = await Promise.all([
      within(systemClock, storeMs, askStore()),
      within(systemClock, KEYS_MS, options.signIn?.warm() ?? Promise.resolve(true)),
    ]);
    const { reasons, sending } = store === late ? { reasons: [NO_STORE], sending: undefined } : store;
    const allReasons = hasKeys === true ? reasons : [...reasons, NO_KEYS];
    const reasonsText = allReasons.join();
    if (reasonsText !== lastReasons) options.onChange?.(allReasons);
    lastReasons = reasonsText;

    return { reasons: allReasons, sending };
  }

  return singleFlight(check, { keepMs: freshMs, tick });
}

/** Asks the store once at a time, even if an answer takes longer than a prober waits. Never rejects. */
function storeReader(
  { clerk, onFailure, typed = String }: ReadinessOptions,
  tick: () => number,
): () => Promise<Readiness> {
  let wroteAt = Number.NEGATIVE_INFINITY;
  let unwritable: readonly JournalPlace[] = [];
  let isFailureKnown = false;

  async function askState({ state }: Runtime): Promise<Readiness> {
    // Reads a row that does not exist: that takes the same time at any size of the journal.
    await state.operations.get('');
    const { hold, pause } = (await state.chain?.status()) ?? {};

    if (unwritable.length > 0 || tick() - wroteAt >= WRITE_MS) {
      unwritable = await state.unwritable();
      wroteAt = tick();
    }

    const reasons = [...unwritable.map((place) => UNWRITABLE[place]), ...unlikeWords(await state.unlikeSettings())];
    if (hold) return { reasons, sending: typed(HELD) };

    return pause ? { reasons, sending: typed(PAUSED) } : { reasons };
  }

  async function ask(): Promise<Readiness> {
    const runtime = await clerk.runtime().catch((error: unknown) => {
      if (!isFailureKnown) onFailure?.(error);
      isFailureKnown = true;
    });
    if (!runtime) return { reasons: [UNOPENED] };
    isFailureKnown = false;
    return askState(runtime).catch(() => ({ reasons: [NO_STORE] }));
  }

  return singleFlight(ask);
}
