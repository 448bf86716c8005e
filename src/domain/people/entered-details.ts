/** What travellers enter on the details page. */
import type { DocumentKind } from './traveler.ts';

/** Of one traveller, in the forms that arguments of tools have. Absent: left blank. */
export interface EnteredDetails {
  readonly given_name?: string;
  readonly middle_name?: string;
  readonly surname?: string;
  readonly gender?: 'Male' | 'Female' | 'Unknown';
  /** YYYY-MM-DD. */
  readonly birth_date?: string;
  readonly document?: {
    readonly type: DocumentKind;
    readonly number: string;
    /** ISO 3166 alpha-2. */
    readonly nationality: string;
    /** YYYY-MM-DD. */
    readonly expires: string;
  };
}
