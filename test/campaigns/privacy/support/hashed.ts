/** Every text that is hashed in this process while something runs: what an attacker who has the code can put together. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

interface Hashing {
  update(...given: never): Hashing;
}

export async function hashedDuring(work: () => Promise<void>): Promise<readonly string[]> {
  const texts = new Set<string>();
  const { createHash, createHmac, hash } = crypto;
  const heard = <T extends Hashing>(hashing: T): T => {
    const update = hashing.update.bind(hashing) as (...given: unknown[]) => unknown;
    hashing.update = (...given: unknown[]) => {
      texts.add(String(given[0]));
      update(...given);
      return hashing;
    };
    return hashing;
  };
  Object.assign(crypto, {
    createHash: (...given: Parameters<typeof createHash>) => heard(createHash(...given)),
    createHmac: (...given: Parameters<typeof createHmac>) => heard(createHmac(...given)),
    hash: (...given: Parameters<typeof hash>) => {
      texts.add(String(given[1]));
      return hash(...given);
    },
  });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(crypto, { createHash, createHmac, hash });
    syncBuiltinESMExports();
  }
  return [...texts];
}
