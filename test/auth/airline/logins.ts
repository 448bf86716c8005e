/**
 * A scripted identity provider with a clock that the test moves, and a store of shared logins in memory, which follows
 * store/postgres/logins.ts, to test the rules of token-cache.ts.
 */
import type { createSharedTokens } from '../../../src/auth/airline/token-cache.ts';
import { createGrants } from '../../../src/auth/airline/token-request.ts';

export const SETTINGS = {
  authUrl: 'https://id.example/auth/',
  tenant: 'hhr',
  clientId: 'app',
  clientSecret: 's3cret&=+',
  username: 'desk',
  password: 'pä ss',
};

export interface Reply {
  readonly status: number;
  /** JSON, or a text. */
  readonly body: unknown;
}
type Answer = Reply | (() => Promise<Reply>);
export const REFUSED: Reply = { status: 401, body: { error: 'invalid_grant' } };
export const DOWN: Reply = { status: 503, body: '<html>' };

/** Answers in order, then always with `always`, else with new tokens: `access-1` and `refresh-1` to the first request. */
export function scripted(lives: object = { expires_in: 7200, refresh_expires_in: 14_400 }) {
  const told = {
    /** The grants requested, in order: `password`, or the refresh token. */
    asked: [] as string[],
    forms: [] as { url: string; form: Record<string, string> }[],
    answers: [] as Answer[],
    always: undefined as Answer | undefined,
    lives,
    granted: (n: number): Reply => ({
      ...{ status: 200, body: { access_token: `access-${n}`, refresh_token: `refresh-${n}`, ...told.lives } },
    }),
    /** Milliseconds. */
    clock: 10_000_000,
  };
  const grants = createGrants(SETTINGS, async (url, sent) => {
    const form = Object.fromEntries(sent);
    told.forms.push({ url, form });
    const n = told.asked.push(form.refresh_token ?? 'password');
    const next = told.answers.shift() ?? told.always ?? told.granted(n);
    const { status, body } = typeof next === 'function' ? await next() : next;
    return { status, text: typeof body === 'string' ? body : JSON.stringify(body) };
  });
  return { told, grants, now: () => told.clock };
}

type LoginStore = Parameters<typeof createSharedTokens>[0]['store'];
type Shared = Awaited<ReturnType<LoginStore['read']>>;

interface Row extends Pick<Shared, 'generation' | 'failures'> {
  readonly tokens?: NonNullable<Shared['tokens']>;
  readonly receivedAt: number;
  readonly pausedUntil: number;
  readonly refusal?: Parameters<LoginStore['refuse']>[3] | undefined;
  readonly refusedAt: readonly number[];
  readonly holder?: string | undefined;
  readonly leaseUntil: number;
}
const EMPTY: Row = { generation: 0, receivedAt: 0, failures: 0, pausedUntil: 0, refusedAt: [], leaseUntil: 0 };

/** `away`: every call throws while true. */
export function memoryStore(now: () => number): LoginStore & { away: boolean } {
  const rows = new Map<string, Row>();
  const row = (name: string): Row => {
    if (store.away) throw new Error('the store is away');
    return rows.get(name) ?? EMPTY;
  };
  /** Ends the lease with a change, unless it was lost. */
  const end = (name: string, generation: number, holder: string, change: (known: Row) => Partial<Row>): boolean => {
    const known = row(name);
    if (known.generation !== generation || known.holder !== holder) return false;
    rows.set(name, { ...known, holder: undefined, leaseUntil: 0, ...change(known) });
    return true;
  };
  const store: ReturnType<typeof memoryStore> = {
    away: false,
    async read(name) {
      const { generation, tokens, receivedAt, failures, pausedUntil, refusal, refusedAt, leaseUntil } = row(name);
      const recent = refusedAt.filter((at) => at > now() - 3_600_000);
      const newest = recent.at(-1);
      const last = refusal && newest !== undefined && { ...refusal, ageMs: now() - newest, inAnHour: recent.length };
      return {
        ...{ generation, failures, busy: leaseUntil > now(), pauseMs: Math.max(0, pausedUntil - now()) },
        ...{ ageMs: tokens ? now() - receivedAt : 0, ...(tokens && { tokens }), ...(last && { refusal: last }) },
      };
    },
    async claim(name, generation, holder, leaseMs) {
      const known = row(name);
      if (known.generation !== generation || known.leaseUntil > now() || known.pausedUntil > now()) return false;
      rows.set(name, { ...known, holder, leaseUntil: now() + leaseMs });
      return true;
    },
    put: async (name, generation, holder, tokens, ageMs) =>
      end(name, generation, holder, () => ({
        ...EMPTY,
        generation: generation + 1,
        tokens,
        receivedAt: now() - ageMs,
      })),
    async pause(name, generation, holder, pauseMs) {
      end(name, generation, holder, ({ failures }) => ({ failures: failures + 1, pausedUntil: now() + pauseMs }));
    },
    async refuse(name, generation, holder, refusal) {
      end(name, generation, holder, ({ refusedAt }) => ({ refusal, refusedAt: [...refusedAt, now()] }));
    },
  };
  return store;
}
