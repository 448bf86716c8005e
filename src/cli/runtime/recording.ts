/** Records calls and replies in FARECLERK_RECORD_FILE. */
import { keyedDigest } from '../../approvals/digest.ts';
import type { AirlineConfig } from '../../config/load.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { recordingTransport } from '../../ota/recording/recorder.ts';
import type { Transport } from '../../ota/transport/http.ts';
import { VERSION } from '../../version.ts';

/** @param digestKey the state's: all its processes use the same pseudonym for a person */
export function recorded(
  transport: Transport,
  file: string,
  airline: AirlineConfig,
  digestKey: Uint8Array,
  onLost: () => void,
): Transport {
  const { apiKey, login } = airline;
  const secrets = [apiKey?.reveal(), login?.clientSecret.reveal(), login?.password.reveal(), login?.username];
  return recordingTransport(transport, {
    file,
    addresses: omitUndefined({
      base_url: airline.baseUrl,
      seat_map_url: airline.seatMapUrl,
      auth_url: login?.authUrl,
      gateway_url: airline.gatewayUrl,
      rest_url: airline.restUrl,
    }),
    key: Buffer.from(keyedDigest(digestKey, 'pseudonyms of recordings')),
    secrets: secrets.filter((secret) => secret !== undefined),
    version: VERSION,
    settings: omitUndefined({
      FARECLERK_CREDENTIALS: airline.credentials,
      FARECLERK_CURRENCY: airline.currency,
      FARECLERK_COUNTRY: airline.country,
      FARECLERK_CARRIER: airline.carrier,
      FARECLERK_GROUP_MESSAGE: airline.groupMessage,
      FARECLERK_ADDRESS_FORM: airline.addressForm,
      FARECLERK_DIALECT: airline.dialect,
      FARECLERK_SEND_FARE: String(airline.sendFare),
      FARECLERK_PAYMENT_AMOUNT: airline.payment.amount,
    }),
    onLost,
  });
}
