/**
 * Seals values that a browser keeps for us, so that it cannot read or change them: JWE (RFC 7516), `dir` with A256GCM.
 * The server keeps nothing, so that any instance can open what another sealed.
 */
import { createHmac } from 'node:crypto';
import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose';

export interface Seal {
  close(content: JWTPayload, use: string, seconds: number): Promise<string>;
  /** Returns undefined if the value is not ours, for another use, or expired. */
  open(sealed: string, use: string): Promise<JWTPayload | undefined>;
}

const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;

/**
 * @param secret of the installation, shared by its instances
 * @param owner the server that the values are for; another server cannot open them
 */
export function createSeal(secret: () => Promise<Uint8Array>, owner: string): Seal {
  let key: Promise<Uint8Array> | undefined;
  const derived = () => {
    key ??= secret()
      // HKDF-Extract (RFC 5869, section 2.2) with the purpose as the salt.
      .then((bytes) => createHmac('sha256', `fareclerk sign-in ${owner}`).update(bytes).digest())
      .catch((error) => {
        key = undefined;
        throw error;
      });
    return key;
  };
  return {
    async close(content, use, seconds) {
      return new EncryptJWT(content)
        .setProtectedHeader(HEADER)
        .setAudience(use)
        .setExpirationTime(`${seconds}s`)
        .encrypt(await derived());
    },
    async open(sealed, use) {
      try {
        const { payload } = await jwtDecrypt(sealed, await derived(), {
          audience: use,
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
