/** Explains a failed question to the person who set things up. */
import { cleanCode, cleanText, quoted } from '../../domain/time-and-text/clean-text.ts';
import { type CheckOutcome, listed, skipped } from './check.ts';
import { type FindingKey, finding } from './findings.ts';
import { type Asked, SPENT } from './visit.ts';

/** The reply in one clause: status, the airline's code and title, the support reference. */
export function said({ exchange, status, fault }: Asked): string {
  if (exchange === undefined) return 'nothing was sent';
  if (exchange.reply === undefined) return `no reply (${exchange.failure?.kind})`;
  const { code, title, correlationId } = fault ?? {};
  return listed(
    [
      `HTTP ${status}`,
      code && `code ${cleanCode(code)}`,
      title && quoted(title, 80),
      correlationId && `reference ${cleanCode(correlationId, 60)}`,
    ],
    ', ',
  );
}

/** Cuts the query off, which may hold a key. */
export function bare(address: string): string {
  const url = URL.parse(address);
  return url === null ? 'an address that cannot be read' : cleanText(url.origin + url.pathname, 120);
}

/** OpenTravel codes for an unknown booking: the message arrived where it should. */
const BOOKING_CODES: readonly (string | undefined)[] = ['87', '97', '99', '171', '194', '635'];
/** Codes for a refused point of sale. */
const SELLER: Readonly<Record<string, FindingKey>> = {
  '61': 'currency_refused',
  '183': 'agency_suspended',
  '189': 'agent_refused',
};
const NO_REPLY: Readonly<Record<string, FindingKey>> = {
  timeout: 'no_answer',
  unreachable: 'connection_failed.unreachable',
  unwritable: 'setting_wrong.character',
  garbled: 'reply_unreadable.garbled',
  too_large: 'reply_unreadable.garbled',
};

/** Whether the address understood the message. */
export const arrived = ({ answer, fault }: Asked): boolean =>
  answer !== undefined || BOOKING_CODES.includes(fault?.code);

/** Whether the address is right although the answer is a refusal. */
export const isAnswered = ({ finding }: CheckOutcome): boolean =>
  finding === 'refused' || finding === 'credentials_refused';

/** @param setting names the address */
export function problemOf(asked: Asked, setting: string): CheckOutcome {
  const { exchange, error, status } = asked;
  if (error === SPENT) return skipped(error.message);
  const nothing = finding('setting_wrong', { setting });
  if (exchange === undefined) return { ...nothing, ...(error && { said: error.message, advice: error.next }) };
  const { request, reply, failure } = exchange;
  const key = failure === undefined ? keyOf(asked) : (NO_REPLY[failure.kind] ?? 'connection_failed.cut');
  const location = reply?.headers?.location;
  const target = location && URL.parse(location, request.url)?.href;
  const title = /<title[^>]*>([^<]{1,200})/i.exec(reply?.text ?? '')?.[1];
  return finding(key, {
    setting,
    where: bare(request.url),
    said: said(asked),
    status,
    target: target ? ` to ${bare(target)}` : '',
    titled: title === undefined ? '' : ` titled ${quoted(title, 60)}`,
  });
}

function keyOf({ exchange, error, status, fault }: Asked): FindingKey {
  if (status >= 300 && status < 400) return 'redirect';
  const seller = SELLER[fault?.code ?? ''];
  if (seller !== undefined) return seller;
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403) return 'credentials_refused.address';
  if (status >= 500) return 'airline_failed';
  if (/^\s*</.test(exchange?.reply?.text ?? '')) return 'html_page';
  if (status < 300 && error?.code === 'E_AIRLINE_REPLY') return 'reply_unreadable';
  if (status === 405 || (status === 404 && !BOOKING_CODES.includes(fault?.code))) return 'wrong_path';
  return 'refused';
}
