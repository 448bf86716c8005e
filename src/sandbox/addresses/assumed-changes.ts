/**
 * Modifications whose payload interface.md does not show, as field-notes.md assumes them: seats and special services
 * (5), split (7), contact (9), rebooking (20, in the airline dialect 30), passenger information (40).
 */
import * as z from 'zod';
import type { Booking } from '../../domain/booking.ts';
import type { Wire } from '../../ota/messages/parts/reader.ts';
import { readOptions } from '../../ota/messages/parts/segment.ts';
import { airItinerary } from '../../ota/messages/parts/segment-request.ts';
import { readContact, readTravelers } from '../../ota/messages/parts/traveler.ts';
import { contactTraveler, copiedTraveler, namedTraveler } from '../../ota/messages/parts/traveler-request.ts';
import type { Carrier } from '../carrier.ts';
import { addServices } from '../operations/add-services.ts';
import { changeSeats } from '../operations/change-seats.ts';
import { rebook } from '../operations/rebook.ts';
import { splitBooking } from '../operations/split.ts';
import { updateContact } from '../operations/update-contact.ts';
import { updatePassengers } from '../operations/update-passengers.ts';
import type { CarrierBooking } from '../record.ts';

type Change = (carrier: Carrier, booking: CarrierBooking) => Booking;

export interface AssumedChange {
  /** Checks `airBookModifyRQ` strictly. Throws ZodError. */
  read(airBookModifyRQ: Wire): Change;
}

const modificationType = z.string();
const pointers = z.array(z.string().min(1)).min(1);
const linked = { flightRefNumberRPHList: pointers, travelerRefNumberRPHList: pointers };

const seatRequests = z.strictObject({
  seatRequest: z.array(z.strictObject({ ...linked, seatNumber: z.string().min(1) })).min(1),
});

const serviceRequests = z.strictObject({
  specialServiceRequest: z
    .array(
      z.strictObject({
        ...linked,
        ssrCode: z.string().regex(/^[A-Z]{4}$/),
        serviceQuantity: z.int().positive(),
        status: z.literal('11'),
        text: z.string().optional(),
      }),
    )
    .min(1),
});

const special = z.strictObject({
  modificationType,
  travelerInfo: z.strictObject({
    specialReqDetails: z.tuple([
      z.union([z.strictObject({ seatRequests }), z.strictObject({ specialServiceRequests: serviceRequests })]),
    ]),
  }),
});

const people = (traveler: z.ZodType) =>
  z.strictObject({ modificationType, travelerInfo: z.strictObject({ airTraveler: z.array(traveler).min(1) }) });

const contact = z.strictObject({
  modificationType,
  travelerInfo: z.strictObject({ airTraveler: z.tuple([contactTraveler]) }),
});
const passengers = people(namedTraveler);
const leaving = people(copiedTraveler);
const itinerary = z.strictObject({ modificationType, airItinerary });

const seatsOrServices: AssumedChange = {
  read: (wire) => {
    const [details] = special.parse(wire).travelerInfo.specialReqDetails;
    if ('seatRequests' in details) {
      const wishes = details.seatRequests.seatRequest.map((it) => ({
        segmentRefs: it.flightRefNumberRPHList,
        travelerRefs: it.travelerRefNumberRPHList,
        seat: it.seatNumber,
      }));
      return (carrier, booking) => changeSeats(carrier, booking, wishes);
    }
    const services = details.specialServiceRequests.specialServiceRequest.map(({ ssrCode, text, ...it }) => ({
      code: ssrCode,
      ...(text === undefined ? {} : { text }),
      segmentRefs: it.flightRefNumberRPHList,
      travelerRefs: it.travelerRefNumberRPHList,
    }));
    return (carrier, booking) => addServices(carrier, booking, services);
  },
};

const newSegment: AssumedChange = {
  read: (wire) => {
    const options = readOptions(itinerary.parse(wire).airItinerary);
    return (carrier, booking) => rebook(carrier, booking, options);
  },
};

export const ASSUMED_CHANGES: Readonly<Record<string, AssumedChange>> = {
  '5': seatsOrServices,
  '7': {
    read: (wire) => {
      const { travelers } = readTravelers(leaving.parse(wire).travelerInfo.airTraveler);
      return (carrier, booking) => splitBooking(carrier, booking, travelers);
    },
  },
  '9': {
    read: (wire) => {
      const [person] = contact.parse(wire).travelerInfo.airTraveler;
      return (carrier, booking) => updateContact(carrier, booking, readContact(person));
    },
  },
  '20': newSegment,
  '30': newSegment,
  '40': {
    read: (wire) => {
      const { travelers } = readTravelers(passengers.parse(wire).travelerInfo.airTraveler);
      return (carrier, booking) => updatePassengers(carrier, booking, travelers);
    },
  },
};
