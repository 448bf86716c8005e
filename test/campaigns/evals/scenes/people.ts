/** Travellers that scenes book, as a model writes them into a call and a user says them. */
import { passengerNamed } from '../../../support/people.ts';

export const CONTACT = { given_name: 'Layla', surname: 'Haddad', email: 'layla@haddad.example' };

const who = (given: string, number: string, birth_date: string, gender: string, type = 'ADT') => {
  const document = { type: 'passport', number, nationality: 'SA', expires: '2036-08-30' };
  return passengerNamed(given, 'Haddad', number, { type, gender, birth_date, document });
};
export const LAYLA = who('Layla', 'P4402917', '1991-04-17', 'Female');
export const OMAR = who('Omar', 'P4402918', '1988-11-02', 'Male');
export const YARA = who('Yara', 'P4402919', '{day-2500}', 'Female', 'CHD');
export const ZAID = who('Zaid', 'P4402920', '{day-300}', 'Male', 'INF');

/** The same in the user's words. */
export const SAID_LAYLA =
  'Layla Haddad, female, born 1991-04-17, Saudi passport P4402917 valid to 2036-08-30; e-mail layla@haddad.example.';
export const SAID_OMAR = 'Omar Haddad, male, born 1988-11-02, Saudi passport P4402918 valid to 2036-08-30.';
export const SAID_CHILDREN =
  'Yara Haddad, a girl born {day-2500}, Saudi passport P4402919, and the baby Zaid Haddad, a boy born {day-300}, Saudi passport P4402920; both valid to 2036-08-30.';

/** Makkah to Madinah in business class: fares that are refunded for a fee. */
export const ONE_WAY = { legs: [{ from: 'QCA', to: 'XMD', date: '{day+20}' }], booking_classes: ['C'], max_results: 3 };
export const BACK = { from: 'XMD', to: 'QCA', date: '{day+24}' };
