/** What each status code of a segment means, and its word: written by hand, from docs/wire/notes.md, Segment status codes. */
type Meaning = 'confirmed' | 'moved' | 'waiting' | 'lost' | 'flown' | 'no_show' | 'unknown';

const of = (meaning: Meaning, word: string, codes: string) => codes.split(' ').map((code) => ({ code, meaning, word }));

export const SEGMENT_CODES = [
  ...of('confirmed', 'confirmed', '30 HK KK KL RR SS HS FS LK'),
  ...of('moved', 'schedule change', '51 TK'),
  ...of('waiting', 'merely offered', '34'),
  ...of('waiting', 'waitlisted', '46 HL LL UU US'),
  ...of('waiting', 'waitlisted, schedule change', 'TL'),
  ...of('waiting', 'requested', 'HN NN PN'),
  ...of('waiting', 'requested, schedule change', 'TN'),
  ...of('lost', 'cancelled', '16 XX'),
  ...of('lost', 'have cancelled', '31 HX'),
  ...of('lost', 'unable', 'UN'),
  ...of('lost', 'unable, waitlist closed', 'UC'),
  ...of('lost', 'no action', 'NO'),
  ...of('lost', 'was confirmed', 'WK'),
  ...of('lost', 'was waitlisted', 'WL'),
  ...of('lost', 'was requested', 'WN'),
  ...of('flown', 'flown', '80'),
  ...of('no_show', 'no-show', '83'),
];

export const WITH_UNKNOWN = [...SEGMENT_CODES, ...of('unknown', 'unknown (ZZ)', 'ZZ')];
