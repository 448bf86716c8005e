/**
 * The identity provider: callers bring its tokens, and people sign in with it on the approval page.
 */
import type { Config } from '../config.ts';
import type { BrowserLogin } from '../domain/browser-login.ts';
import { present } from '../domain/present.ts';
import type { SignIn } from '../domain/sign-in.ts';
import { redirectOf } from '../server/approval-page/public-page.ts';

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
  const [{ createSignIn }, { createLogin }] = await Promise.all([
    import('../auth/oauth/sign-in.ts'),
    import('../auth/oauth/login.ts'),
  ]);
  const signIn = createSignIn({ issuer, publicUrl, ...present({ audience, tenantClaim }) });
  // If the issuer is down now, calls are refused until it is back.
  void signIn.warm().catch(() => false);
  return {
    publicUrl,
    signIn,
    login(secret, failed) {
      if (page === undefined) return undefined;
      const { clientId, clientSecret, approverRole } = page;
      const client = present({ clientSecret: clientSecret?.reveal(), tenantClaim, approverRole });
      return createLogin({ issuer, clientId, redirect: redirectOf(publicUrl), secret, failed, ...client });
    },
  };
}
