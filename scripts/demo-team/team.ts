/** The team server of `npm run demo:team`, and an assistant that books there and asks to pay, so that a person has something to decide. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { newFolder } from '../../test/campaigns/support/folders.ts';
import { startCluster } from '../../test/campaigns/support/postgres.ts';
import { ended, sandboxProcess, startMember } from '../../test/campaigns/support/stage.ts';
import { hold, pairOf } from '../../test/campaigns/support/trip.ts';
import { APPROVER_ROLE, DESK_ROLE, PAGE, startOpenId, tokenOf } from '../../test/http/support/openid.ts';
import { type Called, type McpCaller, mcpCaller } from '../../test/support/mcp-http.ts';

const PAYMENT = { payment: { type: 'invoice' } };
/** Then there is another question. */
const LAPSED = ['E_APPROVAL_EXPIRED', 'E_APPROVAL_STALE'];
const ASK_AGAIN_MS = 1_000;
/** Nothing here is lost with a call that is cut off. */
const PATIENCE_MS = 2_000;
const GOES_ON = 'The servers go on. Press Ctrl-C to end them.';

const secret = () => randomBytes(9).toString('base64url');
const person = (login: string, does: string, ...roles: string[]) => ({
  ...{ login, does, roles, password: secret() },
  name: `The ${login}`,
});
const AGENT = person('agent', 'books and asks');
const APPROVER = person('approver', 'says yes for others', APPROVER_ROLE);
const SUPERVISOR = person('supervisor', 'sees the whole desk', DESK_ROLE);
const PEOPLE = [AGENT, APPROVER, SUPERVISOR];

const ends: (() => unknown)[] = [];

process.once('disconnect', () => void end());
// Its only notices are that it is meant for development, as this is.
console.warn = () => undefined;
try {
  await decide(await startTeam());
} catch (error) {
  console.error(String(error));
  await end();
}

async function startTeam() {
  console.log('Starting an identity provider, PostgreSQL, the sandbox airline and two instances …');
  const door = createServer();
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const publicUrl = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  const password = secret();
  const cluster = await startCluster({ password });
  ends.push(() => cluster.close());
  const pageSecret = secret();
  const pageRedirect = `${publicUrl}/approve/signed-in`;
  const takes = { registrations: true };
  const openId = await startOpenId(`${publicUrl}/mcp`, { people: PEOPLE, pageRedirect, pageSecret, takes });
  ends.push(() => openId.close());
  const sandbox = await sandboxProcess(`${newFolder('airline')}/airline.sqlite`);
  ends.push(() => sandbox.close());
  const settings = {
    ...sandbox.settings,
    FARECLERK_APPROVAL: 'auto',
    FARECLERK_DATABASE_URL: await cluster.database('team'),
    FARECLERK_ISSUER: openId.issuer,
    FARECLERK_PUBLIC_URL: publicUrl,
    FARECLERK_PAGE_CLIENT_ID: PAGE.clientId,
    FARECLERK_PAGE_CLIENT_SECRET: pageSecret,
    FARECLERK_APPROVER_ROLE: APPROVER_ROLE,
    FARECLERK_DESK_ROLE: DESK_ROLE,
    // Every payment needs a second person.
    FARECLERK_FOUR_EYES_ABOVE: '0.01',
  };
  const members = await Promise.all([startMember(settings), startMember(settings)]);
  const ports = members.map(({ port }) => port);
  // Connections go to the instances in turn, as a load balancer sends them.
  let connections = 0;
  door.on('connection', (caller) => {
    const instance = connect(ports[connections++ % ports.length] ?? 0, '127.0.0.1');
    for (const [one, other] of [
      [caller, instance],
      [instance, caller],
    ] as const)
      one.on('error', () => other.destroy()).pipe(other);
  });
  ends.push(() => Promise.all(members.map(({ process: member }) => ended(member, PATIENCE_MS))));
  ends.push(() => door.close());
  const who = PEOPLE.map(({ login, does, password: theirs }) => `  ${login.padEnd(12)}${theirs}   ${does}`);
  console.log(`
A team server with the sandbox airline: nothing is real. Everything listens on this machine alone.

  MCP             ${publicUrl}/mcp   (instances: ports ${ports.join(' and ')})
  approval page   ${publicUrl}/approve/
  sign-in         ${openId.issuer}

${who.join('\n')}

Connect a host of this machine, and sign in as one of them:
  claude mcp add --transport http fareclerk-team ${publicUrl}/mcp
`);
  const callerOf = async ({ login, password: theirs }: typeof AGENT) =>
    mcpCaller(`${publicUrl}/mcp`, await tokenOf(openId, login, `${publicUrl}/mcp`, theirs));
  return { agent: await callerOf(AGENT), supervisor: await callerOf(SUPERVISOR) };
}

async function decide({ agent, supervisor }: { readonly agent: McpCaller; readonly supervisor: McpCaller }) {
  const locator = await hold(agent, await pairOf(agent));
  if (locator === undefined) throw new Error('the sandbox airline sold nothing');
  console.log(`The agent's assistant holds booking ${locator} and asks to pay for it. Another person must approve.`);
  let asked = await agent.call('pay_booking', { locator, ...PAYMENT });
  while (asked.structured.approval?.url !== undefined) {
    const { id, url } = asked.structured.approval;
    console.log(`Open this address, sign in as ${APPROVER.login}, and decide:\n\n  ${url}\n\nWaiting …`);
    const answer = await answered(agent, { locator, ...PAYMENT, approval_id: id });
    if (answer.outcome === 'done') return await tell(supervisor, locator);
    console.log(`Not paid. ${firstLine(answer)}`);
    if (!LAPSED.includes(answer.outcome)) return console.log(GOES_ON);
    asked = await agent.call('pay_booking', { locator, ...PAYMENT });
  }
  console.log(`The assistant cannot ask. ${firstLine(asked)}\n${GOES_ON}`);
}

const firstLine = ({ text, outcome }: Called): string => text.split('\n')[0] || outcome;

/** Asks for the outcome until there is one. A call without an answer proves nothing. */
async function answered(agent: McpCaller, args: object): Promise<Called> {
  for (;;) {
    await wait(ASK_AGAIN_MS);
    const seen = await agent.call('pay_booking', args);
    if (!/^(?:approval_required|pending|http \d+)$/.test(seen.outcome)) return seen;
  }
}

async function tell(supervisor: McpCaller, locator: string): Promise<void> {
  const { structured } = await supervisor.call('list_bookings');
  const row = structured.bookings?.find((booking: { locator: string }) => booking.locator === locator);
  console.log(
    `Paid. The list of the supervisor has booking ${locator}: ${row?.state}, made by ${row?.made_by}.\n${GOES_ON}`,
  );
}

/** Ends everything, in the order in which it depends on each other; whatever is left of this group ends with it. */
async function end(): Promise<void> {
  for (const one of ends.toReversed()) await Promise.resolve(one()).catch(() => undefined);
  rmSync(tmpdir(), { recursive: true, force: true, maxRetries: 5 });
  process.kill(-process.pid, 'SIGKILL');
}
