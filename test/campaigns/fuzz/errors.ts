/**
 * Error replies in every form and wording (docs/wire/notes.md, errors), to be played as they are or spoilt.
 */
import { spoilt } from './mutate.ts';
import { pick, type Random } from './random.ts';

const SYSTEM = ['TIMEOUT', 'SYSTEM_ERROR', 'internal_server_error', 'Service-Unavailable', '448', '9999', '1603'];
const RULES = [
  ...['NO_FLIGHTS_AVAILABLE', 'NO_AVAILABILITY', 'FLIGHT_SOLD_OUT', 'SEAT_NOT_AVAILABLE', 'FARE_NO_LONGER_AVAILABLE'],
  ...['BOOKING_NOT_FOUND', 'PAYMENT_DECLINED', 'MODIFICATION_NOT_ALLOWED', 'CHANGES_ARE_NOT_PERMITTED'],
  ...['MISSING_REQUIRED_FIELD', 'INVALID_DATE', 'TOKEN_EXPIRED', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED', 'UNHEARD_OF'],
  ...['53', '73', '97', '127', '322', '499', '524', '885', '1026', '3510'],
];

const FORMS: readonly ((code: string, type: string) => object)[] = [
  (code) => ({ status: 422, error: 'Unprocessable Entity', code, title: 'words', correlationId: 'c-1', tenant: 't' }),
  (code) => ({ status: 422, code, title: '', cause: { title: '', cause: { code: '1', title: 'innermost' } } }),
  (code) => ({ error: { code, title: 'words', detail: 'more' }, correlationId: 'c-1' }),
  (code, type) => ({ errors: [{ type, code, message: 'words', field: 'x' }], requestId: 'c-1' }),
  (code, type) => ({
    errors: [
      { type: 'business', code: '172', message: 'words' },
      { type, code, message: 'words' },
    ],
  }),
  (code, type) => ({ errors: { error: [{ type, code, shortText: 'words', value: 'more' }] } }),
  (code, type) => ({ errors: { error: { type, code, value: 'words' } }, success: null }),
];
const STATUSES = [200, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503];

export function errorReply(random: Random) {
  const way = random(3);
  const code = pick(way === 0 ? SYSTEM : RULES, random);
  const form = pick(way === 1 ? FORMS.slice(3) : FORMS, random);
  const type = way === 1 ? pick(['system', 'SYSTEM', 'System'], random) : pick(['business', 'validation', '3'], random);
  const text = JSON.stringify(form(code, type));
  const whole = random(2) === 0;
  return {
    reply: { status: pick(STATUSES, random), text: whole ? text : spoilt(text, random) },
    /** It blames a system, in a form that was left whole: it proves nothing. */
    blames: whole && way < 2,
  };
}
