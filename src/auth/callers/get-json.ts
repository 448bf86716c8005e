/**
 * Asks the issuer for JSON: its metadata, its keys, a token. https only (http on loopback), no redirects, small.
 */

export type GetJson = (url: string) => Promise<unknown>;
/** Gives the reply of any status: errors of a token endpoint are JSON too (RFC 6749, section 5.2). */
export type PostForm = (
  url: string,
  form: URLSearchParams,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly value: unknown }>;

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
  const reply = await ask(url);
  if (reply.ok) return JSON.parse(await bodyOf(reply));
  await reply.body?.cancel();
  throw new Error(`HTTP ${reply.status}`);
};

/** @throws Error where no JSON came back. */
export const postForm: PostForm = async (url, form, headers) => {
  const reply = await ask(url, { method: 'POST', body: form }, headers);
  return { status: reply.status, value: JSON.parse(await bodyOf(reply)) };
};

function ask(url: string, init: RequestInit = {}, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  if (!isSafeAddress(url)) throw new Error('not an https address');
  return fetch(url, {
    ...init,
    headers: { ...headers, accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

async function bodyOf({ body }: Response): Promise<string> {
  if (body === null) throw new Error('no body');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
