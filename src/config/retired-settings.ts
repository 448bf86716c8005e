/** Settings that went, each with what takes its place. They are refused: one that is ignored could have been a limit. */
import { own } from '../core/own.ts';

const RETIRED: Readonly<Record<string, string>> = {
  FARECLERK_SEAT_MAP_URL: 'leave it out; the address of the seat map follows from FARECLERK_BASE_URL',
  FARECLERK_TENANT: 'FARECLERK_AUTH_URL with the realm at its end, https://…/realms/NAME',
  FARECLERK_GROUP_MESSAGE: 'leave it out; groups are booked with OTA_AirPriceRQ',
  FARECLERK_PAYMENT_COMPANY: "leave it out; a payment names the company of the booking's own reference",
  FARECLERK_TOOLSETS: 'FARECLERK_TOOLSET=core or FARECLERK_TOOLSET=desk, which has the core too',
  FARECLERK_READ_ONLY: 'FARECLERK_TOOLSET=read',
  FARECLERK_PLANS: 'FARECLERK_TOOLSET=plans',
  FARECLERK_PAYMENT_TYPES: 'leave it out; the terms that a person approves name the way to pay',
  FARECLERK_LOCALE: "leave it out; the airline's texts are shown in English where it sends them in English",
  FARECLERK_KEEP_PERSONAL_DAYS: 'leave it out; a booking stays listed for 30 days after its last departure',
  FARECLERK_DIALOG_FLOOR_MS:
    'leave it out; a dialog answered in under 1.5 s was not shown. In tests: serve --rehearsal',
  FARECLERK_ANSWER_SECONDS: 'leave it out; a call says pending after 30 s. In tests: serve --rehearsal',
  FARECLERK_SETTLE_SECONDS: 'leave it out; a lost answer is settled after 240 s. In tests: serve --rehearsal',
  FARECLERK_WATCH_HOURS: 'leave it out; the last day hourly, the last three days every 12 hours, before that daily',
  FARECLERK_WATCH_REFUND_DAYS: 'leave it out; a refund that is pending for 14 days is reported',
  FARECLERK_CORS_ORIGINS: 'leave it out; a reverse proxy puts the other site and this server under one address',
  FARECLERK_BACKLOG: 'leave it out; up to 4,096 new connections wait',
  FARECLERK_WEBHOOK_CALLERS: 'leave it out; events name nobody, and `fareclerk events` shows who asked',
  FARECLERK_ALLOW_HTTP: 'FARECLERK_PRIVATE_HOSTS, the hosts that may be called by http',
  FARECLERK_WEBHOOK_PRIVATE_HOSTS: 'FARECLERK_PRIVATE_HOSTS',
  FARECLERK_TENANT_CLAIM: 'tenant_claim in the file of FARECLERK_CALLERS_FILE',
  FARECLERK_LOG_PRETTY: 'leave it out; a terminal shows lines for people, a file or a pipe gets JSON',
};

/** What to do instead; undefined for a name that never was a setting. Also for the `_FILE` of a secret. */
export function insteadOf(name: string): string | undefined {
  const setting = name.replace(/_FILE$/, '');
  return [name, setting].map((each) => own(RETIRED, each)).find((text) => text !== undefined);
}
