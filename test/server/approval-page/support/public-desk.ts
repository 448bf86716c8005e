/**
 * The approval page on a public address: the server over HTTP, a desk whose caller signed in, and a real OpenID provider.
 */
import { vi } from 'vitest';
import type { Approval } from '../../../../src/approvals/ports.ts';
import { createLogin, type LoginOptions } from '../../../../src/auth/callers/login.ts';
import { createSignIn } from '../../../../src/auth/callers/sign-in.ts';
import type { Caller } from '../../../../src/domain/people/caller.ts';
import { createPublicPage, redirectOf } from '../../../../src/server/approval-page/public-page.ts';
import { type HttpServing, startHttp } from '../../../../src/server/http/server.ts';
import {
  APPROVER_ROLE,
  DESK_ROLE,
  freePort,
  type OpenId,
  type OpenIdOptions,
  PAGE,
  startOpenId,
} from '../../http/support/openid.ts';
import { type TestDesk, testDesk } from './desk-of.ts';
import { PersonAt } from './person.ts';

export interface PublicDesk {
  readonly desk: TestDesk;
  readonly openId: OpenId;
  readonly serving: HttpServing;
  readonly publicUrl: string;
  /** Who asks: ann, from the application `desk`. */
  readonly caller: Caller;
  person(login: string): PersonAt;
  address(approval: Pick<Approval, 'operationId'>): string;
  approval(operationId: string): Promise<Approval | undefined>;
  close(): Promise<void>;
}

export interface PublicDeskOptions extends Pick<OpenIdOptions, 'pageAuth'> {
  readonly fourEyesAbove?: { readonly minor: number; readonly currency: string };
  /** Path of the public address. */
  readonly base?: string;
  readonly login?: Partial<LoginOptions>;
}

export async function openPublicDesk(options: PublicDeskOptions = {}): Promise<PublicDesk> {
  // The provider says that it is meant for development; so are we.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}${options.base ?? ''}`;
  const { fourEyesAbove, pageAuth = 'client_secret_basic' } = options;
  const openId = await startOpenId(`${publicUrl}/mcp`, { pageRedirect: redirectOf(publicUrl), pageAuth });
  const login = createLogin({
    issuer: openId.issuer,
    clientId: PAGE.clientId,
    ...(pageAuth !== 'none' && { clientSecret: PAGE.clientSecret }),
    approverRole: APPROVER_ROLE,
    deskRole: DESK_ROLE,
    redirect: redirectOf(publicUrl),
    secret: async () => desk.state.digestKey,
    ...options.login,
  });
  const page = createPublicPage({
    publicUrl,
    login,
    environment: 'sandbox',
    clerk: () => desk.clerk,
    ...(fourEyesAbove && { fourEyesAbove }),
  });
  const caller = { tenant: openId.issuer, id: 'oauth:ann:desk' };
  const desk = await testDesk({ caller, page: () => page });
  const serving = await startHttp(desk.clerk, {
    version: '0',
    host: '127.0.0.1',
    port,
    caller,
    publicUrl,
    signIn: createSignIn({ issuer: openId.issuer, publicUrl }),
    mounts: [page.mount],
    close: () => desk.close(),
  });
  return {
    desk,
    openId,
    serving,
    publicUrl,
    caller,
    person: (name) => new PersonAt(name, openId.issuer),
    address: ({ operationId }) => `${publicUrl}/approve/${operationId}`,
    approval: (operationId) => desk.state.approvals.byOperation(operationId),
    async close() {
      await serving.stop();
      await openId.close();
    },
  };
}
