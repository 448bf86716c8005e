/** People as requests carry them (docs/wire/interface.md, Traveller; docs/wire/notes.md, Shapes sent). */
import * as z from 'zod';
import type { Document, Name, Person, Traveler } from '../record.ts';
import { given } from '../wire.ts';
import { pointer } from './segment.ts';

/** Copies of a reading can hold `[null]` (docs/wire/notes.md, Tolerated in replies). */
const texts = z.array(z.string().nullable()).optional();

const personName = z.object({
  namePrefix: texts,
  givenName: z.array(z.string().min(1)).min(1),
  middleName: texts,
  surname: z.string().min(1),
  nameSuffix: texts,
  nameTitle: texts,
});

const shared = {
  telephone: z
    .array(
      z.object({
        countryAccessCode: z.string().optional(),
        phoneNumber: z.string().optional(),
        phoneTechType: z.string().optional(),
      }),
    )
    .optional(),
  email: z.array(z.object({ value: z.string().min(1), defaultInd: z.boolean().optional() })).optional(),
  address: z
    .array(
      z.object({
        cityName: z.string().optional(),
        countryName: z.object({ code: z.string().optional(), value: z.string().optional() }).optional(),
      }),
    )
    .optional(),
  document: z
    .array(
      z.object({
        docID: z.string().optional(),
        docType: z.string().optional(),
        docHolderNationality: z.string().optional(),
        expireDate: z.iso.date().optional(),
        birthDate: z.iso.date().optional(),
      }),
    )
    .optional(),
  gender: z.enum(['Male', 'Female', 'Unknown']).optional(),
  comment: z.array(z.object({ name: z.string().optional(), value: z.string().optional() })).optional(),
  custLoyalty: z.array(z.unknown()).optional(),
  socialMediaInfo: z.array(z.unknown()).optional(),
  accompaniedByInfantInd: z.boolean().optional(),
};

export const contactTraveler = z.object({
  ...shared,
  personName,
  travelerRefNumber: z.object({ rph: pointer }).optional(),
  passengerTypeCode: z.literal('CTC'),
});

const serviceRequest = z.object({
  ssrCode: z.string().regex(/^[A-Z]{4}$/),
  serviceQuantity: z.int().positive(),
  status: z.literal('Requested'),
  text: z.string().optional(),
});

export const passenger = z.object({
  ...shared,
  personName,
  travelerRefNumber: z.object({ rph: pointer }),
  flightSegmentRPHs: z.object({ flightSegmentRPH: z.array(pointer).min(1) }).optional(),
  passengerTypeCode: z.enum(['ADT', 'CHD', 'INF']),
  specialServiceRequests: z.array(serviceRequest).optional(),
});

/** The contact may stand anywhere among the passengers. */
export const people = z.array(z.discriminatedUnion('passengerTypeCode', [contactTraveler, passenger])).min(1);

/** A traveller of a booking that exists: what identifies it is checked, the rest is a copy of the reading. */
export const copiedPeople = z
  .array(
    z.looseObject({
      passengerTypeCode: z.string().min(1),
      travelerRefNumber: z.looseObject({ rph: pointer }).optional(),
    }),
  )
  .min(1);

type SentContact = z.output<typeof contactTraveler>;
type SentPassenger = z.output<typeof passenger>;
type SentName = z.output<typeof personName>;

const present = (values: readonly (string | null)[] | undefined): string[] =>
  (values ?? []).filter((value) => value !== null);

function nameOf(sent: SentName): Name {
  return {
    prefix: present(sent.namePrefix),
    given: sent.givenName,
    middle: present(sent.middleName),
    surname: sent.surname,
    suffix: present(sent.nameSuffix),
  };
}

/** One document may be split over several items of the list. */
function documentOf(items: SentPassenger['document']): { document?: Document; birthDate?: string } {
  let document: Document = {};
  let birthDate: string | undefined;
  for (const item of items ?? []) {
    const { docID: number, docType: type, docHolderNationality: nationality, expireDate: expires } = item;
    document = { ...given({ number, type, nationality, expires }), ...document };
    birthDate ??= item.birthDate;
  }
  return given({ document: Object.keys(document).length === 0 ? undefined : document, birthDate });
}

const ATTENDANT = 'attendantRph';

export function personOf(sent: SentContact | SentPassenger): Person {
  return given({
    name: nameOf(sent.personName),
    gender: sent.gender,
    ...documentOf(sent.document),
    emails: (sent.email ?? []).map((it) => it.value),
    phones: (sent.telephone ?? []).map(({ countryAccessCode, phoneNumber, phoneTechType }) =>
      given({ country: countryAccessCode, number: phoneNumber, technology: phoneTechType }),
    ),
    addresses: (sent.address ?? []).map(({ cityName, countryName }) =>
      given({ city: cityName, countryCode: countryName?.code, countryName: countryName?.value }),
    ),
    comments: (sent.comment ?? []).filter((it) => it.name !== ATTENDANT).map((it) => given(it)),
  });
}

export function travelerOf(sent: SentPassenger): Traveler {
  const attendantRef = sent.comment?.find((it) => it.name === ATTENDANT)?.value;
  return {
    ...personOf(sent),
    ref: sent.travelerRefNumber.rph,
    type: sent.passengerTypeCode,
    segmentRefs: sent.flightSegmentRPHs?.flightSegmentRPH ?? [],
    ...(attendantRef !== undefined && { attendantRef }),
  };
}

export function splitPeople(sent: z.output<typeof people>): {
  readonly contacts: readonly SentContact[];
  readonly passengers: readonly SentPassenger[];
} {
  return {
    contacts: sent.filter((it) => it.passengerTypeCode === 'CTC'),
    passengers: sent.filter((it) => it.passengerTypeCode !== 'CTC'),
  };
}
