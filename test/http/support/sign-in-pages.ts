/** The pages of the provider: a person says who they are, and which application may act for them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type Provider from 'oidc-provider';

const PATH = '/interaction/';

/** Where the provider sends a browser that must sign in or consent. */
export const signInAddress = (_ctx: unknown, { uid }: { readonly uid: string }) => `${PATH}${uid}`;

export const isSignIn = ({ url }: IncomingMessage): boolean => url?.startsWith(PATH) === true;

/** @param knows whether a person has this name and password */
export async function answerSignIn(
  provider: Provider,
  knows: (login: string, password: string) => boolean,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, uid, grantId, session } = await provider.interactionDetails(request, response);
  const client = await provider.Client.find(params.client_id ?? '');
  const application = client?.clientName ?? params.client_id ?? '';
  const show = (problem = '') => {
    const page = prompt.name === 'login' ? loginPage(uid, problem) : consentPage(uid, application, params.scope);
    response.writeHead(problem === '' ? 200 : 401, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    response.end(page);
  };
  if (request.method !== 'POST') return show();
  const form = new URLSearchParams(await text(request));
  if (prompt.name === 'login') {
    const accountId = form.get('login') ?? '';
    if (!knows(accountId, form.get('password') ?? '')) return show('This name and password do not belong together.');
    return await provider.interactionFinished(request, response, { login: { accountId } });
  }
  const earlier = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = earlier ?? new provider.Grant({ accountId: session?.accountId, clientId: params.client_id });
  const { missingOIDCScope, missingOIDCClaims, missingResourceScopes = {} } = prompt.details;
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '));
  if (missingOIDCClaims) grant.addOIDCClaims(missingOIDCClaims);
  for (const [resource, scopes] of Object.entries(missingResourceScopes))
    grant.addResourceScope(resource, scopes.join(' '));
  const result = { consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
}

const escaped = (words: string): string => words.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function page(title: string, uid: string, prompt: 'login' | 'consent', fields: string, button: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 3rem auto; padding: 0 1rem }
label { display: block; margin-bottom: 1rem } input, button { font: inherit; padding: 0.5rem; min-height: 2.75rem }</style>
<h1>${title}</h1>
<form method="post" action="${PATH}${escaped(uid)}">
<input type="hidden" name="prompt" value="${prompt}">
${fields}
<button type="submit">${button}</button>
</form>
</html>
`;
}

function loginPage(uid: string, problem: string): string {
  const fields = `<p role="alert">${escaped(problem)}</p>
<label>Name <input name="login" required autofocus autocomplete="username"></label>
<label>Password <input name="password" type="password" required autocomplete="current-password"></label>`;
  return page('Sign in', uid, 'login', fields, 'Sign in');
}

function consentPage(uid: string, application: string, scope = ''): string {
  const fields = `<p>${escaped(application)} asks to act for you: ${escaped(scope)}</p>`;
  return page('Allow this application?', uid, 'consent', fields, 'Allow');
}
