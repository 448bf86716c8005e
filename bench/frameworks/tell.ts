/** Says how long it took to be there, and where. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export function tell(server: Server): void {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ port, ms: performance.now() })}\n`);
}
