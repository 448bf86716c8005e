/**
 * Between the clerk and the airline: lets all pass, learns the tokens, and on order answers itself with an error that
 * repeats everything it was sent, as careless services do.
 */
import { type Received, reply } from '../../../ota/support/wire-server.ts';
import type { Settings } from '../../support/airline.ts';
import { startRelay } from '../../support/relay.ts';
import { type Canaries, PLANTED } from './canaries.ts';
import type { Form } from './forms.ts';

const PEOPLE = [
  ...(['given name', 'surname', 'contact surname', 'birth date', 'document number', 'e-mail', 'phone'] as const),
  ...(['service code', 'service text'] as const),
];

/** All that the clerk sent, and all that the airline knows of its customers. */
function echoOf({ headers, path, text }: Received): string {
  return `${JSON.stringify(headers)} ${path} ${text} ${PEOPLE.map((name) => PLANTED[name]).join(' ')}`;
}

export async function startEchoing(airline: Settings, canaries: Canaries) {
  const orders: { readonly message: string; readonly form: Form; times: number }[] = [];
  const relay = await startRelay(airline);
  relay.interfere(async ({ name, request, socket, forward }) => {
    const order = orders.find((one) => one.message === name && one.times > 0);
    if (order !== undefined) {
      order.times -= 1;
      const { status, headers, text } = order.form.reply(echoOf(request), request.headers);
      socket.write(reply(status, text, headers));
      return true;
    }
    const { body } = name === 'token' ? await forward() : { body: '' };
    if (body.startsWith('{')) {
      const { access_token: access, refresh_token: refresh } = JSON.parse(body) as Record<string, unknown>;
      if (typeof access === 'string') canaries.add('access token', access);
      if (typeof refresh === 'string') canaries.add('refresh token', refresh);
    }
    return false;
  });
  return {
    settings: relay.settings,
    /** Answers the next `times` calls of that message in this form. */
    order: (message: string, form: Form, times: number) => void orders.push({ message, form, times }),
    close: relay.close,
  };
}
