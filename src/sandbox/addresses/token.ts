/** POST {auth_url}/realms/<tenant>/protocol/openid-connect/token */
import type { SandboxContext } from '../context.ts';
import { grantToken } from '../identity.ts';
import { type Call, type Incoming, jsonReply } from '../reply.ts';

const PATH = /^\/realms\/([^/]+)\/protocol\/openid-connect\/token$/;

export function tokenCall(context: SandboxContext, incoming: Incoming): Call | undefined {
  const tenant = PATH.exec(incoming.url.pathname)?.[1];
  if (tenant === undefined) return undefined;
  return {
    name: 'token',
    answer: () => {
      if (incoming.method !== 'POST') return jsonReply(405, { error: 'RESTEASY003650: No resource method found' });
      if (tenant !== context.credentials.tenant) return jsonReply(404, { error: 'Realm does not exist' });
      if (!/^application\/x-www-form-urlencoded\b/.test(incoming.headers['content-type'] ?? '')) {
        return jsonReply(415, { error: 'invalid_request', error_description: 'form encoding is due' });
      }
      const form = new URLSearchParams(incoming.body);
      const { state, credentials, clock } = context;
      const { status, body } = state.change(() => grantToken(state, credentials, form, clock.now()));
      return jsonReply(status, body);
    },
  };
}
