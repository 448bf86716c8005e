/**
 * The provider whose tokens callers bring, and with whom people sign in on the approval page: its keys are looked after
 * once for both.
 */
import type { Config } from '../../config/load.ts';
import type { SignIn } from '../../domain/people/access-token.ts';
import type { BrowserLogin } from '../../domain/people/browser-login.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { redirectOf } from '../../server/approval-page/public-page.ts';

export interface Provider {
  readonly publicUrl: string;
  readonly signIn: SignIn;
  /**
   * Sign-in on the page; undefined without a client for it.
   * @param secret of the installation, shared by its instances
   * @param failed told why nobody can sign in just now
   */
  login(secret: () => Promise<Uint8Array>, failed: (error: unknown) => void): BrowserLogin | undefined;
}

/** Undefined without an issuer. Its keys are fetched now, so that the first caller need not wait. */
export async function openProvider({ http }: Config): Promise<Provider | undefined> {
  const { issuer, publicUrl, audience, tenantClaim, page } = http;
  if (issuer === undefined || publicUrl === undefined) return undefined;
  const [{ createSignIn }, { createLogin }, { createIssuerKeys }, { getJson }] = await Promise.all([
    import('../../auth/callers/sign-in.ts'),
    import('../../auth/callers/login.ts'),
    import('../../auth/callers/keys.ts'),
    import('../../auth/callers/get-json.ts'),
  ]);
  const keys = createIssuerKeys({ issuer, get: getJson, now: () => performance.now() });
  // An issuer that is away now comes back: calls are refused until then.
  void keys.warm().catch(() => false);
  return {
    publicUrl,
    signIn: createSignIn({ issuer, publicUrl, keys, ...omitUndefined({ audience, tenantClaim }) }),
    login(secret, failed) {
      if (page === undefined) return undefined;
      const { clientId, clientSecret, approverRole } = page;
      const client = omitUndefined({ clientSecret: clientSecret?.reveal(), tenantClaim, approverRole });
      return createLogin({ issuer, clientId, redirect: redirectOf(publicUrl), keys, secret, failed, ...client });
    },
  };
}
