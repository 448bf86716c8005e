/**
 * A server with a tiny clerk, with or without an issuer.
 */
import { createSignIn } from '../../../../src/auth/callers/sign-in.ts';
import { type HttpOptions, type HttpServing, startHttp } from '../../../../src/server/http/server.ts';
import { type Issuer, type IssuerOptions, startIssuer } from '../../../auth/callers/issuer.ts';
import { openTinyClerk, type TinyClerk } from './tiny-clerk.ts';

export interface Served {
  readonly tiny: TinyClerk;
  readonly serving: HttpServing;
  readonly port: number;
  readonly failures: unknown[];
  close(): Promise<void>;
}

export interface SignedServed extends Served {
  readonly issuer: Issuer;
  /** An access token for this server. */
  token(claims?: object, header?: Record<string, unknown>): Promise<string>;
}

const ME = { tenant: 'local', id: 'os:me' };
export const ALL_SCOPES = 'air:read air:book air:pay air:refund air:names';
export const PUBLIC_URL = 'https://air.example';

export async function serve(options: Partial<HttpOptions> = {}, tiny?: TinyClerk): Promise<Served> {
  const own = tiny ?? (await openTinyClerk());
  const failures: unknown[] = [];
  const serving = await startHttp(own.clerk, {
    version: '0',
    host: '127.0.0.1',
    port: 0,
    caller: ME,
    close: () => own.close(),
    log: { answered() {}, failure: ({ error }) => failures.push(error) },
    ...options,
  });
  return { tiny: own, serving, port: serving.port, failures, close: () => serving.stop() };
}

export interface SignedOptions extends Partial<HttpOptions> {
  readonly tenantClaim?: string;
  readonly audience?: string;
}

export async function serveSigned(
  { tenantClaim, audience, ...options }: SignedOptions = {},
  issuerOptions: IssuerOptions = {},
  tiny?: TinyClerk,
): Promise<SignedServed> {
  const issuer = await startIssuer(issuerOptions);
  const publicUrl = options.publicUrl ?? PUBLIC_URL;
  const signIn = createSignIn({
    issuer: issuer.issuer,
    publicUrl,
    ...(tenantClaim !== undefined && { tenantClaim }),
    ...(audience !== undefined && { audience }),
  });
  const served = await serve({ publicUrl, signIn, ...options }, tiny);
  return {
    ...served,
    issuer,
    token: (claims = {}, header = {}) =>
      issuer.sign({ aud: audience ?? `${publicUrl}/mcp`, scope: ALL_SCOPES, ...claims }, header),
    async close() {
      await served.close();
      await issuer.close();
    },
  };
}
