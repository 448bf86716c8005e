/**
 * The check that every request passes before it is sent (src/ota/messages/request.ts), against published requests of which one
 * field is broken. `BROKEN_REQUESTS=20000 npx vitest run test/ota/messages/broken-requests.test.ts` breaks more of them.
 */
import { describe, expect, test } from 'vitest';
import { modifyFields } from '../../../src/ota/messages/modify.ts';
import { COUNT, checkRequest, REQUESTS } from '../../../src/ota/messages/request.ts';
import { type Dialect, golden, goldenNames, goldenRequest } from './golden.ts';
import { isObject, put } from './support/rewrite.ts';

type Schema = Parameters<typeof checkRequest>[0];

const SHAPES: readonly (readonly [name: RegExp, shape: (dialect: Dialect) => Schema])[] = [
  [/^search/, () => REQUESTS.fareSearch],
  [/^book/, (dialect) => REQUESTS.book[dialect]],
  [/^counts/, (dialect) => REQUESTS.groupBook[dialect]],
  [/^pay/, () => REQUESTS.ticket],
  [/^read/, () => REQUESTS.read],
  [/^cancel/, () => REQUESTS.cancel],
  [/^seat-map/, () => REQUESTS.seatMap],
  [/^modify-2-/, (dialect) => modifyFields('cancel_passengers', dialect, '2')],
  [/^modify-3-/, (dialect) => modifyFields('change_names', dialect, '3')],
  [/^modify-5-/, (dialect) => modifyFields('assign_seats', dialect, '5')],
  [/^modify-10-/, (dialect) => modifyFields('cancel_segments', dialect, '10')],
  [/^modify-30-/, (dialect) => modifyFields('rebook_segment', dialect, '30')],
];

/** The reading that a golden request copies from. */
const READINGS: Readonly<Record<string, string>> = {
  'modify-3-rail-group': 'read-rail-group',
  'seat-map-rail': 'read-rail-paid',
};

interface Published {
  readonly name: string;
  readonly shape: Schema;
  readonly body: Record<string, unknown>;
}

function published(name: string): Published {
  const dialect = name.includes('rail') ? 'rail' : 'airline';
  const source = READINGS[name] ?? (name.startsWith('modify') ? `read-${dialect}-paid` : undefined);
  const reading = source === undefined ? undefined : golden('replies', source);
  const { version: _, pos: __, ...body } = structuredClone(goldenRequest(name, reading)) as Record<string, unknown>;
  const shape = SHAPES.find(([pattern]) => pattern.test(name))?.[1](dialect);
  if (shape === undefined) throw new Error(`no shape for ${name}`);
  return { name, shape, body };
}

const ALL = goldenNames('requests')
  .filter((name) => name !== 'plain')
  .map(published);

/** Fields that a request may leave out, by the end of their path. */
const OPTIONAL = [
  'equipment',
  'status',
  'fareBasisCode',
  'flightSegment.resBookDesigCode',
  'numberInParty',
  '.*rail.*marketingAirline',
  'modify-30.*marketingAirline',
  'specificFlightInfo',
  'availableFlightsOnly',
  'modify.*flightSegmentRPHs',
  'namePrefix',
  'middleName',
  'telephone',
  'airTraveler.*(?:countryAccessCode|phoneNumber)',
  'email',
  'address',
  'cityName',
  'countryName',
  'countryName.(?:code|value)',
  'document',
  'docID',
  'docType',
  'docHolderNationality',
  'expireDate',
  'birthDate',
  'gender',
  'comment',
  'comment.(?:name|value)',
  'accompaniedByInfantInd',
  'groupName',
  'creditCardInfo',
  'currencyCode',
  'amount',
  'companyName',
  'pay.*companyName.code',
  'companyShortName',
  'specialServiceRequests',
  'specialServiceRequests.text',
  'counts-rail bookingReferenceID',
  'specialReqDetails',
].map((end) => new RegExp(`(?:^|[ .])${end}$`));

const isOptional = ({ name }: Published, path: readonly Step[]): boolean => {
  const place = `${name} ${path.filter((step) => typeof step === 'string').join('.')}`;
  return (
    !/modify-5.*specialReqDetails|specialServiceRequests\.status/.test(place) && OPTIONAL.some((end) => end.test(place))
  );
};

type Step = string | number;
interface Field {
  readonly path: readonly Step[];
  readonly value: unknown;
}

/** Every field, each item of a list by its place. What is copied from a reading may hold more than the table names. */
function fieldsIn(value: unknown, path: readonly Step[] = []): Field[] {
  if (path.includes('airReservation')) return [];
  const items: [Step, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : [];
  return items.flatMap(([key, item]) => [{ path: [...path, key], value: item }, ...fieldsIn(item, [...path, key])]);
}

function accepts(shape: Schema, body: object): boolean {
  try {
    checkRequest(shape, body);
    return true;
  } catch {
    return false;
  }
}

const WRONG: readonly unknown[] = ['', 7, true, [[]], { wrong: 'x' }, null];
const kind = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);

/** Copied from a reading: fields that the table does not name are the airline's own. */
const isCopied = ({ name }: Published, path: readonly Step[]) =>
  /^(?:modify-(?:2|10)|modify-3-airline|seat-map)/.test(name) &&
  path.some((step) => step === 'originDestinationOption' || step === 'airTraveler' || step === 'flightSegmentInfo');

describe.each(ALL)('$name', (request) => {
  const { body, shape } = request;
  const fields = fieldsIn(body).filter(({ path }) => !isCopied(request, path));

  test('is sent as it was published', () => {
    expect(accepts(shape, body)).toBe(true);
    expect(checkRequest(shape, body)).toEqual(body);
  });

  test('is refused with a field that no request has, wherever it stands', () => {
    const objects = [{ path: [] as Step[], value: body as unknown }, ...fields].filter(
      ({ path, value }) => isObject(value) && path[0] !== 'airReservation',
    );
    expect(objects.length).toBeGreaterThan(0);
    for (const { path } of objects) {
      expect(accepts(shape, put(body, [...path, 'unknownField'], 'x')), `${path.join('.')} with unknownField`).toBe(
        false,
      );
    }
  });

  test('is refused without a field that it needs, and sent without one that it does not', () => {
    for (const { path } of fields.filter((field) => typeof field.path.at(-1) === 'string')) {
      const without = put(body, path, undefined);
      expect(accepts(shape, without), `without ${path.join('.')}`).toBe(isOptional(request, path));
      const undefinedThere = structuredClone(without) as Record<Step, unknown>;
      path
        .slice(0, -1)
        .reduce<Record<Step, unknown>>((node, key) => node[key] as Record<Step, unknown>, undefinedThere)[
        String(path.at(-1))
      ] = undefined;
      expect(accepts(shape, undefinedThere), `with ${path.join('.')} undefined`).toBe(accepts(shape, without));
    }
  });

  test('is refused with a value of another kind', () => {
    for (const { path, value } of fields) {
      for (const wrong of WRONG.filter((other) => kind(other) !== kind(value))) {
        const broken = put(body, path, wrong);
        expect(accepts(shape, broken), `${path.join('.')} = ${JSON.stringify(wrong)}`).toBe(false);
      }
    }
  });
});

test('a date of any year is sent as the airline wrote it, and a day that is none is refused', () => {
  const isDay = ({ value }: Field) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
  const dated = ALL.flatMap((request) =>
    fieldsIn(request.body)
      .filter((field) => isDay(field) && !isCopied(request, field.path))
      .map((field) => ({ request, field })),
  );
  expect(dated.length).toBeGreaterThan(5);
  for (const { request, field } of dated) {
    const sent = (day: string) => accepts(request.shape, put(request.body, field.path, day));
    expect([sent('0001-01-01'), sent('2031-02-30')], `${request.name} ${field.path.join('.')}`).toEqual([true, false]);
  }
});

test('a count is a whole number that is not negative', () => {
  expect(
    [0, 1, 40, -1, 1.5, Number.NaN, '1', null, undefined].filter((value) => COUNT.safeParse(value).success),
  ).toEqual([0, 1, 40]);
});

const MANY = Number(process.env.BROKEN_REQUESTS ?? 500);

test(`${MANY} requests with a field of another kind or none that is known, and another field broken too, are refused`, () => {
  let seed = MANY;
  const pick = <T>(items: readonly T[]): T => {
    seed = (seed * 48_271) % 2_147_483_647;
    return items[seed % items.length] as T;
  };
  for (let i = 0; i < MANY; i += 1) {
    const request = pick(ALL);
    const fields = fieldsIn(request.body).filter(({ path }) => !isCopied(request, path));
    const [surely, also] = [pick(fields), pick(fields)];
    const wrong = pick(WRONG.filter((other) => kind(other) !== kind(surely.value)));
    const isInside =
      surely.path.every((step, at) => also.path[at] === step) ||
      also.path.every((step, at) => surely.path[at] === step);
    const before = isInside ? request.body : put(request.body, also.path, pick(WRONG));
    const broken = put(before, surely.path, wrong);
    expect(accepts(request.shape, broken), `${request.name} ${surely.path.join('.')} = ${JSON.stringify(wrong)}`).toBe(
      false,
    );
  }
});
