/** The airline's routes, and its calendar of days with flights. */

export interface Station {
  /** IATA code. */
  readonly code: string;
  readonly name: string;
  readonly city: string;
  readonly cityCode: string;
  /** ISO 3166 alpha-2, or the name as sent. */
  readonly country: string;
}

export interface Route {
  readonly from: Station;
  readonly to: readonly Station[];
}

export interface CalendarQuery {
  readonly from: string;
  readonly to: string;
  /** YYYY-MM-DD, both ends included. */
  readonly startDate: string;
  readonly endDate: string;
  readonly direct: boolean;
}

export interface CalendarDates extends Omit<CalendarQuery, 'direct'> {
  /** YYYY-MM-DD, as sent (any order). */
  readonly dates: readonly string[];
}
