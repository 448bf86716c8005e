/** Gauges of what this process has under way, read when the page is written. They cost nothing between scrapes. */
import { Gauge, type Registry } from 'prom-client';

interface LaneLoad {
  readonly lane: string;
  readonly running: number;
  readonly waiting: number;
  /** The most that run at once. */
  readonly slots: number;
}

export interface AirlineLoad {
  readonly lanes: readonly LaneLoad[];
  /** Addresses whose reads the breaker stops. */
  readonly openBreakers: number;
}

/** Connections of one pool, and statements under way or waiting for one. */
export interface PoolLoad {
  readonly pool: string;
  readonly connections: number;
  readonly running: number;
  readonly waiting: number;
}

export function loadGauges(registers: Registry[]) {
  let airline: (() => AirlineLoad) | undefined;
  let pools: (() => readonly PoolLoad[]) | undefined;
  const gauge = (name: string, labelNames: string[], help: string, collect: (this: Gauge) => void) =>
    new Gauge({ name, help, labelNames, registers, collect });
  const ofLanes = (name: string, field: 'running' | 'waiting' | 'slots', help: string) =>
    gauge(name, ['lane'], help, function () {
      for (const load of airline?.().lanes ?? []) this.set({ lane: load.lane }, load[field]);
    });
  const ofPools = (name: string, field: 'connections' | 'running' | 'waiting', help: string) =>
    gauge(name, ['pool'], help, function () {
      for (const load of pools?.() ?? []) this.set({ pool: load.pool }, load[field]);
    });

  ofLanes('fareclerk_airline_lane_running', 'running', 'Calls to the airline under way, by lane');
  ofLanes('fareclerk_airline_lane_waiting', 'waiting', 'Calls to the airline that wait for a free slot, by lane');
  ofLanes('fareclerk_airline_lane_slots', 'slots', 'The most calls to the airline at once, by lane');
  gauge(
    'fareclerk_airline_breaker_open',
    [],
    'Addresses of the airline that are not read because reads fail',
    function () {
      this.remove();
      if (airline !== undefined) this.set(airline().openBreakers);
    },
  );
  ofPools('fareclerk_postgres_connections', 'connections', 'The most connections to PostgreSQL, by pool');
  ofPools('fareclerk_postgres_statements_running', 'running', 'Statements under way in PostgreSQL, by pool');
  ofPools('fareclerk_postgres_statements_waiting', 'waiting', 'Statements that wait for a connection, by pool');
  return {
    watchAirline(load: () => AirlineLoad): void {
      airline = load;
    },
    watchPools(load: () => readonly PoolLoad[]): void {
      pools = load;
    },
  };
}
