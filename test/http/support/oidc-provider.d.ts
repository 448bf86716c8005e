/** The package has no types; these are what the tests use. */
declare module 'oidc-provider' {
  export const errors: { readonly InvalidTarget: new () => Error };

  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    addOIDCClaims(claims: readonly string[]): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  interface Interaction {
    readonly uid: string;
    readonly grantId?: string;
    readonly session?: { readonly accountId: string };
    readonly params: { readonly client_id?: string; readonly scope?: string };
    readonly prompt: {
      readonly name: string;
      readonly details: {
        readonly missingOIDCScope?: readonly string[];
        readonly missingOIDCClaims?: readonly string[];
        readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
      };
    };
  }

  /** What a hook of the provider gets, as far as it is used. */
  export interface GrantContext {
    readonly oidc: {
      readonly client: { readonly clientId: string };
      readonly session: { readonly accountId?: string; grantIdFor(clientId: string): string | undefined };
      readonly result?: { readonly consent?: { readonly grantId?: string } };
      readonly provider: Provider;
    };
  }

  export default class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    callback(): RequestListener;
    on(event: string, listener: (...args: unknown[]) => void): this;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: { readonly mergeWithLastSubmission: boolean },
    ): Promise<void>;
    readonly Client: { find(id: string): Promise<{ readonly clientName?: string } | undefined> };
    readonly Grant: {
      new (of: { readonly accountId: string | undefined; readonly clientId: string | undefined }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
  }
}
