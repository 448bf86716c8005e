/**
 * The timetable: every departure of every day, derived from the network and the seed when it is asked for, never
 * stored; and the trips that they make. A service is one train or flight with its stops; a departure is a part of it
 * between two stops.
 */
import type { Line, Network, NetworkStation, Vehicle } from './network/network.ts';
import { seededRandom } from './seeded-random.ts';
import type { CarrierState } from './state.ts';
import { addDays, DAY, localDate, localInstant, MINUTE } from './zone.ts';

interface Stop {
  readonly station: string;
  /** Minutes from the first stop. */
  readonly arrives: number;
  readonly departs: number;
}

export interface Service {
  readonly number: string;
  readonly operatedBy: string;
  readonly stops: readonly Stop[];
  /** Local minutes after midnight at the first stop. */
  readonly startsAt: number;
  readonly days: string;
  readonly vehicleName: string;
  readonly vehicle: Vehicle;
}

/** Enough to find a departure again: what a booking keeps. */
export interface DepartureKey {
  readonly number: string;
  /** Local date at the service's first stop. */
  readonly serviceDate: string;
  readonly fromStop: number;
  readonly toStop: number;
}

/** What a mishap did to one run of a service: minutes that its times moved, and what else is not as scheduled. */
export interface RunChange {
  readonly departs?: number;
  readonly arrives?: number;
  /** The number that passengers see now. */
  readonly shown?: string;
  /** Name of another vehicle of the network. */
  readonly vehicle?: string;
  readonly cancelled?: boolean;
}

/** The change of the run of a service (number) on a service date, if any. */
type RunChanges = (number: string, serviceDate: string) => RunChange | undefined;

/** A train or flight on one day: its price and free seats hang on it. */
export interface Run {
  readonly number: string;
  /** Days from the airline's first day. Random draws use it, so that every first day begins alike. */
  readonly dayNumber: number;
}

export interface Departure extends DepartureKey, Run {
  /** The number on tickets and in replies; `number` is the key in the timetable. */
  readonly shown: string;
  /** The airline cancelled this run. */
  readonly cancelled: boolean;
  readonly service: Service;
  readonly from: NetworkStation;
  readonly to: NetworkStation;
  /** ms epoch. */
  readonly departsAt: number;
  readonly arrivesAt: number;
}

export interface Pair {
  readonly service: Service;
  readonly fromStop: number;
  readonly toStop: number;
}

/** The share of its days on which a service does not run: one in forty. */
const STANDSTILL_SHARE = 0.025;
/** How many days ahead are on sale. */
const SALE_DAYS = 330;

export class Timetable {
  readonly network: Network;
  readonly seed: number;
  readonly #stations: ReadonlyMap<string, NetworkStation>;
  readonly #services = new Map<string, Service>();
  readonly #pairs = new Map<string, Map<string, Pair[]>>();
  readonly #changeOf: RunChanges;
  readonly #firstDay: number;

  /** `firstDay`: the airline's first day (YYYY-MM-DD). */
  constructor(network: Network, seed: number, firstDay: string, changeOf: RunChanges = () => undefined) {
    this.network = network;
    this.seed = seed;
    this.#firstDay = Date.parse(firstDay);
    this.#changeOf = changeOf;
    this.#stations = new Map(network.stations.map((station) => [station.code, station]));
    for (const line of network.lines) for (const service of expandLine(line, network)) this.#add(service);
  }

  #add(service: Service): void {
    this.#services.set(service.number, service);
    for (const [fromStop, from] of service.stops.entries()) {
      for (let toStop = fromStop + 1; toStop < service.stops.length; toStop++) {
        const to = service.stops[toStop];
        if (to === undefined) continue;
        const fromHere = this.#pairs.get(from.station) ?? new Map<string, Pair[]>();
        this.#pairs.set(from.station, fromHere);
        const pairs = fromHere.get(to.station) ?? [];
        fromHere.set(to.station, pairs);
        pairs.push({ service, fromStop, toStop });
      }
    }
  }

  station(code: string): NetworkStation | undefined {
    return this.#stations.get(code);
  }

  /** Stations reached from here without a change. */
  directFrom(code: string): readonly string[] {
    return [...(this.#pairs.get(code)?.keys() ?? [])];
  }

  hasDirect(from: string, to: string): boolean {
    return this.#pairs.get(from)?.has(to) ?? false;
  }

  /** Departures between two stations on the local `date` of the first, in order of time. */
  departures(from: string, to: string, date: string): readonly Departure[] {
    const found: Departure[] = [];
    for (const pair of this.#pairs.get(from)?.get(to) ?? []) {
      for (const serviceDate of serviceDates(pair, date)) {
        const departure = this.#departure(pair, serviceDate);
        if (departure !== undefined && localDate(departure.from.zone, departure.departsAt) === date) {
          found.push(departure);
        }
      }
    }
    return found.sort((a, b) => a.departsAt - b.departsAt);
  }

  /** A whole run, from the first stop to the last; undefined where it does not run. */
  run(number: string, serviceDate: string): Departure | undefined {
    const service = this.#services.get(number);
    return service && this.#departure({ service, fromStop: 0, toStop: service.stops.length - 1 }, serviceDate);
  }

  /** The next number after this one that no service has. */
  freeNumber(number: string): string {
    let next = Number(number);
    for (;;) {
      next += 1;
      const text = String(next).padStart(number.length, '0');
      if (!this.#services.has(text)) return text;
    }
  }

  /** A departure by its key; undefined where it does not run. */
  find(key: DepartureKey): Departure | undefined {
    const service = this.#services.get(key.number);
    if (service === undefined) return undefined;
    return this.#departure({ service, fromStop: key.fromStop, toStop: key.toStop }, key.serviceDate);
  }

  /** A departure by what is printed on a ticket: number, stations and instant. */
  lookUp(number: string, from: string, to: string, departsAt: number): Departure | undefined {
    const zone = this.station(from)?.zone;
    if (zone === undefined || Number.isNaN(departsAt)) return undefined;
    const sameDay = this.departures(from, to, localDate(zone, departsAt));
    return sameDay.find((departure) => departure.shown === number && departure.departsAt === departsAt);
  }

  #departure(pair: Pair, serviceDate: string): Departure | undefined {
    const { service, fromStop, toStop } = pair;
    const [first, boards, leaves] = [service.stops[0], service.stops[fromStop], service.stops[toStop]];
    if (first === undefined || boards === undefined || leaves === undefined) return undefined;
    if (!this.#runs(service, serviceDate)) return undefined;
    const from = this.station(boards.station);
    const to = this.station(leaves.station);
    const zone = this.station(first.station)?.zone;
    if (from === undefined || to === undefined || zone === undefined) return undefined;
    const start = localInstant(zone, serviceDate, service.startsAt);
    const change = this.#changeOf(service.number, serviceDate);
    const departsAt = start + (boards.departs + (change?.departs ?? 0)) * 60_000;
    const arrivesAt = start + (leaves.arrives + (change?.arrives ?? 0)) * 60_000;
    const { number } = service;
    return {
      number,
      serviceDate,
      fromStop,
      toStop,
      from,
      to,
      departsAt,
      arrivesAt,
      dayNumber: this.#dayNumber(serviceDate),
      shown: change?.shown ?? number,
      cancelled: change?.cancelled === true,
      service: this.#inVehicle(service, change?.vehicle),
    };
  }

  #inVehicle(service: Service, vehicleName: string | undefined): Service {
    const vehicle = vehicleName === undefined ? undefined : this.network.vehicles[vehicleName];
    return vehicle === undefined || vehicleName === undefined ? service : { ...service, vehicleName, vehicle };
  }

  /** On its weekdays, but for about one day in forty, when it stands still. */
  #runs(service: Service, date: string): boolean {
    const weekday = new Date(Date.parse(`${date}T00:00:00Z`)).getUTCDay() || 7;
    if (!service.days.includes(String(weekday))) return false;
    return seededRandom(this.seed, 'runs', service.number, this.#dayNumber(date)) >= STANDSTILL_SHARE;
  }

  #dayNumber(date: string): number {
    return (Date.parse(date) - this.#firstDay) / DAY;
  }

  /** Last local date on sale at the instant `at`. */
  lastSaleDate(at: number): string {
    return new Date(at + SALE_DAYS * DAY).toISOString().slice(0, 10);
  }
}

/** Dates at the first stop on which a service can leave a stop on the local `date` there, a delayed run among them. */
function serviceDates(pair: Pair, date: string): readonly string[] {
  const minutes = pair.service.startsAt + (pair.service.stops[pair.fromStop]?.departs ?? 0);
  const days = Math.floor(minutes / 1440);
  return [-1, 0, 1].map((shift) => addDays(date, shift - days));
}

function expandLine(line: Line, network: Network): Service[] {
  const vehicle = network.vehicles[line.vehicle];
  if (vehicle === undefined) return [];
  const stops: Stop[] = [{ station: line.from, arrives: 0, departs: 0 }];
  for (const stop of line.via) stops.push({ station: stop.at, arrives: stop.after, departs: stop.after + stop.stop });
  stops.push({ station: line.to, arrives: line.minutes, departs: line.minutes });
  return line.departures.split(' ').map((time, n) => ({
    // Trains have four digits (docs/wire/notes.md, Shapes sent).
    number: String(line.number + 2 * n).padStart(vehicle.kind === 'train' ? 4 : 1, '0'),
    operatedBy: line.operatedBy ?? network.carrier,
    stops,
    startsAt: Number(time.slice(0, 2)) * 60 + Number(time.slice(3)),
    days: line.days,
    vehicleName: line.vehicle,
    vehicle,
  }));
}

/** The departures of one option, in order of travel. */
export type Trip = readonly Departure[];

const SHORTEST_CHANGE = 60 * MINUTE;
const LONGEST_CHANGE = 5 * 60 * MINUTE;

/** Hubs over which two stations without a direct service are joined. */
function hubsBetween(timetable: Timetable, from: string, to: string): readonly string[] {
  if (from === to) return [];
  return timetable.network.stations
    .filter(
      (station) => station.hub && timetable.hasDirect(from, station.code) && timetable.hasDirect(station.code, to),
    )
    .map((station) => station.code);
}

/** Stations sold from here, with a change or without. */
export function sellableFrom(timetable: Timetable, from: string): readonly string[] {
  const direct = timetable.directFrom(from);
  const found = new Set(direct);
  for (const hub of direct.filter((code) => timetable.station(code)?.hub === true)) {
    for (const to of timetable.directFrom(hub)) if (to !== from) found.add(to);
  }
  return [...found].sort();
}

export function isSellable(timetable: Timetable, from: string, to: string): boolean {
  return timetable.hasDirect(from, to) || hubsBetween(timetable, from, to).length > 0;
}

/** Trips that leave on the local `date`. Changes are offered only where no direct service exists at all. */
export function tripsOn(timetable: Timetable, from: string, to: string, date: string, direct = false): readonly Trip[] {
  if (timetable.hasDirect(from, to)) return timetable.departures(from, to, date).map((departure) => [departure]);
  if (direct) return [];
  const trips: Trip[] = [];
  for (const hub of hubsBetween(timetable, from, to)) {
    // The hub may be in another zone, and a trip may arrive there some days later.
    const onward = [-1, 0, 1, 2].flatMap((days) => timetable.departures(hub, to, addDays(date, days)));
    for (const first of timetable.departures(from, hub, date)) {
      const next = onward.filter((second) => {
        const wait = second.departsAt - first.arrivesAt;
        return wait >= SHORTEST_CHANGE && wait <= LONGEST_CHANGE;
      });
      const earliest = next.sort((a, b) => a.departsAt - b.departsAt)[0];
      if (earliest !== undefined) trips.push([first, earliest]);
    }
  }
  return trips.sort((a, b) => (a[0]?.departsAt ?? 0) - (b[0]?.departsAt ?? 0));
}

/** The timetable of an airline, with all that happened to it. */
export function loadTimetable(state: CarrierState, network: Network): Timetable {
  const [seed, firstDay] = [Number(state.meta('seed') ?? '1'), state.meta('first_day') ?? '1970-01-01'];
  return new Timetable(network, seed, firstDay, (number, date) => runChange(state, number, date));
}

function runChange(state: CarrierState, number: string, serviceDate: string): RunChange | undefined {
  const row = state.row('SELECT change FROM runs WHERE number = ? AND service_date = ?', number, serviceDate);
  return row === undefined ? undefined : (JSON.parse(String(row.change)) as RunChange);
}

/** Adds to what happened to the run before: minutes add up, the rest is replaced. */
export function changeRun(state: CarrierState, number: string, serviceDate: string, change: RunChange): void {
  const earlier = runChange(state, number, serviceDate) ?? {};
  const departs = (earlier.departs ?? 0) + (change.departs ?? 0);
  const arrives = (earlier.arrives ?? 0) + (change.arrives ?? 0);
  const sql =
    'INSERT INTO runs VALUES (?, ?, ?) ON CONFLICT (number, service_date) DO UPDATE SET change = excluded.change';
  state.run(sql, number, serviceDate, JSON.stringify({ ...earlier, ...change, departs, arrives }));
}

/** Locators of bookings with a seat on a run: those that hold or paid one. */
export function bookedOn(state: CarrierState, number: string, serviceDate: string, now: number): readonly string[] {
  const sql = `SELECT DISTINCT locator FROM claims
    WHERE number = ? AND service_date = ? AND (expires IS NULL OR expires > ?) ORDER BY locator`;
  return state.rows(sql, number, serviceDate, now).map((row) => String(row.locator));
}
