/** The identity provider: callers bring its tokens, and people sign in with it on the approval page. */
import type { Config } from '../../config/load.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { redirectOf } from '../../server/approval-page/public-page.ts';
import type { ClockOffsets } from '../../server/clock-offsets.ts';
import { countedLogin, countedSignIn, type Failed } from '../../server/metrics/sign-in-failures.ts';

export type Provider = NonNullable<Awaited<ReturnType<typeof openProvider>>>;

/**
 * Undefined without an issuer. Fetches its keys now, so that the first caller does not wait.
 * @param counted counts refused tokens and sign-ins
 */
export async function openProvider({ http }: Config, clocks: ClockOffsets, counted: Failed) {
  const { issuer, publicUrl, audience, tenantClaim, deskRole, page } = http;
  if (issuer === undefined || publicUrl === undefined) return undefined;
  const [{ createSignIn }, { createLogin }, { providerFetch }] = await Promise.all([
    import('../../auth/callers/sign-in.ts'),
    import('../../auth/callers/login.ts'),
    import('../../auth/callers/provider-fetch.ts'),
  ]);
  const fetch: typeof providerFetch = async (...args) => {
    const reply = await providerFetch(...args);
    clocks.saw('issuer', { date: reply.headers.get('date'), age: reply.headers.get('age') });
    return reply;
  };
  const signIn = createSignIn({ issuer, publicUrl, fetch, ...omitUndefined({ audience, tenantClaim, deskRole }) });
  // If the issuer is down now, calls are refused until it is back.
  void signIn.warm();
  return {
    publicUrl,
    signIn: countedSignIn(signIn, counted),
    /**
     * Sign-in on the page; undefined without a client for it.
     * @param secret of the installation, shared by its instances
     * @param failed gets the reason why nobody can sign in just now
     */
    login(secret: () => Promise<Uint8Array>, failed: (error: unknown) => void) {
      if (page === undefined) return undefined;
      const { clientId, clientSecret, approverRole } = page;
      const client = omitUndefined({ clientSecret: clientSecret?.reveal(), tenantClaim, approverRole, deskRole });
      const login = createLogin({ issuer, clientId, redirect: redirectOf(publicUrl), secret, failed, ...client });
      return countedLogin(login, counted);
    },
  };
}
