/** An issuer of tokens that goes away, comes back and changes its key. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const SCOPE = 'air:read air:book air:pay air:refund air:names';

export async function startRotatingIssuer() {
  let keys = 0;
  const newKey = async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const header = { alg: 'ES256', kid: `key-${++keys}`, typ: 'at+jwt' };
    return { header, privateKey, jwk: { ...(await exportJWK(publicKey)), ...header, use: 'sig' } };
  };
  let key = await newKey();
  const server = createServer(({ url }, response) => {
    const metadata = { issuer, jwks_uri: `${issuer}/keys` };
    response.setHeader('content-type', 'application/json');
    if (url === '/keys') response.end(JSON.stringify({ keys: [key.jwk] }));
    else if (url === '/.well-known/openid-configuration') response.end(JSON.stringify(metadata));
    else response.writeHead(404).end();
  });
  const listen = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    /** An access token of a client by name, for `resource`. @throws if the issuer is away */
    async token(client: string, resource: string): Promise<string> {
      if (!server.listening) throw new Error('the issuer is away');
      const jwt = new SignJWT({ scope: SCOPE, client_id: client }).setProtectedHeader(key.header).setIssuer(issuer);
      return jwt.setSubject(client).setAudience(resource).setIssuedAt().setExpirationTime('10m').sign(key.privateKey);
    },
    /** Signs with a new key from now on; the old key is withdrawn. */
    async rotate() {
      key = await newKey();
    },
    /** No connection is accepted and none is kept. */
    async goAway() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    comeBack: () => listen(port),
  };
}
