/**
 * Travellers that scenes book, as a model writes them into a call and a user says them.
 */
export const CONTACT = { given_name: 'Layla', surname: 'Haddad', email: 'layla@haddad.example' };

export const LAYLA = {
  type: 'ADT',
  given_name: 'Layla',
  surname: 'Haddad',
  gender: 'Female',
  birth_date: '1991-04-17',
  document: { type: 'passport', number: 'P4402917', nationality: 'SA', expires: '2036-08-30' },
};

export const OMAR = {
  ...LAYLA,
  given_name: 'Omar',
  gender: 'Male',
  birth_date: '1988-11-02',
  document: { ...LAYLA.document, number: 'P4402918' },
};

export const YARA = {
  ...LAYLA,
  type: 'CHD',
  given_name: 'Yara',
  birth_date: '{day-2500}',
  document: { ...LAYLA.document, number: 'P4402919' },
};

export const ZAID = {
  ...LAYLA,
  type: 'INF',
  given_name: 'Zaid',
  gender: 'Male',
  birth_date: '{day-300}',
  document: { ...LAYLA.document, number: 'P4402920' },
};

/** The same in the user's words. */
export const SAID_LAYLA =
  'Layla Haddad, female, born 1991-04-17, Saudi passport P4402917 valid to 2036-08-30; e-mail layla@haddad.example.';
export const SAID_OMAR = 'Omar Haddad, male, born 1988-11-02, Saudi passport P4402918 valid to 2036-08-30.';
export const SAID_CHILDREN =
  'Yara Haddad, a girl born {day-2500}, Saudi passport P4402919, and the baby Zaid Haddad, a boy born {day-300}, Saudi passport P4402920; both valid to 2036-08-30.';

/** Makkah to Madinah in business class: fares that are refunded for a fee. */
export const ONE_WAY = { legs: [{ from: 'QCA', to: 'XMD', date: '{day+20}' }], booking_classes: ['C'], max_results: 3 };
export const THERE_AND_BACK = {
  ...ONE_WAY,
  legs: [
    { from: 'QCA', to: 'XMD', date: '{day+20}' },
    { from: 'XMD', to: 'QCA', date: '{day+24}' },
  ],
};
