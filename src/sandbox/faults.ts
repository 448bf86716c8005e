/**
 * Faults that a user can order: each makes the next call of a message fail. The state stores the orders, so that another
 * process can place one.
 */
import { type HeldCall, type Reply, refusalReply } from './calls.ts';
import { Refusal } from './refusal.ts';
import type { CarrierState } from './state.ts';

/** Every call, whatever its message. */
const ANY_CALL = '*';

/** The message that other acts send. */
export const MODIFICATION = 'OTA_AirBookModifyRQ';
/** The message of each tool. `release_hold`: cancel_booking of an unpaid hold. `any`: the next call. */
export const TOOL_MESSAGES: Readonly<Record<string, string>> = {
  search_fares: 'OTA_AirLowFareSearchRQ',
  create_booking: 'OTA_AirBookRQ',
  pay_booking: 'OTA_AirDemandTicketRQ',
  read_booking: 'OTA_ReadRQ',
  get_seat_map: 'OTA_AirSeatMapRQ',
  release_hold: 'OTA_CancelRQ',
  any: ANY_CALL,
};

interface Fault {
  /** Says in one line what the airline does. */
  readonly says: string;
  /** The tool whose call fails unless the order names another. */
  readonly tool: string;
  play(call: HeldCall): Reply | 'taken';
}

export const FAULTS = {
  'lost-answer': {
    says: 'acts, then the connection breaks',
    tool: 'pay_booking',
    play(call) {
      call.act();
      call.response.socket?.resetAndDestroy();
      return 'taken';
    },
  },
  'sold-out': {
    says: 'refuses: not enough seats',
    tool: 'create_booking',
    play: ({ now }) => refusalReply(new Refusal('1053', 'fault'), now()),
  },
  'airline-down': {
    says: 'does nothing: out of service (503)',
    tool: 'pay_booking',
    play: ({ now }) => refusalReply(new Refusal('187', 'fault'), now()),
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;

export interface FaultOrder {
  readonly name: FaultName;
  /** The message that fails, by name (`OTA_AirBookRQ`); or {@link ANY_CALL}. */
  readonly message: string;
  /** How many calls in a row; default 1. */
  readonly times?: number | undefined;
}

export function orderFault(state: CarrierState, { name, message, times = 1 }: FaultOrder): void {
  state.run('INSERT INTO faults (name, message, times) VALUES (?, ?, ?)', name, message, times);
}

/** Plays the oldest fault that is ordered for the call, if any. */
export function playOrderedFault(state: CarrierState, call: HeldCall): Reply | 'taken' | undefined {
  // Usually there are no orders. Then this writes nothing.
  if (state.row('SELECT 1 FROM faults WHERE times > 0 LIMIT 1') === undefined) return undefined;
  const sql = `UPDATE faults SET times = times - 1 WHERE id =
    (SELECT min(id) FROM faults WHERE times > 0 AND message IN (?, '${ANY_CALL}')) RETURNING name`;
  const name = state.row(sql, call.name)?.name;
  return name === undefined ? undefined : FAULTS[name as FaultName].play(call);
}
