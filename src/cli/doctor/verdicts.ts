/**
 * What a question to the airline that went wrong means for the person who set things up.
 */
import { cleanText } from '../../domain/time-and-text/clean-text.ts';
import { readFault } from '../../ota/errors/fault-forms.ts';
import { skipped, toMend, type Verdict, warning } from './check.ts';
import { type Asked, bodyOf, type Exchange, isSpent } from './watch.ts';

/** What was asked, for the words about it. */
export interface Question {
  /** The variable that holds the address. */
  readonly setting: string;
  readonly method: 'GET' | 'POST';
}

/** What the airline itself said, in one clause: status, code, title, its support's reference. */
export function said(exchange: Exchange | undefined): string {
  const { reply, failure } = exchange ?? {};
  if (reply === undefined) return failure === undefined ? 'nothing was sent' : `no reply (${failure.kind})`;
  const fault = readFault(reply.status, bodyOf(exchange));
  const parts = [
    `HTTP ${reply.status}`,
    fault?.code === undefined ? '' : `code ${fault.code}`,
    fault?.title === undefined ? '' : `“${cleanText(fault.title, 80)}”`,
    fault?.correlationId === undefined ? '' : `reference ${cleanText(fault.correlationId, 60)}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

export function statusOf(exchange: Exchange | undefined): number {
  return exchange?.reply?.status ?? 0;
}

export function codeOf(exchange: Exchange | undefined): string | undefined {
  return readFault(statusOf(exchange), bodyOf(exchange))?.code;
}

const HTML = /^\s*</;

/** The address up to its query, which may hold a key. */
export function bare(address: string): string {
  const url = URL.parse(address);
  return url === null ? 'an address that cannot be read' : cleanText(url.origin + url.pathname, 120);
}

/** Codes that speak of the point of sale, not of the question. */
const SELLER: Readonly<Record<string, () => Verdict>> = {
  '189': () =>
    toMend(
      'agent_refused',
      'The airline does not know this agent and agency, or does not let them sell.',
      'Check FARECLERK_AGENT_ID and FARECLERK_AGENCY_ID.',
    ),
  '183': () =>
    toMend(
      'agency_suspended',
      'The airline has suspended this agency.',
      'Ask the airline; FARECLERK_AGENCY_ID names the agency.',
    ),
  '61': () => toMend('currency_refused', 'The airline does not sell in this currency.', 'Check FARECLERK_CURRENCY.'),
};

/** Undefined where it was answered in a way that says: address and seller are right. */
export function trouble({ exchange, error }: Asked<unknown>, { setting, method }: Question): Verdict | undefined {
  if (exchange === undefined) {
    if (isSpent(error)) return skipped(error?.message ?? '');
    const words = error?.message ?? 'Nothing was sent.';
    return toMend('setting_wrong', words, error?.next ?? `Check ${setting}.`);
  }
  const { reply, failure } = exchange;
  if (failure !== undefined) return unanswered(exchange, setting);
  const { status = 0, text = '' } = reply ?? {};
  const what = `${bare(exchange.request.url)} answered ${said(exchange)}`;
  if (status >= 300 && status < 400) return redirected(exchange, setting);
  const code = codeOf(exchange);
  const seller = code === undefined ? undefined : SELLER[code];
  if (seller !== undefined) {
    const verdict = seller();
    return { ...verdict, said: `${verdict.said} It said: ${said(exchange)}.` };
  }
  if (status === 429)
    return warning('throttled', `${what}: too many calls just now.`, 'Run `fareclerk doctor` again in a minute.');
  if (status === 401 || status === 403) return undefined;
  if (status >= 500) {
    return toMend(
      'airline_failed',
      `${what}: the airline's own system fails.`,
      'Nothing to change here: ask the airline, with the reference if one is given.',
    );
  }
  if (HTML.test(text)) return webPage(exchange, setting);
  if (status < 300 && error?.code === 'E_AIRLINE_REPLY') {
    return toMend(
      'reply_unreadable',
      `${what} and JSON that is neither an answer nor a refusal.`,
      `Something else may live at the address in ${setting}; if it is the airline's, send the report to support.`,
    );
  }
  if (status === 405 || (status === 404 && !isBookingCode(code))) {
    return toMend(
      'wrong_path',
      `${what}: there is nothing at this path${method === 'POST' ? ' that takes messages' : ''}.`,
      `Check the path in ${setting}.`,
    );
  }
  return undefined;
}

/** OpenTravel codes that say that no such booking is known: the message has arrived where it should. */
const BOOKING_CODES = new Set(['87', '97', '99', '171', '194', '635']);
export const isBookingCode = (code: string | undefined): boolean => code !== undefined && BOOKING_CODES.has(code);

function unanswered({ request, failure }: Exchange, setting: string): Verdict {
  const where = bare(request.url);
  switch (failure?.kind) {
    case 'timeout':
      return toMend(
        'no_answer',
        `${where} takes the call and does not answer in time.`,
        'Ask the airline whether this machine is let in, and whether its system is up.',
      );
    case 'unreachable':
      return toMend('connection_failed', `${where} could not be reached.`, `Check ${setting} and the network.`);
    case 'unwritable':
      return toMend(
        'setting_wrong',
        'An address or credential holds a character that HTTP does not allow.',
        `Check ${setting}, FARECLERK_API_KEY and FARECLERK_TENANT.`,
      );
    case 'garbled':
    case 'too_large':
      return toMend(
        'reply_unreadable',
        `${where} answered in a way that is not HTTP, or too large.`,
        `Check host and port in ${setting}.`,
      );
    default:
      return toMend(
        'connection_failed',
        `${where} ended the connection without an answer.`,
        `Check ${setting}; a firewall or proxy may be cutting it.`,
      );
  }
}

function redirected({ request, reply }: Exchange, setting: string): Verdict {
  const location = reply?.headers?.location;
  const target = location === undefined ? undefined : URL.parse(location, request.url)?.href;
  const to = target === undefined ? '' : ` to ${bare(target)}`;
  return toMend(
    'redirect',
    `${bare(request.url)} sends callers on${to} (HTTP ${reply?.status}). fareclerk follows no redirect: credentials would go with it.`,
    `If that is the airline's own address, set it in ${setting}; if it is a login page, a proxy stands between.`,
  );
}

function webPage({ request, reply }: Exchange, setting: string): Verdict {
  const title = /<title[^>]*>([^<]{1,200})/i.exec(reply?.text ?? '')?.[1];
  const named = title === undefined ? '' : ` titled “${cleanText(title, 60)}”`;
  return toMend(
    'html_page',
    `${bare(request.url)} answered HTTP ${reply?.status} with a web page${named}, not with JSON.`,
    `A proxy or login page stands between, or ${setting} is the address of a page for people.`,
  );
}
