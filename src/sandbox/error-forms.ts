/**
 * Other forms in which such services refuse (field-notes.md, errors). Each turns the documented flat object into one of
 * them, and leaves every other reply alone.
 */
import type { Wire } from '../ota/messages/parts/reader.ts';

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

export const ERROR_FORMS = { errorObject, errorNumber, errorCause, errorOlder, errorList, errorOta } as const;
