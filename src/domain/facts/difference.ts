/** A change between two readings of a booking: a finding, unless an operation of ours made it. */
import type { Finding } from '../booking/finding.ts';
import type { KeptSegment } from './flight-rows.ts';

export interface Difference
  extends Pick<Finding, 'kind' | 'segment' | 'before' | 'after' | 'missed' | 'deadlines' | 'departsAt'> {
  /** Undefined: nobody booked the segment. */
  readonly was?: KeptSegment;
  /** Undefined: the segment is gone. The replacement of a replaced one. */
  readonly now?: KeptSegment;
  /** Id of the order. */
  readonly order?: string;
}
