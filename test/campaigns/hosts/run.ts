/**
 * Hosts as they are, in raw messages, each with one payment at the sandbox airline over each wire: whatever a host does with a
 * dialog, the question reaches a person, nobody is said to have declined who did not, and nothing is sent without a yes.
 *
 *   node test/campaigns/hosts/run.ts
 */
import { openAirline } from '../support/airline.ts';
import { inParallel } from '../support/pace.ts';
import { print, tell } from '../support/report.ts';
import { HOSTS, type Host } from './hosts.ts';
import { ERAS, Lane } from './lane.ts';
import { Play } from './play.ts';

/** A server opens at most six pages a minute. */
const HOSTS_A_SERVER = 4;
/** Most of the time is waited. */
const SERVERS_AT_ONCE = 9;

/** A 2025 handshake on stdio is for one host; so is a connection that the host ends. */
const work = ERAS.flatMap((era) => {
  // Over HTTP the older handshakes cannot be asked: two hosts show that the page asks.
  const hosts = era === 'HTTP 2025' ? HOSTS.slice(0, 2) : HOSTS;
  const isAlone = ({ name }: Host) => era === 'stdio 2025' || name.startsWith('hangs up');
  const rest = hosts.filter((host) => !isAlone(host));
  const groups = Array.from({ length: Math.ceil(rest.length / HOSTS_A_SERVER) }, (_, i) =>
    rest.slice(i * HOSTS_A_SERVER, (i + 1) * HOSTS_A_SERVER),
  );
  return [...groups, ...hosts.filter(isAlone).map((host) => [host])].map((some) => ({ era, hosts: some }));
});

await tell('hosts', async () => {
  const { settings, stock, times, close } = await openAirline();
  const lanes: Lane[] = [];
  const opened = (lane: Lane) => void lanes.push(lane);
  const stage = { settings, paid: (locator: string) => times('paid', locator), opened };
  const played = await inParallel(work, SERVERS_AT_ONCE, async ({ era, hosts }) => {
    const lane = new Lane(era, settings);
    opened(lane);
    const bookings = await Promise.all(hosts.map(() => stock.held()));
    const plays = hosts.map((host, i) => new Play(host, lane, stage, bookings[i]?.locator ?? '').run());
    const rows = await Promise.all(plays);
    await lane.close();
    return rows;
  });
  for (const lane of lanes) await lane.close();
  await close();
  const rows = played.flat();
  for (const { where, reached, heard } of rows) print(`${where}: person at ${reached || '-'}, model heard ${heard}`);
  return {
    seen: `${rows.length} payments, ${rows.filter(({ reached }) => reached !== '').length} reached a person`,
    problems: rows.flatMap(({ where, problems }) => problems.map((problem) => `${where}: ${problem}`)),
  };
});
