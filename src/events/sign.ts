/** Signs messages as the Standard Webhooks specification says: one HMAC-SHA256 over id, time and body. */
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

export interface Message {
  readonly id: string;
  readonly body: string;
}

/**
 * The headers of one try. Several secrets give several signatures, so that a secret can be changed without a gap.
 * @param secrets each `whsec_` and base64
 * @param now milliseconds since 1970
 */
export function signed({ id, body }: Message, secrets: readonly string[], now: number): Record<string, string> {
  const time = Math.floor(now / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': signatures.join(' ') };
}
