/**
 * Whether a lie was refused, told or neither. Told: one line has the value before and the value now, or names what is masked, or names
 * the flight or the person that is gone, twice, no longer confirmed, or connected with another. Only lines count that the honest trip
 * does not have; and where the two values cannot be in them, only lines of another make: the line of a flight with another time is none.
 */
import { type Lie, type Path, reached } from './lies.ts';
import type { Seen } from './play.ts';

export type Verdict = 'refused' | 'told' | 'only the new value' | 'nothing';

/** In which forms a value is shown. */
function formsOf(value: unknown): readonly string[] {
  if (typeof value === 'number') return amounts(value);
  if (typeof value !== 'string') return [];
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return times(value);
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return [value, dayText(value)];
  const amount = /^\d+\.\d+$/.test(value) ? amounts(Number(value)) : [];
  return [...amount, value, value.replace(/^0+(?=\d)/, ''), ...(WORDS[value] ?? [])];
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  ADT: ['adult'],
  CHD: ['child'],
  INF: ['infant'],
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function amounts(value: number): readonly string[] {
  const fixed = value.toFixed(2);
  const forms = [fixed, fixed.replace(/\B(?=(\d{3})+(?!\d))/g, ','), String(value)];
  return value === 0 ? [...forms, 'nothing comes back'] : forms;
}

/** `9 Apr` */
function dayText(date: string): string {
  return `${Number(date.slice(8, 10))} ${MONTHS[Number(date.slice(5, 7)) - 1]}`;
}

/** Hours from UTC in which a time that comes in UTC may be shown: those of the stations of the trips. */
const ZONES = [0, 1, 2, 3, 4];

/** `14:48` and `9 Apr`. */
function times(value: string): readonly string[] {
  const isUtc = /Z$/i.test(value);
  const locals = isUtc ? ZONES.map((hours) => new Date(Date.parse(value) + hours * 3_600_000).toISOString()) : [value];
  return locals.flatMap((local) => [`${dayText(local)} ${local.slice(11, 16)}`, local.slice(11, 16), dayText(local)]);
}

/** Of two times only what differs: `9 Apr 14:48` beside `10 Apr 14:48`. */
function bothForms({ was, now }: Lie): readonly [was: readonly string[], now: readonly string[]] {
  const [before, after] = [formsOf(was), formsOf(now)];
  return [before.filter((form) => !after.includes(form)), after.filter((form) => !before.includes(form))];
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** As a word of its own: `12` is not in `1290`. A flight number follows its carrier. */
function has(line: string, form: string): boolean {
  if (form === '') return false;
  const lead = /^\d+$/.test(form) ? '(?<![\\d.,:])0*' : '(?<![\\p{L}\\d])';
  return new RegExp(`${lead}${escaped(form)}(?![\\p{L}\\d])`, 'iu').test(line);
}

const hasAny = (line: string, forms: readonly string[]) => forms.some((form) => has(line, form));

/** What a field is called where its value is masked or has no words of its own. */
const CALLED: readonly (readonly [field: RegExp, words: RegExp])[] = [
  [/(person|passenger)Name/, /\bname\b/i],
  [/birthDate/, /birth/i],
  [/comment/, /\blap\b/i],
  [/docHolderNationality/, /nationality/i],
  [/document|docID|docType|docHolder|expireDate/, /passport|document|national ID/i],
  [/email/, /e-mail/i],
  [/telephone|phone/i, /phone/i],
  [/gender/, /gender/i],
  [/address/, /address|city|country/i],
  [/airTraveler$/, /adult|child|infant|passenger/i],
  [/passengerTypeCode|passengerTypeQuantity/, /type|adult|child|infant|passengers|asked for/i],
  [/voluntaryRefunds|fareRule/, /refund rule/i],
  [/voluntaryChanges/, /change rule/i],
  [/orderInfo/, /order|state|refunded/i],
  [/fareBaggageAllowance/, /baggage/i],
  [/TimeLimit/, /time limit|until/i],
  [/Airport\.locationCode$/, /does not run/i],
  [/couponInfos|ticketing|ticketNumber/, /ticket/i],
];
const UNLIKE =
  /, (?:offered|sent)\b|asked for|\bnot (?:the|as|in|with|of|on|held)\b|other than|another|differs|unlike|instead of|missing|no longer|lacks|shows no|did not state|at first\b/i;

/** Words for other people, or another booking. */
const STRANGERS = /another booking|\bname\b|not asked for|passengers?\b.*(?:was|before)/i;

/** What was cancelled here, and stands as it was. */
const UNCHANGED = /does not show it yet/;

/** A line of what an airline changed since the reading before: it says so by itself. */
const CHANGED = /changed since/i;

/** A line without what differs from booking to booking. */
const makeOf = (line: string): string =>
  line
    .replace(/“[^”]*”/g, '“”')
    .replace(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ \p{Lu}\p{Ll}\p{Ll}\b/gu, 'D')
    .replace(/\b\p{Lu}[\p{Lu}\d]+\b/gu, 'A')
    .replace(/[\d,.:]+/g, '0');

/** Leaves of an element, as a line may name them: no short ones, which stand everywhere. */
function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) {
    const forms = formsOf(value);
    return forms.filter((form) => form.length >= 3);
  }
  return Object.values(value).flatMap(namesIn);
}

/** `passenger 2` */
function passengerOf(value: unknown): readonly string[] {
  const ref = (value as { readonly travelerRefNumber?: { readonly rph?: unknown } } | undefined)?.travelerRefNumber
    ?.rph;
  return typeof ref === 'string' ? [`passenger ${ref}`] : [];
}

/** The innermost element of a list that has the value, or is it. */
function ownerOf(reply: unknown, at: Path): unknown {
  const last = at.findLastIndex((key, i) => typeof key === 'number' && isHolder(reached(reply, at.slice(0, i + 1))));
  return reached(reply, at.slice(0, last + 1));
}

const isHolder = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Kinds whose two values are no words that a line could have. */
const STATUS: ReadonlySet<Lie['kind']> = new Set(['cancelled', 'restored', 'waitlisted', 'unknown', 'flown']);
const NAMED_ONLY: ReadonlySet<Lie['kind']> = new Set([...STATUS, 'gone', 'twice', 'added']);

const offersIn = ({ structured }: Seen): number => (structured?.offers as readonly unknown[] | undefined)?.length ?? 0;

export interface Judged {
  readonly verdict: Verdict;
  /** The lines that the honest trip does not have. */
  readonly fresh: readonly string[];
}

/** @param reply the honest reply that the lie is about */
export function judge(lie: Lie, reply: unknown, honest: Seen, seen: Seen | undefined): Judged {
  // The trip ended before, or the offer was left out.
  if (seen === undefined || (seen.refused && !honest.refused)) return { verdict: 'refused', fresh: [] };
  if (offersIn(seen) < offersIn(honest)) return { verdict: 'refused', fresh: [] };
  const fresh = seen.lines.filter((line) => !honest.lines.includes(line));
  const makes = new Set(honest.lines.map(makeOf));
  const unusual = fresh.filter((line) => !makes.has(makeOf(line)));
  const [before, after] = bothForms(lie);
  const owner = ownerOf(reply, lie.at);
  const names = [...namesIn(lie.kind === 'added' ? lie.now : owner), ...passengerOf(owner)];
  const [, words] = CALLED.find(([field]) => field.test(lie.path)) ?? [];
  const isTold =
    (lie.kind === 'of another booking' && unusual.some((line) => STRANGERS.test(line))) ||
    fresh.some((line) => hasAny(line, before) && hasAny(line, after)) ||
    unusual.some((line) => words?.test(line) && (UNLIKE.test(line) || CHANGED.test(line))) ||
    (STATUS.has(lie.kind) && unusual.some((line) => hasAny(line, after))) ||
    (lie.kind === 'restored' && unusual.some((line) => UNCHANGED.test(line))) ||
    ((NAMED_ONLY.has(lie.kind) || isPointer(lie)) && unusual.some((line) => hasAny(line, names)));
  if (isTold) return { verdict: 'told', fresh };
  const isShown = fresh.length > 0;
  return { verdict: isShown ? 'only the new value' : 'nothing', fresh };
}

function isPointer({ path, was }: Lie): boolean {
  return typeof was === 'boolean' || /rph|RefNumber$|\.comment\.value$|passengerTypeCode$/i.test(path);
}
