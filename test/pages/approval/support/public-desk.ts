/**
 * The approval page on a public address: the server over HTTP, a desk whose caller signed in, and a real OpenID provider.
 */
import { vi } from 'vitest';
import { createSignIn } from '../../../../src/auth/callers/access-tokens.ts';
import { createLogin } from '../../../../src/auth/callers/browser-login.ts';
import { mountPublicPage, publicPage, redirectUrl } from '../../../../src/pages/approval/public-page.ts';
import {
  APPROVER_ROLE,
  DESK_ROLE,
  freePort,
  type OpenIdOptions,
  PAGE,
  startOpenId,
} from '../../../http/support/openid.ts';
import { serve } from '../../../http/support/serve.ts';
import { type TestDesk, testDesk } from './desk-of.ts';
import { PersonAt } from './person.ts';

export type PublicDesk = Awaited<ReturnType<typeof openPublicDesk>>;

interface PublicDeskOptions extends Pick<OpenIdOptions, 'pageAuth'> {
  readonly fourEyesAbove?: { readonly minor: number; readonly currency: string };
  readonly pageAbove?: { readonly minor: number; readonly currency: string };
  /** Path of the public address. */
  readonly base?: string;
  /** Default: that of the server itself. */
  readonly origin?: string;
  readonly fetch?: NonNullable<Parameters<typeof createLogin>[0]['fetch']>;
}

/** What stands behind the page. */
interface AnyDesk extends Pick<TestDesk, 'clerk' | 'close'> {
  readonly state: { readonly digestKey: Uint8Array };
}

interface DeskParts {
  readonly caller: NonNullable<NonNullable<Parameters<typeof testDesk>[0]>['caller']>;
  readonly page: ReturnType<typeof publicPage>;
}

/** @param open opens the desk behind the page, for the caller who signed in */
export async function openSignedInPage<D extends AnyDesk>(
  options: PublicDeskOptions,
  open: (parts: DeskParts) => Promise<D>,
) {
  // The provider says that it is meant for development; so are we.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const port = await freePort();
  const { fourEyesAbove, pageAbove, pageAuth = 'client_secret_basic', base = '' } = options;
  const { origin = `http://127.0.0.1:${port}` } = options;
  const publicUrl = origin + base;
  const pageRedirect = redirectUrl(publicUrl);
  const openId = await startOpenId(`${publicUrl}/mcp`, { pageRedirect, pageAuth });
  const login = createLogin({
    issuer: openId.issuer,
    clientId: PAGE.clientId,
    ...(pageAuth !== 'none' && { clientSecret: PAGE.clientSecret }),
    approverRole: APPROVER_ROLE,
    deskRole: DESK_ROLE,
    redirect: pageRedirect,
    secret: async () => desk.state.digestKey,
    ...(options.fetch && { fetch: options.fetch }),
  });
  /** Who asks: ann, from the application `desk`. */
  const caller = { tenant: openId.issuer, id: 'oauth:ann:desk' };
  const desk: D = await open({ caller, page: publicPage(publicUrl) });
  const { clerk } = desk;
  const mount = mountPublicPage({ publicUrl, login, environment: 'sandbox', clerk, fourEyesAbove, pageAbove });
  const signIn = createSignIn({ issuer: openId.issuer, publicUrl });
  const { serving } = await serve({ port, caller, publicUrl, signIn, mounts: [mount] }, desk);
  return {
    ...{ desk, openId, serving, port, publicUrl, pageRedirect, caller },
    person: (name: string) => new PersonAt(name, openId.issuer),
    address: ({ operationId }: { operationId: string }) => `${publicUrl}/approve/${operationId}`,
    async close() {
      await serving.stop();
      await openId.close();
    },
  };
}

export async function openPublicDesk(options: PublicDeskOptions = {}) {
  const page = await openSignedInPage(options, testDesk);
  const { desk } = page;
  let locators = 100;
  const ask = () => desk.ask(`ABC${++locators}`);
  return {
    ...page,
    ask,
    /** The same question of somebody else, with another amount or deadline. */
    async askAs(over: Partial<Awaited<ReturnType<typeof ask>>>, minor = 17_250) {
      const approval = await ask();
      await desk.state.approvals.decide(approval.handleHash, { decision: 'declined', assurance: 'page' }, desk.now());
      const operationId = crypto.randomUUID();
      const { operation } = approval.carried as { operation: object };
      const carried = {
        ...(approval.carried as object),
        operation: { ...operation, amount: { minor, currency: 'SAR' } },
      };
      const copy = { ...approval, operationId, handleHash: operationId, carried, ...over };
      await desk.state.approvals.put(copy);
      return copy;
    },
    approval: (operationId: string) => desk.state.approvals.byOperation(operationId),
  };
}
