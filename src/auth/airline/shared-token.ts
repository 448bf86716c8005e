/**
 * Shares an access token between the processes of a state. It is sealed with the secrets of the login: whoever can open it could log
 * in, and a state or a copy of it gives no token. A store that cannot be used means that there is no shared token.
 */
import { openSealed, type SealedWith, sealBytes } from '../../core/seal.ts';
import type { LoginStore } from '../../domain/login-store.ts';
import type { TokenSettings } from './token-request.ts';

/** What processes share: no refresh token, which only the process uses that logged in. */
export interface SharedAccess {
  readonly accessToken: string;
  /** How long the access token is used, milliseconds. */
  readonly lifeMs: number;
}

export interface SharedToken {
  /** Returns the token that a process stored last, with its age in milliseconds. */
  read(): Promise<(SharedAccess & { readonly ageMs: number }) | undefined>;
  write(access: SharedAccess): Promise<void>;
}

export function shareToken(store: LoginStore, login: TokenSettings): SharedToken {
  const { authUrl, tenant, clientId, username, clientSecret, password } = login;
  const name = JSON.stringify([authUrl, tenant, clientId, username]);
  const sealedWith: SealedWith = {
    secret: JSON.stringify([clientSecret, password]),
    purpose: 'fareclerk access token',
    boundTo: name,
  };

  return {
    async read() {
      try {
        const stored = await store.read(name);
        if (stored === undefined) return undefined;
        const access = JSON.parse(openSealed(stored.sealed, sealedWith).toString()) as SharedAccess;
        return { ...access, ageMs: stored.ageMs };
      } catch {
        return undefined;
      }
    },

    async write({ accessToken, lifeMs }) {
      const plain: SharedAccess = { accessToken, lifeMs };
      await store.write(name, sealBytes(Buffer.from(JSON.stringify(plain)), sealedWith)).catch(() => undefined);
    },
  };
}
