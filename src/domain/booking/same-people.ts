/**
 * Tells whether the travellers of two bookings are the same people. The journal keeps no personal data, so a booking that was made
 * before is compared by keyed digests, and by what the airline shows of it now. An e-mail address parts nobody: families share one.
 */
import { type Digest, detailText, foldName, isMasked } from '../people/identity-text.ts';
import type { Traveler } from '../people/traveler.ts';
import { namesSent, namesShown } from './name-keys.ts';

/** What tells one traveller from another, as keyed digests. */
export interface PersonSigns {
  /** Of the type and the name. */
  readonly name: string;
  /** Of the same with the birth date, so that nobody finds a birth date by trying all. Absent: no birth date was sent. */
  readonly born?: string | undefined;
  /** Of document numbers. Absent: no document was sent. */
  readonly documents?: readonly string[] | undefined;
}

/** What two travellers have in common. Undefined: one of the two sides does not say. */
interface InCommon {
  readonly isSameName: boolean;
  readonly isSameBirthDate: boolean | undefined;
  readonly isSameDocument: boolean | undefined;
}

/** A traveller who is asked for, beside the one of the earlier booking who may be the same. */
export interface ComparedPerson extends InCommon {
  /** As the call sends them. Absent: only digests are known. */
  readonly asked?: Traveler | undefined;
  /** As the earlier booking shows them now. */
  readonly booked?: Traveler | undefined;
}

/**
 * `unsure`: somebody has the same name and another document, and no birth date parts them. `partly`: some have the same document, and
 * travel with other people; only their pairs are given.
 */
export interface PeopleComparison {
  readonly kind: 'same' | 'unsure' | 'partly' | 'others';
  readonly pairs: readonly ComparedPerson[];
}

/** Travellers who are asked for. `travelers`, if they are known beside their signs, are in the same order. */
interface AskedParty {
  readonly signs: readonly PersonSigns[];
  readonly travelers?: readonly Traveler[] | undefined;
}

/** The travellers of an earlier booking: as they were sent, and as the airline shows them now. */
interface BookedParty {
  readonly signs: readonly PersonSigns[];
  readonly shown?: readonly Traveler[] | undefined;
}

export function personSigns(traveler: Traveler, digest: Digest): PersonSigns {
  const name = `${traveler.type} ${detailText(traveler, 'name')}`;
  const { birthDate } = traveler;
  const numbers = documentNumbers(traveler);

  return {
    name: digest(`name|${name}`),
    born: birthDate === undefined ? undefined : digest(`born|${name}|${birthDate}`),
    documents: numbers.length === 0 ? undefined : numbers.map((number) => digest(`document|${number}`)),
  };
}

/** Leaves only the names: what travellers enter on the details page is compared with no argument of a call. */
export function namesOnly(signs: readonly PersonSigns[]): readonly PersonSigns[] {
  return signs.map(({ name }) => ({ name }));
}

/**
 * Compares the travellers with those of an earlier booking. Undefined if the parties are not alike, and nobody has a document of the
 * other one: in parties that are alike, each traveller has a partner of the same document or name.
 */
export function comparePeople(asked: AskedParty, booked: BookedParty): PeopleComparison | undefined {
  const { signs, travelers = [] } = asked;
  const partners = pairUp(signs, booked.signs, { common: inCommon, isBorn: ({ born }) => born !== undefined });
  const shownPartners = pairUp(travelers, booked.shown ?? [], {
    common: inCommonIfNamedLike,
    isBorn: ({ birthDate }) => birthDate !== undefined,
  });

  const pairs = signs.flatMap((one, i): ComparedPerson | readonly [] => {
    const partner = partners.get(one);
    if (partner === undefined) return [];

    const common = inCommon(one, partner);
    const traveler = travelers[i];
    const shown = traveler && shownPartners.get(traveler);
    if (traveler === undefined || shown === undefined) return { ...common, asked: traveler };

    return { ...inCommonWithShown(common, traveler, shown), asked: traveler, booked: shown };
  });

  // Each has a partner, on both sides.
  const isWhole = pairs.length === signs.length && pairs.length === booked.signs.length;
  if (isWhole && !pairs.some(isOther)) return { kind: pairs.some(isUnsure) ? 'unsure' : 'same', pairs };

  const samePeople = pairs.filter(({ isSameDocument }) => isSameDocument === true);
  if (samePeople.length > 0) return { kind: 'partly', pairs: samePeople };
  return isWhole ? { kind: 'others', pairs } : undefined;
}

/** The same document is the same person. Else another birth date is another person. */
function isOther({ isSameDocument, isSameBirthDate }: InCommon): boolean {
  return isSameDocument !== true && isSameBirthDate === false;
}

export function isUnsure({ isSameDocument, isSameBirthDate }: InCommon): boolean {
  return isSameDocument === false && isSameBirthDate !== false;
}

/** Whether the same person is asked for under another name, or with another birth date. */
export function isNamedOtherwise({ isSameDocument, isSameName, isSameBirthDate }: InCommon): boolean {
  return isSameDocument === true && (!isSameName || isSameBirthDate === false);
}

/** In what partners are alike, the surest first. A child can be on the passport of its parent. */
const WAYS: readonly ((common: InCommon) => boolean)[] = [
  ({ isSameDocument, isSameName }) => isSameDocument === true && isSameName,
  ({ isSameDocument }) => isSameDocument === true,
  ({ isSameName, isSameBirthDate }) => isSameName && isSameBirthDate === true,
  ({ isSameName, isSameBirthDate }) => isSameName && isSameBirthDate !== false,
  ({ isSameName }) => isSameName,
];

/** Gives as many as possible a partner. */
function pairUp<Asked, Booked>(
  asked: readonly Asked[],
  booked: readonly Booked[],
  {
    common,
    isBorn,
  }: { readonly common: (one: Asked, other: Booked) => InCommon; readonly isBorn: (one: Asked) => boolean },
): ReadonlyMap<Asked, Booked> {
  // Who is asked for without a birth date may be anybody of the name, and comes last.
  const inOrder = asked.toSorted((a, b) => Number(isBorn(b)) - Number(isBorn(a)));
  const options = inOrder.map((one) => ({
    one,
    others: booked.map((other) => ({ other, common: common(one, other) })),
  }));

  const free = new Set(booked);
  const partners = new Map<Asked, Booked>();

  for (const isPartner of WAYS) {
    for (const { one, others } of options) {
      if (partners.has(one)) continue;
      const partner = others.find((each) => free.has(each.other) && isPartner(each.common));
      if (partner === undefined) continue;
      partners.set(one, partner.other);
      free.delete(partner.other);
    }
  }

  return partners;
}

function inCommon(one: PersonSigns, other: PersonSigns): InCommon {
  const isSameName = one.name === other.name;
  const areBirthDatesKnown = isSameName && one.born !== undefined && other.born !== undefined;
  return {
    isSameName,
    isSameBirthDate: areBirthDatesKnown ? one.born === other.born : undefined,
    isSameDocument: haveCommon(one.documents, other.documents),
  };
}

/**
 * Compares with what was sent and with what the airline shows now: details are corrected, and a call that is repeated has those of before.
 * Equal to one of the two is the same.
 */
function inCommonWithShown(sent: InCommon, traveler: Traveler, shown: Traveler): InCommon {
  const now = inCommonIfNamedLike(traveler, shown);

  return {
    isSameName: sent.isSameName || isNamedExactly(traveler, shown),
    isSameBirthDate: sent.isSameBirthDate || (now.isSameBirthDate ?? sent.isSameBirthDate),
    isSameDocument: sent.isSameDocument || (now.isSameDocument ?? sent.isSameDocument),
  };
}

/** Compares with what is shown, where another spelling counts as the same name. */
function inCommonIfNamedLike(traveler: Traveler, shown: Traveler): InCommon {
  const isBirthDateShown = traveler.birthDate !== undefined && shown.birthDate !== undefined;
  return {
    isSameName: isNamedLike(traveler, shown),
    isSameBirthDate: isBirthDateShown ? traveler.birthDate === shown.birthDate : undefined,
    isSameDocument: haveCommon(documentNumbers(traveler), documentNumbers(shown)),
  };
}

function isNamedExactly(traveler: Traveler, shown: Traveler): boolean {
  return detailText(traveler, 'name') === detailText(shown, 'name');
}

/** Whether a name that was sent can be the shown one: airlines add titles and exchange fields. */
function isNamedLike(traveler: Traveler, shown: Traveler): boolean {
  return isNamedExactly(traveler, shown) || haveCommon(namesSent([traveler]), namesShown([shown])) === true;
}

/** Folded, without what the airline masks. */
function documentNumbers({ document, otherDocuments = [] }: Traveler): readonly string[] {
  const numbers = [document, ...otherDocuments].flatMap((each) => each?.number ?? []);
  return numbers
    .filter((number) => !isMasked(number))
    .map(foldName)
    .filter((number) => number !== '');
}

/** Undefined if one of the lists is empty or absent. */
function haveCommon(some: readonly string[] = [], others: readonly string[] = []): boolean | undefined {
  if (some.length === 0 || others.length === 0) return undefined;
  return some.some((each) => others.includes(each));
}
