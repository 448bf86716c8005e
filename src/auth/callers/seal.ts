/**
 * Values that a browser keeps for us and cannot read, change or use elsewhere: JWE (RFC 7516), `dir` with A256GCM. No
 * memory on this side, so that any instance can take up what another began.
 */
import { createHmac } from 'node:crypto';
import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose';

export interface Seal {
  close(content: JWTPayload, use: string, seconds: number): Promise<string>;
  /** Undefined: not sealed by us, for another use, or over. */
  open(sealed: string, use: string): Promise<JWTPayload | undefined>;
}

const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;

/**
 * @param secret of the installation, shared by its instances
 * @param owner what the values belong to: one server's are of no use at another
 */
export function createSeal(secret: () => Promise<Uint8Array>, owner: string, now: () => Date): Seal {
  let key: Promise<Uint8Array> | undefined;
  const derived = () => {
    key ??= secret()
      // HKDF-Extract (RFC 5869, section 2.2): what it is for is the salt.
      .then((bytes) => createHmac('sha256', `fareclerk sign-in ${owner}`).update(bytes).digest())
      .catch((error) => {
        key = undefined;
        throw error;
      });
    return key;
  };
  return {
    async close(content, use, seconds) {
      const issuedAt = Math.floor(now().getTime() / 1000);
      return new EncryptJWT(content)
        .setProtectedHeader(HEADER)
        .setAudience(use)
        .setExpirationTime(issuedAt + seconds)
        .encrypt(await derived());
    },
    async open(sealed, use) {
      try {
        const { payload } = await jwtDecrypt(sealed, await derived(), {
          audience: use,
          currentDate: now(),
          requiredClaims: ['exp'],
          keyManagementAlgorithms: [HEADER.alg],
          contentEncryptionAlgorithms: [HEADER.enc],
        });
        return payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
