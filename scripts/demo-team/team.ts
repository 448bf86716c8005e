/** The team server of `npm run demo:team`. Its argument is the address for other machines of the network, with `--public`. */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newFolder } from '../../test/campaigns/support/folders.ts';
import { startCluster } from '../../test/campaigns/support/postgres.ts';
import { ended, startMember } from '../../test/campaigns/support/stage.ts';
import { APPROVER_ROLE, DESK_ROLE, PAGE, startOpenId, tokenOf } from '../../test/http/support/openid.ts';
import { mcpCaller } from '../../test/support/mcp-http.ts';
import { openLocalDoor, openNetworkDoors } from './doors.ts';
import { ANN, CARA, type DemoPerson, newPassword, PEOPLE } from './people.ts';
import { playSteps, type Team } from './steps.ts';

/** Nothing here is lost with a call that is cut off. */
const PATIENCE_MS = 2_000;
const CLIENT = { name: 'the demo’s assistant', version: '1' };

const ends: (() => unknown)[] = [];

process.once('disconnect', () => void end());
// Its only notices are that it is meant for development, as this is.
console.warn = () => undefined;
try {
  await playSteps(await startTeam(process.argv[2]));
} catch (error) {
  console.error(String(error));
  await end();
}

async function startTeam(networkHost: string | undefined): Promise<Team> {
  console.log('Starting an identity provider, PostgreSQL, the sandbox airline and two instances …');
  const door = await openLocalDoor();
  const publicUrl = door.origin;
  const cluster = await startCluster({ password: newPassword() });
  ends.push(() => cluster.close());
  const pageSecret = newPassword();
  const pageRedirect = `${publicUrl}/approve/signed-in`;
  const takes = { registrations: true };
  const openId = await startOpenId(`${publicUrl}/mcp`, { people: PEOPLE, pageRedirect, pageSecret, takes });
  ends.push(() => openId.close());
  // Both instances have the sandbox airline inside, with the same books.
  const state = newFolder('state');
  const settings = {
    FARECLERK_STATE_DIR: state,
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
  door.serve(ports);
  ends.push(() => Promise.all(members.map(({ process: member }) => ended(member, PATIENCE_MS))));
  ends.push(() => door.close());
  const network = networkHost === undefined ? undefined : await openNetworkDoors(networkHost, publicUrl, openId.issuer);
  ends.push(() => network?.close());
  const shown = network?.shown ?? ((address: string) => address);
  const inbox = shown(`${publicUrl}/approve/`);
  const who = PEOPLE.map(({ login, does, password }) => `  ${login.padEnd(9)}${password}   ${does}`);
  const reach =
    network === undefined
      ? 'Everything listens on this machine alone; `npm run demo:team -- --public` lets a phone try it.'
      : `Warning: anyone on this network can open it and may sign in as anyone of the demo, because plain http hides no
password. Nothing is real. On a phone in the same network open ${inbox}`;
  console.log(`
Sandbox: a team server with the sandbox airline. Nothing is real, and nothing is kept.
${reach}

  questions       ${inbox}
  sign-in         ${shown(openId.issuer)}
  MCP             ${publicUrl}/mcp   (instances: ports ${ports.join(' and ')})

${who.join('\n')}

Connect a host of this machine, and sign in as one of them:
  claude mcp add --transport http fareclerk-team ${publicUrl}/mcp`);
  const callerOf = async ({ login, password }: DemoPerson) => {
    const token = await tokenOf(openId, login, `${publicUrl}/mcp`, password);
    return mcpCaller(`${publicUrl}/mcp`, token, undefined, CLIENT);
  };
  const airlineFile = join(state, 'sandbox', 'airline.sqlite');
  return { ann: await callerOf(ANN), cara: await callerOf(CARA), airlineFile, inbox, shown };
}

/** Ends everything, in the order in which it depends on each other; whatever is left of this group ends with it. */
async function end(): Promise<void> {
  for (const one of ends.toReversed()) await Promise.resolve(one()).catch(() => undefined);
  rmSync(tmpdir(), { recursive: true, force: true, maxRetries: 5 });
  process.kill(-process.pid, 'SIGKILL');
}
