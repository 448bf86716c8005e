/** The pages of the provider: a person says who they are, and which application may act for them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type Provider from 'oidc-provider';
import { framed, type Html, html } from '../../../src/pages/browser/html.ts';

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
      'x-frame-options': 'DENY',
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

interface SignInPage {
  readonly title: string;
  readonly uid: string;
  readonly prompt: 'login' | 'consent';
  readonly fields: Html;
  readonly button: string;
}

/** Styled as the pages that lead here. */
function page({ title, uid, prompt, fields, button }: SignInPage): string {
  const main = html`<h1>${title}</h1>
<form method="post" action="${PATH}${uid}">
<input type="hidden" name="prompt" value="${prompt}">
${fields}
<p><button class="yes" type="submit">${button}</button></p>
</form>`;
  return framed({ title, environment: 'sandbox', look: 'details', main });
}

const problemText = (problem: string) =>
  problem === '' ? undefined : html`<p class="mistake" role="alert">${problem}</p>\n`;

function loginPage(uid: string, problem: string): string {
  const fields = html`${problemText(problem)}<div class="field"><label for="login">Name</label>
<input id="login" name="login" required autofocus autocomplete="username" autocapitalize="none" spellcheck="false"></div>
<div class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" required autocomplete="current-password"></div>`;
  return page({ title: 'Sign in', uid, prompt: 'login', fields, button: 'Sign in' });
}

function consentPage(uid: string, application: string, scope = ''): string {
  const fields = html`<p>${application} asks to act for you: ${scope}</p>`;
  return page({ title: 'Allow this application?', uid, prompt: 'consent', fields, button: 'Allow' });
}
