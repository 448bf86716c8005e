/** Checks the airline's hosts, login, messages and clock. */
import { tryForms, trySeatMap } from './addresses.ts';
import { type Check, type CheckOutcome, good, mild, passes, skipped } from './check.ts';
import { clockReadings, judgeClocks, tokenReading } from './clock.ts';
import { tryCredentials } from './credentials.ts';
import { differenceChecks } from './differences.ts';
import { issuedAt, logIn } from './login.ts';
import { checkAddress } from './network.ts';
import { onSaleChecks } from './on-sale.ts';
import { errorFacts } from './reply-facts.ts';
import type { Visit } from './visit.ts';

export function airlineChecks(visit: Visit): readonly Check[] {
  const { deviations } = visit.options;
  const needs = ['messages', 'credentials'];
  return [
    ...addressChecks(visit),
    { id: 'token', title: 'token', run: () => checkToken(visit) },
    { id: 'credentials', title: 'credentials', needs: ['address.base', 'token'], run: () => checkCredentials(visit) },
    { id: 'messages', title: 'messages', needs: ['credentials'], run: () => checkMessages(visit) },
    // Repeats the check at the address that was found.
    { id: 'credentials', title: 'credentials', run: () => (visit.moved ? checkCredentials(visit) : undefined) },
    { id: 'seat_map', title: 'seat map address', needs, run: () => checkSeatMap(visit) },
    ...onSaleChecks(visit),
    ...(deviations === undefined ? [] : differenceChecks(visit, deviations.locator)),
    { id: 'clock', title: 'clock', run: () => checkClocks(visit) },
    { id: 'requests', title: 'requests', run: () => (deviations ? countRequests(visit) : undefined) },
  ];
}

/** Checks each host once, even if several settings name it. */
function addressChecks({ airline, options, reached }: Visit): readonly Check[] {
  const addresses = [
    ['base', 'messages host', 'FARECLERK_BASE_URL', airline.baseUrl],
    ['seat_map', 'seat map host', 'FARECLERK_SEAT_MAP_URL', airline.seatMapUrl],
    ['auth', 'login host', 'FARECLERK_AUTH_URL', airline.login?.authUrl],
    ['gateway', 'schedule host', 'FARECLERK_GATEWAY_URL', airline.gatewayUrl],
    ['rest', 'downloads host', 'FARECLERK_REST_URL', airline.restUrl],
  ] as const;
  const byOrigin = Map.groupBy(addresses, ([, , , address]) => address && new URL(address).origin);
  return [...byOrigin].flatMap(([origin, group]) => {
    if (origin === undefined) return [];
    const [[id = '', title = ''] = [], ...others] = group;
    const also = others.length === 0 ? '' : ` (also: ${others.map(([, other]) => other).join(', ')})`;
    const settings = group.map(([, , setting]) => setting);
    const run = async (): Promise<CheckOutcome> => {
      const verdict = await checkAddress({ url: new URL(origin), settings }, options);
      if (passes(verdict)) reached.add(origin);
      return { ...verdict, said: verdict.said + also };
    };
    return [{ id: `address.${id}`, title, run }];
  });
}

async function checkToken(visit: Visit): Promise<CheckOutcome> {
  const { login, credentials, apiKey } = visit.airline;
  if (login === undefined) return good('Not needed: FARECLERK_CREDENTIALS=key');
  let verdict = skipped('The identity provider cannot be reached.');
  if (visit.reachable(login.authUrl)) {
    const { tokens, ...result } = await logIn(login, visit);
    verdict = result.verdict;
    visit.answers.login = result.facts;
    if (tokens !== undefined) useToken(visit, tokens.accessToken, tokens.refreshToken);
  }
  if (credentials !== 'key') {
    if (!passes(verdict) && apiKey !== undefined) visit.withoutToken = visit.adopt('token', { credentials: 'key' });
    return verdict;
  }
  visit.checks.waive('token');
  if (verdict.level !== 'fail') return verdict;
  return { ...mild(verdict), said: `${verdict.said} FARECLERK_CREDENTIALS=key needs no login.` };
}

/** Uses one token for all questions: repeated logins could lock the account. */
function useToken(visit: Visit, access: string, refresh: string | undefined): void {
  visit.mask.add(access, refresh);
  const token = async (): Promise<string> => access;
  visit.tokens = { token, ensureLife: token, invalidate() {}, refreshToken: () => refresh };
  const [issued, exchange] = [issuedAt(access), visit.exchanges.at(-1)];
  if (issued !== undefined && exchange !== undefined) visit.tokenClock.push(tokenReading(issued, exchange));
}

async function checkCredentials(visit: Visit): Promise<CheckOutcome | undefined> {
  const tried = await tryCredentials(visit);
  const { verdict, facts, asked, lost, works } = tried;
  visit.answers.credentials = facts;
  visit.answers.refusal ??= { ...errorFacts(asked.body), status: asked.status };
  visit.credentials ??= tried;
  if (lost && !visit.moved) return undefined;
  if (!passes(verdict)) visit.adopt('credentials', works?.changes);
  if (!visit.withoutToken) return verdict;
  return { advice: 'Set FARECLERK_CREDENTIALS=key if no login is needed, or correct the login.', ...verdict };
}

/** These refusals concern the seller, so the address is right. */
const SELLER: readonly string[] = ['agent_refused', 'agency_suspended', 'currency_refused'];

async function checkMessages(visit: Visit): Promise<CheckOutcome | undefined> {
  const { credentials: tried } = visit;
  if (tried === undefined) return undefined;
  if (tried.lost && tried.verdict.finding !== 'wrong_path') {
    visit.checks.add('messages', SELLER.includes(tried.verdict.finding) ? 'point of sale' : 'messages', tried.verdict);
    return undefined;
  }
  const { verdict, facts, works } = await tryForms(visit, tried.works?.asked ?? tried.asked);
  visit.answers.addressForm = facts;
  visit.moved = !passes(verdict) && visit.adopt('messages', works) && tried.lost;
  return verdict;
}

async function checkSeatMap(visit: Visit): Promise<CheckOutcome> {
  const { verdict, facts, works } = await trySeatMap(visit);
  visit.answers.seatMap = facts;
  visit.adopt('seat_map', works);
  return verdict;
}

function checkClocks({ answers, exchanges, tokenClock }: Visit): CheckOutcome {
  answers.clocks = [...(answers.clocks ?? []), ...clockReadings(exchanges), ...tokenClock];
  return judgeClocks(answers.clocks);
}

const countRequests = ({ exchanges }: Visit): CheckOutcome =>
  good(`${exchanges.length} were sent: readings and a login. Nothing was booked, paid, changed or mailed.`);
