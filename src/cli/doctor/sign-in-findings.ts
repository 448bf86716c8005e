/** What the doctor finds at the identity provider of callers, and at the public address. */
type Wording = readonly [found: string, advice: string];

export const SIGN_IN_FAILURES = {
  issuer_wrong: [
    'There is no metadata of an identity provider at {issuer} ({said}).',
    'Set FARECLERK_ISSUER to the issuer that the metadata of the provider names, to the letter.',
  ],
  'issuer_wrong.other': [
    'The metadata at {issuer} names another issuer: {found}. Tokens of that issuer are refused.',
    'Set FARECLERK_ISSUER={found}',
  ],
  issuer_keys: [
    'The keys of the issuer at {where} cannot be used ({said}). No token can be checked.',
    'Have the provider sign access tokens with RS256, PS256, ES256 or EdDSA, and publish the keys there.',
  ],
  page_client_refused: [
    'The provider refuses the client of the approval page{without} ({said}).',
    'Check FARECLERK_PAGE_CLIENT_ID and FARECLERK_PAGE_CLIENT_SECRET: complete, and of this provider.',
  ],
  page_redirect_refused: [
    'The provider does not let {client} sign people in for {redirect} ({said}).',
    'Register {redirect} as a redirect address of FARECLERK_PAGE_CLIENT_ID, with the authorization code flow.',
  ],
  public_not_here: [
    '{where} does not lead to this server ({said}).',
    'Have the proxy forward this address, or correct FARECLERK_PUBLIC_URL. The guide Deployment has an example.',
  ],
  'public_not_here.other': [
    'The server at {where} has other settings: {found}.',
    'Restart it with these settings, or correct FARECLERK_PUBLIC_URL, FARECLERK_ISSUER and FARECLERK_AUDIENCE.',
  ],
} as const satisfies Record<string, Wording>;

export const SIGN_IN_WARNINGS = {
  issuer_incomplete: [
    'The metadata of the issuer does not name {missing}.',
    'Enable it at the provider: MCP clients refuse to sign in without it.',
  ],
  scopes_unknown: [
    'The provider does not list the scopes {missing}. A token without them cannot call the tools.',
    'Define these scopes at the provider and allow them to the clients. See the guides HTTP server and Keycloak.',
  ],
  page_client_unclear: [
    'The provider answers a sign-in on the approval page with {said}.',
    'Sign in there once to see.',
  ],
} as const satisfies Record<string, Wording>;
