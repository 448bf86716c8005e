/**
 * Other error forms of such services (docs/wire/notes.md, Errors). Each function rewrites the documented flat object and
 * leaves every other reply unchanged.
 */

type Wire = Record<string, unknown>;
type Rewrite = (reply: Wire) => Wire;

function ofFault(rewrite: (fault: Wire) => Wire): Rewrite {
  return (reply) => (typeof reply.status === 'number' && 'correlationId' in reply ? rewrite(reply) : reply);
}

/** `error` as an object that holds code, title and detail. */
const errorObject = ofFault(({ error, code, title, detail, ...rest }) => ({ ...rest, error: { code, title, detail } }));

/** The code as a number. */
const errorNumber = ofFault((fault) => ({ ...fault, code: Number(fault.code) }));

/** An empty title; the words are in the innermost `cause`. */
const errorCause = ofFault((fault) => {
  const { status, error, code, title } = fault;
  return { ...fault, title: '', cause: { status, error, title: null, cause: { status, error, code, title } } };
});

/** The older form of a plain web framework: no code at all. */
const errorOlder = ofFault(({ timestamp, status, error, detail }) => {
  return { timestamp, status, error, exception: 'AirlineException', message: detail, path: '/v2015b/OTA' };
});

/** `{errors: [...], requestId}`. */
const errorList = ofFault(({ code, title, correlationId }) => ({
  errors: [{ type: 'BUSINESS', code, message: title }],
  requestId: correlationId,
}));

/** The OpenTravel form: `errors.error[]`. */
const errorOta = ofFault(({ code, title, detail, correlationId }) => ({
  correlationId,
  errors: { error: [{ type: '3', code, shortText: title, value: detail }] },
}));

/** Words that replace codes (docs/wire/notes.md, Errors). Other codes keep their digits. */
const WORDS: Readonly<Record<string, string>> = {
  '53': 'FARE_NO_LONGER_AVAILABLE',
  '97': 'BOOKING_NOT_FOUND',
  '118': 'MODIFICATION_NOT_ALLOWED',
  '150': 'CHANGES_ARE_NOT_PERMITTED',
  '167': 'PAYMENT_DECLINED',
  '172': 'MODIFICATION_NOT_ALLOWED',
  '175': 'INVALID_API_KEY',
  '187': 'SERVICE_UNAVAILABLE',
  '189': 'FORBIDDEN',
  '320': 'INVALID_VALUE',
  '321': 'MISSING_REQUIRED_FIELD',
  '322': 'NO_AVAILABILITY',
  '448': 'SYSTEM_ERROR',
  '497': 'TOKEN_EXPIRED',
  '499': 'FLIGHT_SOLD_OUT',
  '888': 'RATE_LIMIT_EXCEEDED',
  '1053': 'NO_AVAILABILITY',
  '1055': 'FARE_NO_LONGER_AVAILABLE',
};

/** `{errors: [...], requestId}` with words in place of the codes. */
const errorWords = ofFault(({ status, code, title, correlationId }) => ({
  errors: [
    {
      type: Number(status) >= 500 ? 'system' : 'business',
      code: WORDS[String(code)] ?? code,
      message: title,
    },
  ],
  requestId: correlationId,
}));

export const ERROR_FORMS = {
  errorObject,
  errorNumber,
  errorCause,
  errorOlder,
  errorList,
  errorOta,
  errorWords,
} as const;
