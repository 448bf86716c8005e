/**
 * Every reply that differs from an honest one in one leaf or in one element of a list. It is generic: a field's kind of value decides
 * what else could stand there, and for codes, names and pointers what the field is called.
 */

/** From the root, keys and places. */
export type Path = readonly (string | number)[];

/** What is done to a leaf, or to an element of a list. */
export type Kind =
  | 'more'
  | 'less'
  | 'a day later'
  | 'two hours later'
  | 'another'
  | 'nobody'
  | 'waitlisted'
  | 'cancelled'
  | 'restored'
  | 'flown'
  | 'unknown'
  | 'gone'
  | 'twice'
  | 'added'
  | 'exchanged'
  | 'everywhere'
  | 'of another booking';

export interface Lie {
  readonly at: Path;
  /** The path without places in lists: `airReservation.ticketing.ticketTimeLimit`; `airTraveler(CTC)` is the contact. */
  readonly path: string;
  readonly kind: Kind;
  readonly was: unknown;
  /** Undefined for an element that is gone; the same value for one that stands twice. */
  readonly now: unknown;
}

type Leaf = string | number | boolean;
type Others = readonly (readonly [kind: Kind, value: Leaf])[];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A pointer that names nobody. */
const NOBODY = '91';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const DECIMAL = /^\d+\.\d+$/;

/** Codes that stand for one another, by what a field is called. */
const CODES: readonly (readonly [field: RegExp, codes: readonly string[]])[] = [
  [/currency/i, ['SAR', 'EUR', 'USD']],
  [/(passengerTypeCode|passengerTypeQuantity\.code)$/, ['ADT', 'CHD', 'INF']],
  // A map may name the cabin: that of another class must be none of its own.
  [/(^map|flightSegmentInfo)\.resBookDesigCode$/, ['F', 'C']],
  [/(resBookDesigCode|(categories|pricing)\.class)$/, ['Y', 'C']],
  [/gender$/, ['Female', 'Male']],
  [/docType$/, ['2', '5']],
  [/(docHolderNationality|countryName\.code)$/, ['SA', 'EG', 'NO']],
  [/direction$/, ['PAYMENT', 'REFUND']],
  [/orderType$/, ['BOOKING', 'SERVICE']],
  [/\.action$/, ['CREATE_BOOKING', 'CHANGE_NAME']],
  [/modificationType$/, ['3', '10', '30']],
  [/ssr[cC]ode$/, ['WCHR', 'VGML', 'PETC']],
  [/details\.type$/, ['fare', 'fee']],
  [/(airline|Airline)\.(code|value)$|companyName\.code$/, ['HHR', 'LH', 'XY']],
  [/defaultInd$|refundable$/, ['true', 'false']],
];

const POINTER = /rph|RefNumber$|attendantRph/i;
/** Whose a ticket is, and for which flight. */
const OF_TICKET = /ticketing\.(travelerRefNumber|.*couponInfos\.flightRefRPH)$/;
/** Whose a ticket is. */
const HOLDER = /ticketing\.travelerRefNumber$/;
const STATION = /(locationCode|departureStation|arrivalStation)$/;

/** What else may stand in a leaf. `all`: every leaf of the message by its path, to find another pointer or station in. */
function othersThan(
  value: Leaf,
  path: string,
  isAttendant: boolean,
  all: ReadonlyMap<string, readonly Leaf[]>,
): Others {
  if (typeof value === 'boolean') return [['another', !value]];
  if (typeof value === 'number') return numbers(value, path);
  if (DATE_TIME.test(value)) {
    return [
      ['a day later', moved(value, DAY)],
      ['two hours later', moved(value, 2 * HOUR)],
    ];
  }
  if (DATE.test(value)) return [['a day later', moved(`${value}T00:00:00Z`, DAY).slice(0, 10)]];
  if (/\.status$/.test(path)) return statuses(value, path);
  if (STATION.test(path)) return [['another', otherStation(value, path, all)]];
  const [, codes] = CODES.find(([field]) => field.test(path)) ?? [];
  const code = codes?.find((one) => one !== value);
  if (code !== undefined) return [['another', code]];
  if (POINTER.test(path) || isAttendant) {
    const nobody = OF_TICKET.test(path) ? ([['nobody', NOBODY]] as const) : [];
    return [['another', otherPointer(value, path, all)], ...nobody];
  }
  if (DECIMAL.test(value)) return amounts(value);
  return [['another', otherText(value)]];
}

function numbers(value: number, path: string): Others {
  // A count, or an amount.
  const by = Number.isInteger(value) && /quantity|sequenceNumber|Qty$/i.test(path) ? 1 : 10;
  const less = Math.round((value - by) * 1000) / 1000;
  return [['more', Math.round((value + by) * 1000) / 1000], ...(less >= 0 ? ([['less', less]] as const) : [])];
}

function amounts(value: string): Others {
  const digits = value.length - value.indexOf('.') - 1;
  const [more, less] = [Number(value) + 10, Number(value) - 10];
  return [['more', more.toFixed(digits)], ...(less >= 0 ? ([['less', less.toFixed(digits)]] as const) : [])];
}

/** The same local clock, so much later. */
function moved(value: string, ms: number): string {
  const [, local = '', rest = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(.*)$/.exec(value) ?? [];
  const at = new Date(Date.parse(`${local.length === 16 ? `${local}:00` : local}Z`) + ms).toISOString();
  return at.slice(0, local.length) + rest;
}

/** Of an order, of a service, else of a segment or a coupon. */
function statuses(value: string, path: string): Others {
  if (/orderInfo\.status$/.test(path)) {
    return [
      ['another', value === 'PAID' ? 'PENDING' : 'PAID'],
      ['cancelled', 'CANCELLED'],
      ['unknown', 'ZZZ'],
    ];
  }
  if (/[sS]pecialServiceRequests?\.status$/.test(path)) {
    return [
      ['cancelled', 'UN'],
      ['waitlisted', 'HN'],
      ['unknown', 'QQ'],
    ];
  }
  if (/couponInfos\.status$/.test(path) && value === 'O') {
    return [
      ['cancelled', 'UN'],
      ['waitlisted', 'HL'],
      ['unknown', 'QQ'],
      ['flown', 'F'],
    ];
  }
  // What is cancelled already runs again.
  const cancelled = /^\d+$/.test(value) ? '16' : 'UN';
  return [
    value === cancelled ? ['restored', value === '16' ? '30' : 'HK'] : ['cancelled', cancelled],
    ['waitlisted', 'HL'],
    ['unknown', 'QQ'],
  ];
}

function otherStation(value: string, path: string, all: ReadonlyMap<string, readonly Leaf[]>): string {
  const stations = [...all].flatMap(([at, values]) => (STATION.test(at) && at !== path ? values : []));
  return (stations.find((one) => one !== value) as string | undefined) ?? 'CAI';
}

function otherPointer(value: string, path: string, all: ReadonlyMap<string, readonly Leaf[]>): string {
  const other = all.get(path)?.find((one) => one !== value);
  return typeof other === 'string' ? other : String((Number.parseInt(value, 10) || 0) + 1);
}

/** Digits for digits, letters for letters, so that its form stays good. */
function otherText(value: string): string {
  if (value.includes('@')) return value.replace(/^[^@]*/, 'zora.quist');
  const at = [...value].findLastIndex((one) => /[A-Za-z\d]/.test(one));
  if (at < 0) return 'ZORA';
  if (/\d/.test(value[at] ?? '')) return value.slice(0, at) + ((Number(value[at]) + 3) % 10) + value.slice(at + 1);
  // A name of another person, not a misspelt one.
  if (/^[A-Za-z '’-]+$/.test(value)) return value === value.toUpperCase() ? 'ZORAIDA' : 'Zoraida';
  return value.slice(0, at) + (value[at] === 'x' ? 'z' : 'x') + value.slice(at + 1);
}

const isHolder = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isLeaf = (value: unknown): value is Leaf => ['string', 'number', 'boolean'].includes(typeof value);

function leavesByPath(value: unknown, path: string, found: Map<string, Leaf[]>): void {
  if (isLeaf(value)) found.set(path, [...(found.get(path) ?? []), value]);
  else if (Array.isArray(value)) for (const one of value) leavesByPath(one, path, found);
  else if (isHolder(value))
    for (const [key, one] of Object.entries(value)) leavesByPath(one, path === '' ? key : `${path}.${key}`, found);
}

/** Elements of a list that stand for something else than the others: the contact among the travellers, a document among the services. */
function kindOf(element: unknown): string {
  if (!isHolder(element)) return '';
  if (element.passengerTypeCode === 'CTC') return '(CTC)';
  // Not the row of a ticket.
  if ('ticketTimeLimit' in element && !('ticketDocumentNbr' in element) && !('ticketingInfo' in element))
    return '(limit)';
  return element.ssrcode === 'FOID' || element.ssrCode === 'FOID' ? '(FOID)' : '';
}

/** All lies about a reply, in its order. */
export function liesAbout(reply: unknown): readonly Lie[] {
  const all = new Map<string, Leaf[]>();
  leavesByPath(reply, '', all);
  return walk(reply, [], '', all, undefined);
}

function walk(
  value: unknown,
  at: Path,
  path: string,
  all: ReadonlyMap<string, readonly Leaf[]>,
  owner: unknown,
): readonly Lie[] {
  if (isLeaf(value)) {
    const isAttendant = isHolder(owner) && owner.name === 'attendantRph' && at.at(-1) === 'value';
    // An empty text has no value.
    if (value === '') return [];
    return othersThan(value, path, isAttendant, all).map(([kind, now]) => ({ at, path, kind, was: value, now }));
  }
  if (Array.isArray(value)) {
    return value.flatMap((one, i) => {
      const named = path + kindOf(one);
      return [
        { at: [...at, i], path: named, kind: 'gone' as const, was: one, now: undefined },
        { at: [...at, i], path: named, kind: 'twice' as const, was: one, now: one },
        ...walk(one, [...at, i], named, all, value),
      ];
    });
  }
  if (!isHolder(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    walk(one, [...at, key], path === '' ? key : `${path}.${key}`, all, value),
  );
}

/**
 * Lies about more than one value: each list has one more element at its end, the tickets of two passengers are exchanged, or a value is
 * another in every place where it stands.
 */
export function wideLiesAbout(reply: unknown): readonly Lie[] {
  const all = new Map<string, Leaf[]>();
  leavesByPath(reply, '', all);
  const walked = liesAbout(reply);
  const added = walked
    .filter(({ kind, at }) => kind === 'twice' && !hasNext(reply, at))
    .map((lie): Lie => ({ ...lie, kind: 'added', now: otherElement(lie.was, lie.path, all) }))
    .filter(({ was, now }) => was !== now);
  const counts = Map.groupBy([...all.values()].flat(), (leaf) => leaf);
  const repeated = walked.filter(({ was, path, kind }) => {
    return typeof was === 'string' && was.length > 2 && (counts.get(was)?.length ?? 0) > 1 && isValue(path, kind);
  });
  const firsts = [...Map.groupBy(repeated, ({ was }) => was).values()].flatMap(([first]) => first ?? []);
  const ofTickets = walked.filter(({ path, kind }) => HOLDER.test(path) && kind === 'another');
  return [
    ...added,
    ...ofTickets.slice(0, 1).map((lie): Lie => ({ ...lie, kind: 'exchanged' })),
    ...firsts.map((lie): Lie => ({ ...lie, kind: 'everywhere' })),
  ];
}

const isValue = (path: string, kind: Kind): boolean =>
  !POINTER.test(path) && !/[sS]tatus$/.test(path) && kind !== 'gone' && kind !== 'twice';

/** Whether another element with fields follows the one at this place. What stands behind tickets is a limit. */
function hasNext(reply: unknown, at: Path): boolean {
  const next = reached(reply, [...at.slice(0, -1), Number(at.at(-1)) + 1]);
  return isHolder(next) && kindOf(next) !== '(limit)';
}

/**
 * Simpler lies that a wide one is made of: about each value of an element that is added, and about a value in each place where it stands.
 */
export function partsOfLie(reply: unknown, lie: Lie): readonly Lie[] {
  const isLeafLie = ({ kind }: Lie) => kind !== 'gone' && kind !== 'twice';
  if (lie.kind === 'everywhere') return liesAbout(reply).filter((one) => one.was === lie.was && isLeafLie(one));
  if (lie.kind !== 'added') return [];
  return walk(lie.was, lie.at, lie.path, new Map(), undefined).filter(isLeafLie);
}

/** The same element with other values, under a pointer of its own. */
function otherElement(value: unknown, path: string, all: ReadonlyMap<string, readonly Leaf[]>): unknown {
  if (Array.isArray(value)) return value.map((one) => otherElement(one, path + kindOf(one), all));
  if (isHolder(value)) {
    const entries = Object.entries(value).map(([key, one]) => [key, otherElement(one, `${path}.${key}`, all)]);
    return Object.fromEntries(entries);
  }
  if (!isLeaf(value) || value === '') return value;
  if (/(?<!Number)\.rph$/.test(path) || /travelerRefNumber\.rph$/.test(path)) return NOBODY;
  const isKept = typeof value !== 'string' || !isValue(path, 'another') || /(passengerTypeCode|direction)$/.test(path);
  return isKept ? value : (othersThan(value, path, false, all)[0]?.[1] ?? value);
}

/** The same reply, as it would be of other people who booked another day. */
export function asOfAnotherBooking<T>(reply: T): T {
  const strangers: Readonly<Record<string, string>> = {
    ...{ haddad: 'quist', layla: 'zora', leila: 'zora', sami: 'otto', amal: 'ursula' },
    ...{ p4402917: 'X1200345', p5513028: 'X1200346' },
  };
  const named = JSON.stringify(reply).replace(/haddad|layla|leila|sami|amal|p4402917|p5513028/gi, (word) => {
    const other = strangers[word.toLowerCase()] ?? word;
    return word === word.toUpperCase() ? other.toUpperCase() : other.replace(/^./, (first) => first.toUpperCase());
  });
  return JSON.parse(named, (key, value) => (key === 'createDateTime' ? moved(value, -DAY) : value));
}

function everywhere(value: unknown, was: unknown, now: unknown): unknown {
  if (value === was) return now;
  if (Array.isArray(value)) return value.map((one) => everywhere(one, was, now));
  if (!isHolder(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, everywhere(one, was, now)]));
}

/** Each ticket of the one is of the other. */
function exchanged(reply: unknown, at: Path, was: unknown, now: unknown): unknown {
  const place = at.lastIndexOf('ticketing') + 1;
  return changed(reply, at.slice(0, place), (holder, key) => {
    const tickets = (holder as Readonly<Record<string, unknown>>)[key];
    const other = (value: unknown) => (value === was ? now : value === now ? was : undefined);
    const swapped = (ticket: unknown) =>
      changed(ticket, at.slice(place + 1), (owner, field) => {
        const value = other((owner as Readonly<Record<string | number, unknown>>)[field]);
        if (value === undefined) return undefined;
        return Array.isArray(owner) ? owner.with(Number(field), value) : { ...(owner as object), [field]: value };
      }) ?? ticket;
    return Array.isArray(tickets) ? { ...(holder as object), [key]: tickets.map(swapped) } : undefined;
  });
}

export function reached(reply: unknown, at: Path): unknown {
  return at.reduce((node, key) => (node as Readonly<Record<string | number, unknown>>)[key], reply);
}

/** A reply with each of these lies that is about a value of it. */
export function withLies(reply: unknown, lies: readonly (Lie | undefined)[]): unknown {
  return lies.reduce((before, lie) => (lie && withLie(before, lie)) ?? before, reply);
}

/**
 * A reply with this lie; undefined where it has not the value that the lie is about. It may be another reply of the same booking,
 * whose elements have more fields or less. The reply itself stays as it is.
 */
export function withLie(reply: unknown, { at, kind, was, now }: Lie): unknown {
  if (kind === 'of another booking') return asOfAnotherBooking(reply);
  if (kind === 'everywhere') return everywhere(reply, was, now);
  if (kind === 'exchanged') return exchanged(reply, at, was, now);
  return changed(reply, at, (holder, key) => {
    const value = (holder as Readonly<Record<string | number, unknown>>)[key];
    if (isLeaf(was) ? value !== was : !isHolder(value)) return undefined;
    if (Array.isArray(holder) && typeof key === 'number') {
      if (kind === 'gone') return holder.toSpliced(key, 1);
      if (kind === 'added') return holder.toSpliced(key + 1, 0, now);
      return kind === 'twice' ? holder.toSpliced(key, 0, structuredClone(value)) : holder.with(key, now);
    }
    return { ...(holder as object), [key]: now };
  });
}

function changed(
  value: unknown,
  [key, ...rest]: Path,
  change: (holder: unknown, key: string | number) => unknown,
): unknown {
  if (key === undefined || !isHolder(value) || !Object.hasOwn(value, key)) return undefined;
  if (rest.length === 0) return change(value, key);
  const below = changed((value as Readonly<Record<string | number, unknown>>)[key], rest, change);
  if (below === undefined) return undefined;
  return Array.isArray(value) ? value.with(Number(key), below) : { ...value, [key]: below };
}
