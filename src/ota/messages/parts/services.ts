/**
 * Special services and remarks (`specialReqDetails[]`), and electronic miscellaneous documents (`emdinfo[]`).
 */
import type { Emd, SpecialService } from '../../../domain/booking/booking.ts';
import { defined, isRecord, list, pointers, record, records, text, unlessEmpty, type Wire } from './reader.ts';

function readService(wire: Wire): SpecialService {
  return defined({
    code: text(wire.ssrcode) ?? text(wire.ssrCode),
    text: text(wire.text),
    status: text(wire.status),
    travelerRefs: pointers(wire.travelerRefNumberRPHList),
    segmentRefs: pointers(wire.flightRefNumberRPHList),
  });
}

export function readServices(specialReqDetails: unknown): SpecialService[] {
  return records(specialReqDetails).flatMap((details) => {
    const requests = details.specialServiceRequests;
    return records(isRecord(requests) ? requests.specialServiceRequest : requests).map(readService);
  });
}

/** `specialRemarks.specialRemark[]`, which stands beside the services. */
export function readRemarks(specialReqDetails: unknown): readonly string[] | undefined {
  const remarks = records(specialReqDetails).flatMap(({ specialRemarks }) =>
    list(isRecord(specialRemarks) ? specialRemarks.specialRemark : specialRemarks).flatMap(
      (one) => text(record(one).text) ?? text(one) ?? [],
    ),
  );
  return unlessEmpty(remarks);
}

/** docs/wire/interface.md names `emdinfo[]` and none of its fields: the OpenTravel 2015 names of an EMD are read. */
export function readEmds(emdinfo: unknown): Emd[] {
  return records(emdinfo).map((wire) => {
    const ticket = record(wire.ticketDocument);
    return defined({
      number: text(wire.ticketDocumentNbr) ?? text(ticket.ticketDocumentNbr) ?? text(wire.number),
      type: text(wire.emdType) ?? text(wire.type) ?? text(ticket.type),
      text: text(wire.description) ?? text(wire.remark) ?? text(wire.text),
    });
  });
}
