/** People and journeys in the airline's own terms. */

export interface Name {
  readonly prefix: readonly string[];
  readonly given: readonly string[];
  readonly middle: readonly string[];
  readonly surname: string;
  readonly suffix: readonly string[];
}

export interface Phone {
  readonly country?: string;
  readonly number?: string;
  /** OpenTravel phone technology type; `5` marks a number that was added later (docs/wire/notes.md, Changes). */
  readonly technology?: string;
}

interface Address {
  readonly city?: string;
  readonly countryCode?: string;
  readonly countryName?: string;
}

export interface Document {
  readonly number?: string;
  readonly type?: string;
  readonly nationality?: string;
  readonly expires?: string;
}

export interface Person {
  /** Absent for a passenger of a group who is not named yet. */
  readonly name?: Name;
  readonly gender?: string;
  /** YYYY-MM-DD. */
  readonly birthDate?: string;
  readonly document?: Document;
  readonly emails: readonly string[];
  readonly phones: readonly Phone[];
  readonly addresses: readonly Address[];
  readonly comments: readonly { readonly name?: string; readonly value?: string }[];
}

export interface Traveler extends Person {
  readonly ref: string;
  /** `ADT`, `CHD` or `INF`. */
  readonly type: string;
  readonly segmentRefs: readonly string[];
  /** Pointer of the adult on whose lap an infant sits. */
  readonly attendantRef?: string;
}

/** A segment as a request names it. */
export interface AskedSegment {
  readonly ref: string;
  readonly number: string;
  readonly operatingCode?: string;
  readonly operatingNumber?: string;
  readonly marketingCode?: string;
  readonly from: string;
  readonly to: string;
  /** RFC 3339. */
  readonly departs: string;
  readonly arrives: string;
  readonly bookingClass?: string;
  readonly basis?: string;
  readonly status?: string;
}

export interface AskedOption {
  readonly ref: string;
  readonly segments: readonly AskedSegment[];
}

export interface Counts {
  readonly ADT: number;
  readonly CHD: number;
  readonly INF: number;
}

export interface Service {
  readonly code: string;
  readonly text?: string;
  readonly quantity: number;
  readonly segmentRefs: readonly string[];
  readonly travelerRefs: readonly string[];
}
