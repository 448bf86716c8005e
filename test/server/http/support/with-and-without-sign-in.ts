/**
 * One clerk at the sandbox, served over HTTP twice: to the local user, and to callers who sign in.
 */
import { createSignIn } from '../../../../src/auth/callers/sign-in.ts';
import { type HttpServing, startHttp } from '../../../../src/server/http/server.ts';
import { startIssuer } from '../../../auth/callers/issuer.ts';
import { type Desk, openDesk } from '../../calls/desk.ts';
import { ALL_SCOPES, PUBLIC_URL } from './serve.ts';

export interface BothServed {
  readonly desk: Desk;
  readonly local: HttpServing;
  readonly signed: HttpServing;
  /** An access token for the server with sign-in. */
  tokenOf(sub: string, scope?: string): Promise<string>;
  /** Surname of the first traveller, as the airline has it. */
  surnameIn(locator: string): Promise<string>;
  close(): Promise<void>;
}

export async function serveBoth(): Promise<BothServed> {
  const desk = await openDesk();
  const issuer = await startIssuer();
  const signIn = createSignIn({ issuer: issuer.issuer, publicUrl: PUBLIC_URL });
  const caller = { tenant: 'desk', id: 'ann' };
  const options = { version: '0', host: '127.0.0.1', port: 0, caller, close: async () => undefined };
  const local = await startHttp(desk.clerk, options);
  const signed = await startHttp(desk.clerk, { ...options, publicUrl: PUBLIC_URL, signIn });
  return {
    desk,
    local,
    signed,
    tokenOf: (sub, scope = ALL_SCOPES) => issuer.sign({ sub, aud: `${PUBLIC_URL}/mcp`, scope }),
    async surnameIn(locator) {
      const { travelers } = await desk.parts.airline.read(locator);
      return travelers[0]?.name?.surname ?? '';
    },
    async close() {
      await Promise.all([local.stop(), signed.stop()]);
      await issuer.close();
      await desk.close();
    },
  };
}
