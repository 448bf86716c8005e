/** Events for reading: rows for people, records for programs. */
import type { Config } from '../../config/load.ts';
import { receiverOf } from '../../events/deliver.ts';
import { type DeskEvent, payloadOf } from '../../events/event.ts';
import type { Delivery } from '../../events/ports.ts';
import type { State } from '../../store/state.ts';
import { openState, wasMade } from '../runtime/open-runtime.ts';
import type { Arguments } from '../terminal/arguments.ts';
import { table } from '../terminal/table.ts';
import { type Output, windowOf } from '../terminal/window.ts';

/** One call of `fareclerk events`. */
export interface EventsRun extends Output {
  readonly config: Config;
  readonly own: Arguments['own'];
  /** What follows the action; else empty. */
  readonly id: string;
  readonly limit: number;
}

export function isMade({ config }: EventsRun): boolean {
  return config.state.databaseUrl !== undefined || wasMade(config.state);
}

/** Opens the state only if it exists; creates nothing. */
export async function withState<T>(run: EventsRun, use: (state: State | undefined) => Promise<T>): Promise<T> {
  const state = isMade(run) ? await openState(run.config) : undefined;
  return use(state).finally(() => state?.close());
}

/** Scheme and host: the rest may be a key. */
export const placeOf = (address: string): string => new URL(address).origin;

/** The address of a delivery, if it is still in the settings. */
export function toWhom({ config }: EventsRun, { receiver }: Pick<Delivery, 'receiver'>): string {
  const address = config.webhooks?.addresses.find((one) => receiverOf(one) === receiver);
  return address === undefined ? `${receiver} (no longer set)` : placeOf(address);
}

const instant = (ms: number) => new Date(ms).toISOString();
const minute = (ms: number): string => instant(ms).slice(0, 16).replace('T', ' ');

export function eventRecord(event: DeskEvent, run: EventsRun, deliveries: readonly Delivery[] = []) {
  return {
    id: event.id,
    ...payloadOf(event, true),
    ...(deliveries.length > 0 && { deliveries: deliveries.map((one) => deliveryRecord(one, run)) }),
  };
}

function deliveryRecord(delivery: Delivery, run: EventsRun) {
  const { state, tries, nextAt, failedAt, said } = delivery;
  return {
    to: toWhom(run, delivery),
    state,
    tries,
    ...(state === 'waiting' && nextAt > 0 && { next_at: instant(nextAt) }),
    ...(failedAt !== undefined && { failed_at: instant(failedAt) }),
    ...(said !== undefined && { said }),
  };
}

/** `2026-11-20 07:40  ABC123  booking.changed  cancelled` */
export function eventLine({ at, locator, type, kind, tool, dueAt }: DeskEvent): readonly string[] {
  const due = dueAt === undefined ? undefined : `until ${minute(dueAt)}`;
  const what = [kind, tool, due].filter((part) => part !== undefined).join(', ');
  return [minute(at), locator ?? '-', type, what];
}

function stateWords(deliveries: readonly Delivery[]): string {
  const counts = Map.groupBy(deliveries, ({ state }) => state);
  const words = [...counts].map(([state, those]) => (deliveries.length === 1 ? state : `${those.length} ${state}`));
  return words.join(', ') || '-';
}

const TITLES = ['when (UTC)', 'booking', 'event', 'what', 'delivery', 'id'] as const;

export function eventTable(run: EventsRun, events: readonly DeskEvent[], deliveries: readonly Delivery[]): string {
  const rows = events.map((event) => {
    const own = deliveries.filter(({ n }) => n === event.n);
    return [...eventLine(event), stateWords(own), event.id];
  });
  return table([TITLES, ...rows], windowOf(run.terminal.stdout), [0, 1, 2, 5]);
}

export function describeEvent(run: EventsRun, event: DeskEvent, deliveries: readonly Delivery[]): string {
  const { id, timestamp, type, data } = eventRecord(event, run);
  const facts = [
    ['event', type],
    ['id', id],
    ['at', timestamp],
    ...Object.entries(data).map(([name, value]) => [name, String(value)]),
  ];
  const tries = deliveries.map((one) => {
    const { to, state, tries, said = '-', next_at = '-' } = deliveryRecord(one, run);
    return [to, state, String(tries), said, next_at];
  });
  const list =
    tries.length === 0
      ? 'No address of the settings has had a delivery of it.\n'
      : table([['to', 'state', 'tries', 'last answer', 'next try'], ...tries]);
  return `${table(facts)}\n${list}`;
}
