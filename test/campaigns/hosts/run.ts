/**
 * Hosts as they are, in raw messages, each with one payment at the sandbox airline over each wire: whatever a host does with a
 * dialog, the question reaches a person, nobody is said to have declined who did not, and nothing is sent without a yes. Then each
 * with one booking of three through the details page.
 *
 *   node test/campaigns/hosts/run.ts
 */
import { openAirline } from '../support/airline.ts';
import { inParallel } from '../support/pace.ts';
import { print, tell } from '../support/report.ts';
import { ADDRESS_HOSTS, type DetailsPlayed, playDetails } from './details.ts';
import { HOSTS, type Host } from './hosts.ts';
import { ERAS, type Era, Lane } from './lane.ts';
import { Play } from './play.ts';

/** A server opens at most six pages a minute. */
const HOSTS_A_SERVER = 4;
/** How long a call waits for travellers, and for a person who answers a question, milliseconds. */
const WAIT_MS = 5_000;
const ANSWER_MS = 12_000;
/** Most of the time is waited; more at once would wait for each other's starts. */
const SERVERS_AT_ONCE = 8;

const isWithoutDialogs = ({ elicitation }: Host) => elicitation === undefined;

/** Over HTTP the older handshakes cannot be asked: a few hosts show that the page asks, or the terminal. */
const hostsOf = (era: Era): readonly Host[] =>
  era === 'HTTP 2025' ? [...HOSTS.slice(0, 2), ...HOSTS.filter(isWithoutDialogs).slice(1)] : HOSTS;
const addressHostsOf = (era: Era) => (era === 'HTTP 2025' ? ADDRESS_HOSTS.slice(0, 1) : ADDRESS_HOSTS);

/** A 2025 handshake on stdio is for one host; so is a connection that the host ends. */
const work = ERAS.flatMap((era) => {
  const hosts = hostsOf(era);
  const isAlone = ({ name }: Host) => era === 'stdio 2025' || name.startsWith('hangs up');
  const rest = hosts.filter((host) => !isAlone(host));
  const groups = Array.from({ length: Math.ceil(rest.length / HOSTS_A_SERVER) }, (_, i) =>
    rest.slice(i * HOSTS_A_SERVER, (i + 1) * HOSTS_A_SERVER),
  );
  return [...groups, ...hosts.filter(isAlone).map((host) => [host])].map((some) => ({ era, hosts: some }));
});

const countOf = (hosts: (era: Era) => readonly unknown[]) => ERAS.reduce((sum, era) => sum + hosts(era).length, 0);
/** Each host over each wire that it is for. */
const DUE = { payments: countOf(hostsOf), bookings: countOf(addressHostsOf) };

await tell('hosts', async () => {
  const { settings, stock, times, close } = await openAirline();
  const lanes: Lane[] = [];
  let nth = 0;
  const opened = (lane: Lane) => void lanes.push(lane);
  const waiting = { ...settings, HOSTS_WAIT_MS: String(ANSWER_MS) };
  const stage = { settings: waiting, paid: (locator: string) => times('paid', locator), opened };
  // Servers of several hosts take longest.
  const longestFirst = work.toSorted((a, b) => b.hosts.length - a.hosts.length);
  const played = await inParallel(longestFirst, SERVERS_AT_ONCE, async ({ era, hosts }) => {
    const lane = new Lane(era, waiting);
    opened(lane);
    const bookings = await Promise.all(hosts.map(() => stock.held()));
    await lane.serves();
    const plays = hosts.map((host, i) => new Play(host, lane, stage, bookings[i]?.locator ?? '').run());
    const rows = await Promise.all(plays);
    await lane.close();
    return rows;
  });
  const booked: DetailsPlayed[] = [];
  const quick = { ...settings, HOSTS_WAIT_MS: String(WAIT_MS) };
  await inParallel(ERAS, ERAS.length, async (era) => {
    // On stdio an older handshake is for one host.
    const together = era === 'stdio 2025' ? undefined : new Lane(era, quick);
    await Promise.all(
      addressHostsOf(era).map(async (host) => {
        const lane = together ?? new Lane(era, quick);
        opened(lane);
        await lane.serves();
        booked.push(await playDetails(host, lane, nth++, (locator) => times('created', locator)));
      }),
    );
  });
  for (const lane of lanes) await lane.close();
  await close();
  const rows = played.flat();
  for (const { where, reached, heard } of rows) print(`${where}: person at ${reached || '-'}, model heard ${heard}`);
  for (const { where, reached, calls } of booked)
    print(`${where}: travellers reached in the ${reached || '-'}, ${calls} calls`);
  const unplayed = [
    ...(rows.length < DUE.payments ? [`${rows.length} of ${DUE.payments} payments were played`] : []),
    ...(booked.length < DUE.bookings ? [`${booked.length} of ${DUE.bookings} bookings were played`] : []),
  ];
  const inPerson = rows.filter(({ reached }) => reached !== '').length;
  return {
    seen: `${rows.length} payments, ${inPerson} reached a person; ${booked.length} bookings by the details page, at most ${Math.max(...booked.map(({ calls }) => calls))} calls`,
    problems: [
      ...unplayed,
      ...[...rows, ...booked].flatMap(({ where, problems }) => problems.map((problem) => `${where}: ${problem}`)),
    ],
  };
});
