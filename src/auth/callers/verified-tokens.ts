/**
 * Tokens that were verified already: a signature costs more processor time than most calls. The answer is the same as long
 * as the issuer's keys are the ones it was verified with, and the token's times hold.
 */
import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { SignedIn } from '../../domain/people/access-token.ts';

interface Verified {
  /** The issuer's keys from before it was verified: another object after each fetch. */
  readonly keys: object;
  readonly times: Pick<JWTPayload, 'exp' | 'nbf' | 'iat'>;
  readonly who: SignedIn;
}

/** Above this number the one that was used longest ago is dropped. */
const MOST = 5_000;

export class VerifiedTokens {
  /** By SHA-256: no token is kept. */
  readonly #known = new Map<string, Verified>();

  /** @param now seconds since 1970 */
  async find(token: string, keys: () => Promise<object>, now: number, leeway: number): Promise<SignedIn | undefined> {
    const id = hash('sha256', token, 'base64url');
    const known = this.#known.get(id);
    if (known === undefined) return undefined;
    this.#known.delete(id);
    const { exp = 0, nbf = 0, iat = 0 } = known.times;
    if (exp <= now - leeway || Math.max(nbf, iat) > now + leeway || (await keys()) !== known.keys) return undefined;
    this.#known.set(id, known);
    return known.who;
  }

  add(token: string, verified: Verified): void {
    this.#known.set(hash('sha256', token, 'base64url'), verified);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
  }
}
