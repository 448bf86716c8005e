/** All hosts, in every era: each plays one payment at the sandbox airline. */
import { openAirline } from '../support/airline.ts';
import { inParallel } from '../support/pace.ts';
import type { Proved } from '../support/report.ts';
import { HOSTS, type Host } from './hosts.ts';
import { ERAS, type Era, Lane } from './lane.ts';
import { Play, type Played } from './play.ts';

/** A server opens at most six pages a minute. */
const HOSTS_A_SERVER = 4;
/** Most of the time is waited. */
const SERVERS_AT_ONCE = 9;

/** Over HTTP the older handshakes cannot be asked: two hosts show that the page asks. */
function hostsOf(era: Era): readonly Host[] {
  return era === 'HTTP 2025' ? HOSTS.slice(0, 2) : HOSTS;
}

/** A 2025 handshake on stdio is for one host; so is a connection that the host ends. */
function groupsOf(era: Era, hosts: readonly Host[]): readonly (readonly Host[])[] {
  const alone = hosts.filter(({ name }) => era === 'stdio 2025' || name.startsWith('hangs up'));
  const rest = hosts.filter((host) => !alone.includes(host));
  const groups = Array.from({ length: Math.ceil(rest.length / HOSTS_A_SERVER) }, (_, i) =>
    rest.slice(i * HOSTS_A_SERVER, (i + 1) * HOSTS_A_SERVER),
  );
  return [...groups, ...alone.map((host) => [host])];
}

export async function playAll(
  eras: readonly Era[] = ERAS,
  wanted: (host: Host) => boolean = () => true,
): Promise<readonly Played[]> {
  const { settings, stock, times, close } = await openAirline();
  const lanes: Lane[] = [];
  try {
    const stage = {
      settings,
      paid: (locator: string) => times('paid', locator),
      opened: (lane: Lane) => void lanes.push(lane),
    };
    const work = eras.flatMap((era) => groupsOf(era, hostsOf(era).filter(wanted)).map((hosts) => ({ era, hosts })));
    const played = await inParallel(work, SERVERS_AT_ONCE, async ({ era, hosts }) => {
      const lane = await Lane.open(era, settings);
      lanes.push(lane);
      const bookings = await Promise.all(hosts.map(() => stock.held()));
      const plays = hosts.map((host, i) => new Play(host, lane, stage, bookings[i]?.locator ?? ''));
      const rows = await Promise.all(plays.map((play) => play.run()));
      await lane.close();
      return rows;
    });
    return played.flat();
  } finally {
    for (const lane of lanes) await lane.close();
    await close();
  }
}

/** One line for each host and era. */
export function table(played: readonly Played[]): string {
  const rows = played.map((row) => [
    ...[row.era, row.host, row.reached || '-', row.heard, String(row.sends), `${row.seconds.toFixed(1)} s`],
    row.problems.length === 0 ? 'ok' : row.problems.join('; '),
  ]);
  const all = [['wire', 'host', 'person at', 'model heard', 'sends', 'time', ''], ...rows];
  const widths = all[0]?.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function summary(played: readonly Played[]): Proved {
  const reached = played.filter(({ reached: at }) => at !== '').length;
  const problems = played.flatMap(({ host, problems: own }) => own.map((problem) => `${host}: ${problem}`));
  return { seen: `${played.length} payments, ${reached} reached a person`, problems };
}
