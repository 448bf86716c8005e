/**
 * A scripted identity provider with a clock that the test moves, and a store of shared tokens in memory, to test the rules of
 * token-cache.ts.
 */
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

/** A store in memory, which follows store/logins.ts. `away`: every call throws while true. */
export function memoryStore(now: () => number) {
  const rows = new Map<string, { readonly sealed: string; readonly at: number }>();
  const store = {
    away: false,
    rows,
    async read(name: string) {
      if (store.away) throw new Error('the store is away');
      const row = rows.get(name);
      return row && { sealed: row.sealed, ageMs: now() - row.at };
    },
    async write(name: string, sealed: string) {
      if (store.away) throw new Error('the store is away');
      rows.set(name, { sealed, at: now() });
    },
  };
  return store;
}
