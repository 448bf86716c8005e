/** The clients of the guide for engineers, as they are written there, against the program and its sandbox airline. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONTACT, newPassenger } from '../support/people.ts';
import { BIN } from './clients.ts';
import { inDays } from './trip.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const GUIDE = readFileSync(join(ROOT, 'docs/guides/engineers.md'), 'utf8');
const CLIENTS = [...GUIDE.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code = '']) => {
  const [, sdk = ''] = /npm install (\S+)/.exec(code) ?? [];
  return [sdk, code] as const;
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fareclerk-client-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The person of this test answers at once. */
const REHEARSED = "'serve', '--rehearsal', '60'";

/** Calls a tool with the client of the guide; `chosen` is what the person types when asked: "… no or Pay SAR 160.25? ". */
async function called(tool: string, args: object, chosen: (act: string) => string = () => ''): Promise<string> {
  const { PATH } = process.env;
  const env = {
    ...{ PATH, HOME: folder, FARECLERK_STATE_DIR: join(folder, 'state'), FARECLERK_LOG_LEVEL: 'error' },
  };
  const child = spawn(process.execPath, [join(folder, 'client.mjs'), tool, JSON.stringify(args)], { env });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  let asked = '';
  child.stderr.on('data', (chunk) => {
    asked += chunk;
    const [, act] = /^no or (.+)\? $/m.exec(asked) ?? [];
    if (act !== undefined) child.stdin.write(`${chosen(act)}\n`);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code, asked).toBe(0);
  return printed;
}

it('the guide has a client for two SDKs, each at most twenty lines long', () => {
  expect(CLIENTS.map(([sdk]) => sdk)).toEqual(['@modelcontextprotocol/client', '@modelcontextprotocol/sdk']);
  for (const [, code] of CLIENTS) expect(code.match(/^.*\S.*$/gm)?.length).toBeLessThanOrEqual(20);
});

describe.each(CLIENTS)('the client with %s', (_, code) => {
  it('searches, holds, asks the person, sends nothing after a no, and pays after a yes', async () => {
    writeFileSync(
      join(folder, 'client.mjs'),
      code.replace("/path/to/fareclerk/bin/fareclerk.js', 'serve'", `${BIN}', ${REHEARSED}`),
    );
    const legs = [{ from: 'QCA', to: 'XMD', date: inDays(20) }];
    const fares = await called('search_fares', { legs, passengers: { adults: 1 } });
    const [offer] = /^o\w+(?= )/m.exec(fares) ?? [];
    const passengers = [newPassenger()];
    const hold = await called('create_booking', { offer_ids: [offer], contact: CONTACT, passengers });
    expect(hold).toContain('is held until');
    const [, locator] = /Booking (\w{6}) /.exec(hold) ?? [];
    const payment = { locator, payment: { type: 'invoice' } };
    expect(await called('pay_booking', payment, () => 'no')).toContain('The person said no. Nothing was sent.');
    expect(await called('pay_booking', payment, (act) => act)).toContain('Paid SAR');
  });
});
