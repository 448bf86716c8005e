/** Checks the addresses that get events: where their names lead, and whether something answers there. Sends no event. */
import { lookup } from 'node:dns/promises';
import type { Config } from '../../config/load.ts';
import { reachOf } from '../../events/networks.ts';
import { hostOf } from '../../events/send.ts';
import { type Check, type CheckOutcome, mild } from './check.ts';
import type { DoctorOptions } from './examination.ts';
import { finding } from './findings.ts';
import { checkAddress } from './network.ts';

export function webhookChecks({ webhooks }: Config, options: DoctorOptions): readonly Check[] {
  if (webhooks === undefined) return [];
  const { addresses, privateHosts } = webhooks;
  return addresses.map((address, i) => ({
    id: addresses.length === 1 ? 'webhook' : `webhook.${i + 1}`,
    title: 'events',
    run: () => checkWebhook(new URL(address), privateHosts, options),
  }));
}

async function checkWebhook(url: URL, privateHosts: readonly string[], options: DoctorOptions): Promise<CheckOutcome> {
  const host = hostOf(url);
  const found = await lookup(host, { all: true }).catch(() => []);
  const refused = found.find(({ address }) => {
    const reach = reachOf(address);
    return reach === 'never' || (reach === 'private' && !privateHosts.includes(host));
  });
  if (refused !== undefined) {
    const what = reachOf(refused.address) === 'never' ? 'webhook_never' : 'webhook_private';
    return finding(what, { host, ip: refused.address });
  }
  return mild(await checkAddress({ url, settings: ['FARECLERK_WEBHOOKS'] }, options));
}
