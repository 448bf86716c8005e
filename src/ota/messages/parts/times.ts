/**
 * Date-times on the wire (RFC 3339).
 */

const DATE_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/i;

function withZone(value: string, missing: string | undefined): string {
  const match = DATE_TIME.exec(value.trim());
  if (match === null) return value;
  const [, minutes = '', seconds = ':00', fraction = '', zone] = match;
  const offset = zone ?? missing;
  if (offset === undefined) return value;
  const millis = fraction.slice(1, 4).padEnd(3, '0');
  const colon = offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset.toUpperCase();
  return `${minutes.toUpperCase()}${seconds}.${millis}${colon}`;
}

/** Millisecond precision, as requests need it; a time without a zone is left as it is, for the schema to refuse. */
export function toMillis(value: string): string {
  return withZone(value, undefined);
}

/** A time that the interface says is UTC, with milliseconds and `Z` (availability record). */
export function toUtc(value: string): string {
  return withZone(value, 'Z');
}
