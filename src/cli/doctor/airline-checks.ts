/**
 * The checks of the airline's addresses, login, messages and clock. With `--airline` also how it differs from others.
 */
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { tryForms, trySeatMap } from './addresses.ts';
import { checkSeats, isBooking, judgeBooking } from './booking.ts';
import { type Check, good, mild, passes, skipped, type Verdict } from './check.ts';
import { clockReadings, judgeClocks, tokenReading } from './clock.ts';
import { tryCredentials } from './credentials.ts';
import { dialectFacts, judgeDialect } from './dialect.ts';
import type { Visit } from './examination.ts';
import { itinerariesOf, judgeRows, rowFacts } from './fare-rows.ts';
import { issuedAt, logIn } from './login.ts';
import { checkAddress } from './network.ts';
import { FAMILY, findFares, onSaleChecks, type Pair } from './on-sale.ts';
import { type Changes, fixedToken } from './probe.ts';
import { errorFacts } from './reply-facts.ts';
import { judgeAvailability, roundTrip } from './searches.ts';

export function airlineChecks(visit: Visit): readonly Check[] {
  const { probe, answers, learned, deviations } = visit;
  return [
    ...addressChecks(visit),
    { id: 'token', title: 'token', run: () => checkToken(visit) },
    ...messageChecks(visit),
    ...onSaleChecks(visit),
    ...(deviations === undefined ? [] : differenceChecks(visit, deviations.locator)),
    {
      id: 'clock',
      title: 'clock',
      run() {
        answers.clocks = [...clockReadings(probe.exchanges), ...learned.tokenClock];
        return judgeClocks(answers.clocks);
      },
    },
    ...(deviations === undefined ? [] : [{ id: 'requests', title: 'requests', run: () => countRequests(visit) }]),
  ];
}

const countRequests = ({ probe }: Visit): Verdict =>
  good(`${probe.exchanges.length} were made: readings and a login. Nothing was booked, paid, changed or mailed.`);

/** Each host once, however many settings name it. */
function addressChecks({ probe: { airline, now }, ca, reached }: Visit): readonly Check[] {
  const set = [
    ['base', 'messages host', 'FARECLERK_BASE_URL', airline.baseUrl],
    ['seat_map', 'seat map host', 'FARECLERK_SEAT_MAP_URL', airline.seatMapUrl],
    ['auth', 'login host', 'FARECLERK_AUTH_URL', airline.login?.authUrl],
    ['gateway', 'schedule host', 'FARECLERK_GATEWAY_URL', airline.gatewayUrl],
    ['rest', 'downloads host', 'FARECLERK_REST_URL', airline.restUrl],
  ] as const;
  const addresses = set.flatMap(([id, title, setting, address]) =>
    address === undefined ? [] : [{ id, title, setting, url: new URL(address) }],
  );
  const byOrigin = Map.groupBy(addresses, ({ url }) => url.origin);
  return [...byOrigin].flatMap(([origin, [first, ...others]]) => {
    if (first === undefined) return [];
    const settings = [first, ...others].map(({ setting }) => setting);
    const also = others.length === 0 ? '' : ` (also: ${others.map(({ title }) => title).join(', ')})`;
    const run = async (): Promise<Verdict> => {
      const verdict = await checkAddress({ url: first.url, settings }, { ca, now });
      if (passes(verdict)) reached.add(origin);
      return { ...verdict, said: verdict.said + also };
    };
    return [{ id: `address.${first.id}`, title: first.title, run }];
  });
}

/** With `--airline`, goes on with settings that the airline accepts, so that one run finds everything. */
function adopt({ probe, checks, deviations }: Visit, check: string, changes: Changes | undefined): boolean {
  if (deviations === undefined || changes === undefined) return false;
  probe.airline = { ...probe.airline, ...omitUndefined(changes) };
  checks.waive(check);
  return true;
}

async function checkToken(visit: Visit): Promise<Verdict> {
  const { probe, checks, mask, answers, learned, reachable } = visit;
  const { login, credentials, apiKey } = probe.airline;
  if (login === undefined) return good('Not needed: FARECLERK_CREDENTIALS=key');
  const needed = credentials !== 'key';
  if (!needed) checks.waive('token');
  let verdict = skipped('The identity provider cannot be reached.');
  if (reachable(login.authUrl)) {
    const result = await logIn(login, probe);
    verdict = result.verdict;
    answers.login = result.facts;
    if (result.tokens !== undefined) {
      const { accessToken, refreshToken } = result.tokens;
      mask.add(accessToken, refreshToken);
      probe.tokens = fixedToken(accessToken, refreshToken);
      const [issued, exchange] = [issuedAt(accessToken), probe.exchanges.at(-1)];
      if (issued !== undefined && exchange !== undefined) learned.tokenClock.push(tokenReading(issued, exchange));
    }
  }
  if (needed && !passes(verdict) && apiKey !== undefined)
    learned.withoutToken = adopt(visit, 'token', { credentials: 'key' });
  if (needed || verdict.level !== 'mend') return verdict;
  return { ...mild(verdict), said: `${verdict.said} With FARECLERK_CREDENTIALS=key it is not needed.` };
}

function messageChecks(visit: Visit): readonly Check[] {
  const { learned } = visit;
  const needs = ['messages', 'credentials'];
  return [
    { id: 'credentials', title: 'credentials', needs: ['address.base', 'token'], run: () => checkCredentials(visit) },
    { id: 'messages', title: 'messages', needs: ['credentials'], run: () => checkMessages(visit) },
    // Once more, at the address that was found.
    { id: 'credentials', title: 'credentials', run: () => (learned.moved ? checkCredentials(visit) : undefined) },
    { id: 'seat_map', title: 'seat map address', needs, run: () => checkSeatMap(visit) },
  ];
}

async function checkCredentials(visit: Visit): Promise<Verdict | undefined> {
  const { probe, answers, learned } = visit;
  const tried = await tryCredentials(probe);
  const { verdict, facts, asked, lost, works } = tried;
  answers.credentials = facts;
  answers.refusal ??= { ...errorFacts(asked.body), ...omitUndefined({ status: asked.status || undefined }) };
  learned.tried ??= tried;
  if (lost && !learned.moved) return undefined;
  if (!passes(verdict)) adopt(visit, 'credentials', works?.changes);
  if (!learned.withoutToken) return verdict;
  return { mend: 'Set FARECLERK_CREDENTIALS=key, and no login is needed; or mend the login.', ...verdict };
}

async function checkMessages(visit: Visit): Promise<Verdict | undefined> {
  const { probe, checks, answers, learned } = visit;
  const { tried } = learned;
  if (tried === undefined) return undefined;
  const { finding } = tried.verdict;
  if (tried.lost && finding !== 'wrong_path') {
    // The message is refused because of who sells it: the address is not to blame.
    const seller = ['agent_refused', 'agency_suspended', 'currency_refused'].includes(finding);
    checks.add('messages', seller ? 'point of sale' : 'messages', tried.verdict);
    return undefined;
  }
  const { verdict, facts, works } = await tryForms(probe, tried.works?.asked ?? tried.asked);
  answers.addressForm = facts;
  learned.moved = !passes(verdict) && adopt(visit, 'messages', works) && tried.lost === true;
  return verdict;
}

async function checkSeatMap(visit: Visit): Promise<Verdict> {
  const { seatMapUrl } = visit.probe.airline;
  const reachable = seatMapUrl === undefined || visit.reachable(seatMapUrl);
  const { verdict, facts, works } = await trySeatMap(visit.probe, reachable);
  visit.answers.seatMap = facts;
  adopt(visit, 'seat_map', works);
  return verdict;
}

const NO_SEARCH = 'There is no reply to a search.';

function differenceChecks({ probe, answers, learned }: Visit, locator: string | undefined): readonly Check[] {
  const needs = ['messages', 'credentials'];
  const notes: Visit['answers']['notes'] & {} = {};
  answers.notes = notes;
  const found = () => learned.search?.body;
  const offered = () => itinerariesOf(found()).length > 0;
  const withOffers = (run: (pair: Pair) => Verdict | Promise<Verdict>) => () =>
    offered() && learned.pair !== undefined ? run(learned.pair) : skipped(NO_SEARCH);
  const bookingChecks: readonly Check[] = [
    {
      ...{ id: 'booking', title: 'booking', needs },
      async run() {
        if (locator === undefined)
          return skipped('Give --locator of a booking, best a paid one, to look at what it holds.');
        learned.booking = await probe.ask((airline) => airline.read(locator));
        return judgeBooking(learned.booking);
      },
    },
    {
      ...{ id: 'seats', title: 'seat map', needs },
      run() {
        if (locator === undefined) return undefined;
        const booking = learned.booking?.answer;
        return booking === undefined ? skipped('The booking was not read.') : checkSeats(probe, booking);
      },
    },
  ];
  return [
    {
      ...{ id: 'fare_rows', title: 'price rows', needs },
      run: withOffers(() => {
        notes.rows = rowFacts(found());
        return judgeRows(notes.rows, learned.search?.answer);
      }),
    },
    { id: 'round_trip', title: 'round trip', needs, run: withOffers((pair) => roundTrip(probe, pair)) },
    {
      ...{ id: 'availability', title: 'availability', needs },
      run: withOffers(async (pair) => {
        const wide = learned.wide ?? (await findFares(probe, [pair], FAMILY, true));
        return judgeAvailability(wide, found(), probe.airline.carrier);
      }),
    },
    ...bookingChecks,
    {
      ...{ id: 'dialect', title: 'dialect', needs },
      run() {
        const reading = isBooking(learned.booking?.body) ? learned.booking?.body : undefined;
        notes.dialect = dialectFacts({ search: found(), reading });
        const seen = offered() || reading !== undefined;
        return seen ? judgeDialect(notes.dialect, probe.airline.dialect) : skipped(NO_SEARCH);
      },
    },
  ];
}
