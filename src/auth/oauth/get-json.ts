/**
 * Fetches a JSON document of the issuer: its metadata, its keys. https only (http on loopback), no redirects, small.
 */

export type GetJson = (url: string) => Promise<unknown>;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 512 * 1024;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether an address of the issuer may be asked at all. */
export function isSafeAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

/** @throws Error whatever goes wrong: the issuer cannot be asked just now. */
export const getJson: GetJson = async (url) => {
  if (!isSafeAddress(url)) throw new Error('not an https address');
  const reply = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!reply.ok || reply.body === null) {
    await reply.body?.cancel();
    throw new Error(`HTTP ${reply.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of reply.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
};
