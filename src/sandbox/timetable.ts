/**
 * The timetable: every departure of every day, and the trips that departures make. It is computed from the network and
 * the seed; only what mishaps changed is stored. A service is a train or flight with its stops; a run is a service on one
 * day; a departure is the part of a run between two stops; a trip is one or two departures.
 */
import type { Line, Network, NetworkStation, Vehicle } from './network.ts';
import { seededRandom } from './seeded-random.ts';
import type { CarrierState } from './state.ts';
import { addDays, DAY_MS, localDate, localInstant, MINUTE_MS, MINUTES_PER_DAY } from './zone.ts';

interface Stop {
  readonly station: string;
  /** Minutes after the service leaves its first stop. */
  readonly arrives: number;
  readonly departs: number;
}

export interface Service {
  readonly number: string;
  readonly operatedBy: string;
  readonly stops: readonly Stop[];
  /** When it leaves the first stop, in minutes after local midnight. */
  readonly startsAt: number;
  /** ISO weekdays on which it leaves the first stop: `12345`. */
  readonly days: string;
  readonly vehicle: Vehicle;
}

/** Identifies a departure; a booking stores it. `fromStop` and `toStop` are positions in the service's stops. */
export interface DepartureKey {
  readonly number: string;
  /** Local date at the service's first stop. */
  readonly serviceDate: string;
  readonly fromStop: number;
  readonly toStop: number;
}

/** How a run differs from the schedule after mishaps. `departs` and `arrives` are minutes; negative: earlier. */
export interface RunChange extends Partial<Pick<Departure, 'cancelled' | 'shownNumber' | 'service'>> {
  readonly departs?: number;
  readonly arrives?: number;
}

/** Finds what mishaps changed on a service's run of one service date. */
type FindRunChange = (number: string, serviceDate: string) => RunChange | undefined;

/** A service on one day. Prices and the seats sold elsewhere are drawn from these two fields. */
export interface Run {
  readonly number: string;
  /** Days since the airline's first day. Draws use it, not the date, so that any first day gives the same ones. */
  readonly dayNumber: number;
}

export interface Departure extends DepartureKey, Run {
  /** The number on tickets and in replies. A mishap can change it; `number` stays the key in the timetable. */
  readonly shownNumber: string;
  /** The airline cancelled this run. */
  readonly cancelled: boolean;
  readonly service: Service;
  readonly from: NetworkStation;
  readonly to: NetworkStation;
  /** ms epoch. */
  readonly departsAt: number;
  readonly arrivesAt: number;
}

/** Two stops of a service between which passengers can travel, as positions in its stops. */
interface StopPair {
  readonly service: Service;
  readonly fromStop: number;
  readonly toStop: number;
}

/** The share of a service's days on which it does not run: one in forty. */
const IDLE_SHARE = 0.025;
/** How many days ahead are on sale. */
const SALE_DAYS = 330;
/** How long a connection lasts between two departures of a trip. */
const SHORTEST_HUB_TRANSFER_MS = 60 * MINUTE_MS;
const LONGEST_HUB_TRANSFER_MS = 5 * 60 * MINUTE_MS;

/** Whether two departures are of one run of a service. */
export const isSameRun = (a: DepartureKey, b: DepartureKey) => a.number === b.number && a.serviceDate === b.serviceDate;

export class Timetable {
  readonly network: Network;
  readonly seed: number;
  readonly #stations: ReadonlyMap<string, NetworkStation>;
  readonly #services = new Map<string, Service>();
  readonly #stopPairs = new Map<string, Map<string, StopPair[]>>();
  readonly #findChange: FindRunChange;
  readonly #firstDay: number;

  /** `firstDay`: the airline's first day (YYYY-MM-DD). */
  constructor(network: Network, seed: number, firstDay: string, findChange: FindRunChange) {
    this.network = network;
    this.seed = seed;
    this.#firstDay = Date.parse(firstDay);
    this.#findChange = findChange;
    this.#stations = new Map(network.stations.map((station) => [station.code, station]));
    for (const line of network.lines) for (const service of expandLine(line, network)) this.#add(service);
  }

  #add(service: Service): void {
    this.#services.set(service.number, service);

    for (const [fromStop, from] of service.stops.entries()) {
      for (let toStop = fromStop + 1; toStop < service.stops.length; toStop++) {
        const to = service.stops[toStop];
        if (to === undefined) continue;
        const pairsByDestination = this.#stopPairs.get(from.station) ?? new Map<string, StopPair[]>();
        this.#stopPairs.set(from.station, pairsByDestination);
        const pairs = pairsByDestination.get(to.station) ?? [];
        pairsByDestination.set(to.station, pairs);
        pairs.push({ service, fromStop, toStop });
      }
    }
  }

  station(code: string): NetworkStation | undefined {
    return this.#stations.get(code);
  }

  /** Lists the stations reached from here without a change. */
  directFrom(code: string): readonly string[] {
    return [...(this.#stopPairs.get(code)?.keys() ?? [])];
  }

  hasDirect(from: string, to: string): boolean {
    return this.#stopPairs.get(from)?.has(to) ?? false;
  }

  /** Lists the departures between two stations on the local `date` of the first, in order of time. */
  departures(from: string, to: string, date: string): readonly Departure[] {
    const departures: Departure[] = [];
    for (const pair of this.#stopPairs.get(from)?.get(to) ?? []) {
      for (const serviceDate of serviceDates(pair, date)) {
        const departure = this.#departure(pair, serviceDate);
        if (departure !== undefined && localDate(departure.from.zone, departure.departsAt) === date) {
          departures.push(departure);
        }
      }
    }

    return departures.sort((a, b) => a.departsAt - b.departsAt);
  }

  /** Finds a whole run, from the first stop to the last. Undefined if the service does not run that day. */
  findRun(number: string, serviceDate: string): Departure | undefined {
    const service = this.#services.get(number);
    return service && this.#departure({ service, fromStop: 0, toStop: service.stops.length - 1 }, serviceDate);
  }

  /** Finds a departure by its key. Undefined if the service does not run that day. */
  findByKey(key: DepartureKey): Departure | undefined {
    const service = this.#services.get(key.number);
    if (service === undefined) return undefined;
    return this.#departure({ service, fromStop: key.fromStop, toStop: key.toStop }, key.serviceDate);
  }

  /** Finds a departure by what a ticket shows: number, stations and the instant of departure (ms epoch). */
  findByTicket(number: string, from: string, to: string, departsAt: number): Departure | undefined {
    const zone = this.station(from)?.zone;
    if (zone === undefined || Number.isNaN(departsAt)) return undefined;
    const sameDay = this.departures(from, to, localDate(zone, departsAt));
    return sameDay.find((departure) => departure.shownNumber === number && departure.departsAt === departsAt);
  }

  /** Returns the last date on sale at the instant `at` (ms epoch). */
  lastSaleDate(at: number): string {
    return new Date(at + SALE_DAYS * DAY_MS).toISOString().slice(0, 10);
  }

  #departure(pair: StopPair, serviceDate: string): Departure | undefined {
    const { service, fromStop, toStop } = pair;
    const [firstStop, boardingStop, exitStop] = [service.stops[0], service.stops[fromStop], service.stops[toStop]];
    if (firstStop === undefined || boardingStop === undefined || exitStop === undefined) return undefined;
    if (!this.#runsOn(service, serviceDate)) return undefined;

    const from = this.station(boardingStop.station);
    const to = this.station(exitStop.station);
    const zone = this.station(firstStop.station)?.zone;
    if (from === undefined || to === undefined || zone === undefined) return undefined;

    const start = localInstant(zone, serviceDate, service.startsAt);
    const { departs = 0, arrives = 0, ...changed } = this.#findChange(service.number, serviceDate) ?? {};
    const { number } = service;

    return {
      number,
      serviceDate,
      fromStop,
      toStop,
      from,
      to,
      departsAt: start + (boardingStop.departs + departs) * MINUTE_MS,
      arrivesAt: start + (exitStop.arrives + arrives) * MINUTE_MS,
      dayNumber: this.#dayNumber(serviceDate),
      shownNumber: number,
      cancelled: false,
      service,
      ...changed,
    };
  }

  #runsOn(service: Service, date: string): boolean {
    const weekday = new Date(Date.parse(`${date}T00:00:00Z`)).getUTCDay() || 7;
    if (!service.days.includes(String(weekday))) return false;
    return seededRandom(this.seed, 'runs', service.number, this.#dayNumber(date)) >= IDLE_SHARE;
  }

  #dayNumber(date: string): number {
    return (Date.parse(date) - this.#firstDay) / DAY_MS;
  }
}

/**
 * Lists the dates at the first stop on which a service can leave a later stop on the local `date` of that stop. The
 * days before and after are included, because of time zones and delays.
 */
function serviceDates(pair: StopPair, date: string): readonly string[] {
  const minutes = pair.service.startsAt + (pair.service.stops[pair.fromStop]?.departs ?? 0);
  const days = Math.floor(minutes / MINUTES_PER_DAY);
  return [-1, 0, 1].map((shift) => addDays(date, shift - days));
}

/** Makes one service of each daily departure of a line. */
function expandLine(line: Line, network: Network): Service[] {
  const vehicle = network.vehicles[line.vehicle];
  if (vehicle === undefined) return [];

  const stops: Stop[] = [{ station: line.from, arrives: 0, departs: 0 }];
  for (const stop of line.via ?? [])
    stops.push({ station: stop.at, arrives: stop.after, departs: stop.after + stop.stop });
  stops.push({ station: line.to, arrives: line.minutes, departs: line.minutes });

  return line.departures.split(' ').map((time, n) => ({
    // Trains have four digits (docs/wire/notes.md, Shapes sent).
    number: String(line.number + 2 * n).padStart(vehicle.kind === 'train' ? 4 : 1, '0'),
    operatedBy: line.operatedBy ?? network.carrier,
    stops,
    startsAt: Number(time.slice(0, 2)) * 60 + Number(time.slice(3)),
    days: line.days ?? '1234567',
    vehicle,
  }));
}

/** The departures of one option, in order of travel. */
export type Trip = readonly Departure[];

/** Lists the hubs at which passengers can change on the way between two stations. */
function hubsBetween(timetable: Timetable, from: string, to: string): readonly string[] {
  if (from === to) return [];
  const hubs = timetable.network.stations.filter((station) => station.hub).map((station) => station.code);
  return hubs.filter((hub) => timetable.hasDirect(from, hub) && timetable.hasDirect(hub, to));
}

/** Lists the stations to which trips from here are sold, direct or with one change. */
export function sellableFrom(timetable: Timetable, from: string): readonly string[] {
  const direct = timetable.directFrom(from);
  const destinations = new Set(direct);
  for (const hub of direct.filter((code) => timetable.station(code)?.hub === true)) {
    for (const to of timetable.directFrom(hub)) if (to !== from) destinations.add(to);
  }
  return [...destinations].sort();
}

export function isSellable(timetable: Timetable, from: string, to: string): boolean {
  return timetable.hasDirect(from, to) || hubsBetween(timetable, from, to).length > 0;
}

/** Lists the trips that leave on the local `date`. Offers a change only if no direct service exists on any day. */
export function tripsOn(timetable: Timetable, from: string, to: string, date: string): readonly Trip[] {
  if (timetable.hasDirect(from, to)) return timetable.departures(from, to, date).map((departure) => [departure]);

  const trips: Trip[] = [];
  for (const hub of hubsBetween(timetable, from, to)) {
    // The hub may be in another zone, and a trip may arrive there some days later.
    const onward = [-1, 0, 1, 2].flatMap((days) => timetable.departures(hub, to, addDays(date, days)));
    for (const first of timetable.departures(from, hub, date)) {
      const connections = onward.filter((second) => {
        const transferMs = second.departsAt - first.arrivesAt;
        return transferMs >= SHORTEST_HUB_TRANSFER_MS && transferMs <= LONGEST_HUB_TRANSFER_MS;
      });
      const [second] = connections.sort((a, b) => a.departsAt - b.departsAt);
      if (second !== undefined) trips.push([first, second]);
    }
  }

  return trips.sort((a, b) => (a[0]?.departsAt ?? 0) - (b[0]?.departsAt ?? 0));
}

/** Loads the timetable of an airline, with the changes that mishaps made. */
export function loadTimetable(state: CarrierState, network: Network): Timetable {
  const [seed, firstDay] = [Number(state.meta('seed') ?? '1'), state.meta('first_day') ?? '1970-01-01'];
  return new Timetable(network, seed, firstDay, (number, date) => readRunChange(state, number, date));
}

function readRunChange(state: CarrierState, number: string, serviceDate: string): RunChange | undefined {
  const row = state.row('SELECT change FROM runs WHERE number = ? AND service_date = ?', number, serviceDate);
  return row === undefined ? undefined : (JSON.parse(String(row.change)) as RunChange);
}

/** Stores a change of a run. Its minutes are added to earlier ones; its other fields replace earlier ones. */
export function addRunChange(state: CarrierState, number: string, serviceDate: string, change: RunChange): void {
  const earlier = readRunChange(state, number, serviceDate) ?? {};
  const departs = (earlier.departs ?? 0) + (change.departs ?? 0);
  const arrives = (earlier.arrives ?? 0) + (change.arrives ?? 0);
  const sql =
    'INSERT INTO runs VALUES (?, ?, ?) ON CONFLICT (number, service_date) DO UPDATE SET change = excluded.change';
  state.run(sql, number, serviceDate, JSON.stringify({ ...earlier, ...change, departs, arrives }));
}
