import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inTurn, json } from './support/answers.ts';
import { hearing } from './support/asked.ts';
import { at, failureOf, serve } from './support/harness.ts';
import type { OtaOptions, TicketDocumentQuery } from './support/port.ts';
import { type Answer, reply, type WireServer } from './support/wire-server.ts';

const PDF = '%PDF-1.4\n(JO BERG)\n%%EOF\n';
const QUERY: TicketDocumentQuery = {
  locator: 'K7PL2M',
  references: ['K7PL2M', '900000000000005'],
  number: '2201234500017',
  coupon: '2',
  links: [],
};

const file =
  (body: string, type = 'application/pdf', status = 200): Answer =>
  (_, socket) =>
    socket.write(reply(status, body, { 'content-type': type }));

const desk = (server: WireServer, options: Partial<OtaOptions> = {}) =>
  at(server.origin, { restUrl: `${server.origin}/rest`, ...options });

const linkTo = (server: WireServer, locator = 'K7PL2M') =>
  `${server.origin}/rest/tickets/confirmation/${locator}/download/passenger-segment?firstName=JO&lastName=BERG`;

describe('a ticket document', () => {
  it('is asked for by ticket and coupon number, with our credentials, as a PDF', async () => {
    const server = await serve(file(PDF));
    const bytes = await desk(server).ticketDocument(QUERY);
    expect(Buffer.from(bytes).toString()).toBe(PDF);
    const [request] = server.received;
    expect(request).toMatchObject({
      method: 'GET',
      path: '/rest/tickets/confirmation/K7PL2M/download/passenger-segment?ticketNumber=2201234500017&couponNumber=2',
    });
    expect(request?.headers['x-api-key']).toBe('key-1');
    expect(request?.headers.accept).toContain('application/pdf');
  });

  it('is asked for by the airline’s own link where the airline does not know the numbers', async () => {
    const server = await serve(inTurn(json(404, { status: 404, code: '97', title: 'unknown' }), file(PDF)));
    const links = ['https://evil.example/x', linkTo(server, 'OTHER1'), linkTo(server, '900000000000005')];
    await desk(server).ticketDocument({ ...QUERY, links });
    expect(server.received.map(({ path }) => path.split('?')[0])).toEqual([
      '/rest/tickets/confirmation/K7PL2M/download/passenger-segment',
      '/rest/tickets/confirmation/900000000000005/download/passenger-segment',
    ]);
  });

  it('is asked for by the link alone if there is no coupon number', async () => {
    const server = await serve(file(PDF));
    const { coupon: _, ...bare } = QUERY;
    await desk(server).ticketDocument({ ...bare, links: [linkTo(server)] });
    expect(server.received[0]?.path).toContain('firstName=JO');
    expect(await failureOf(desk(server).ticketDocument(bare))).toMatchObject({
      code: 'E_NOT_FOUND',
      message: 'The airline gives no address for it. Nothing was fetched.',
      what: 'The airline gives no address for it.',
    });
    const strange = await failureOf(desk(server).ticketDocument({ ...bare, links: ['https://evil.example/x'] }));
    expect(strange.message).toBe("The airline's link leads outside its own address. Nothing was fetched.");
    expect(server.received).toHaveLength(1);
  });

  const packed = (bytes: Buffer) =>
    json(200, gzipSync(bytes), { 'content-type': 'application/pdf', 'content-encoding': 'gzip' });

  it('keeps its bytes as they are, packed or not', async () => {
    const body = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from([0, 255, 254, 128, 10, 13])]);
    const server = await serve(packed(body));
    expect(Buffer.from(await desk(server).ticketDocument(QUERY))).toEqual(body);
  });

  it.each([
    ['no type', PDF, {}, /content-type: .*\r\n/],
    ['an empty type', PDF, {}, /(?<=content-type:).*(?=\r\n)/],
    ['a coding that is none', `${PDF}\xff`, { 'content-type': 'application/pdf', 'content-encoding': 'none' }, /(?!)/],
  ])('is known by its first bytes where the airline sends %s', async (_, body, headers, dropped) => {
    const bytes = reply(200, Buffer.from(body, 'latin1'), headers).toString('latin1').replace(dropped, '');
    const server = await serve((_request, socket) => socket.write(Buffer.from(bytes, 'latin1')));
    const file = await desk(server).ticketDocument(QUERY);
    expect(Buffer.from(file).toString('latin1')).toBe(body);
  });

  /** More than the five megabytes that are read. */
  const huge = `%PDF-1.4\n${' '.repeat(5 << 20)}`;
  it.each<[string, Answer, string, RegExp]>([
    ['another type', file(PDF, 'application/octet-stream'), 'E_AIRLINE_REPLY', /not a PDF/],
    ['an HTML page', file('<html></html>', 'text/html'), 'E_AIRLINE_REPLY', /not a PDF/],
    ['an HTML page that says it is a PDF', file('<html></html>'), 'E_AIRLINE_REPLY', /not a PDF/],
    ['a PDF after other bytes', file(`x${PDF}`), 'E_AIRLINE_REPLY', /not a PDF/],
    ['nothing', file(''), 'E_AIRLINE_REPLY', /not a PDF/],
    ['more bytes than a ticket has', file(huge), 'E_AIRLINE_REPLY', /larger than is read/],
    ['a packed file that unpacks to more', packed(Buffer.from(huge)), 'E_AIRLINE_REPLY', /larger than is read/],
    ['an error in a good status', json(200, { status: 404, code: '97', title: 'unknown' }), 'E_NOT_FOUND', /./],
    ['a page for a missing file', file('<html></html>', 'text/html', 404), 'E_AIRLINE_REPLY', /HTTP 404/],
    ['a failure', file('', 'text/html', 500), 'E_AIRLINE_DOWN', /HTTP 500/],
    ['a refused key', json(401, { status: 401, code: '175' }), 'E_AUTH', /./],
  ])('is refused if the airline sends %s', async (_, answer, code, message) => {
    const server = await serve(answer);
    const error = await failureOf(desk(server).ticketDocument(QUERY));
    expect(error).toMatchObject({ code, effect: 'none' });
    expect(error.message).toMatch(message);
    expect(server.received.length).toBeLessThan(3);
  });

  it('follows no redirect, and so gives nobody else our credentials', async () => {
    const elsewhere = await serve(file(PDF));
    const server = await serve(json(302, '', { location: `${elsewhere.origin}/t.pdf` }));
    const error = await failureOf(desk(server).ticketDocument(QUERY));
    expect(error.message).toContain('a redirect, which is not followed (HTTP 302)');
    expect(elsewhere.received).toEqual([]);
  });

  it('ends after its time, or when the caller leaves', async () => {
    const server = await serve(() => undefined);
    const slow = desk(server, { deadlines: { ticket_document: 60 } });
    expect(await failureOf(slow.ticketDocument(QUERY))).toMatchObject({ code: 'E_AIRLINE_TIMEOUT' });
    const leaving = new AbortController();
    const call = desk(server).ticketDocument(QUERY, { signal: leaving.signal });
    setTimeout(() => leaving.abort(), 20);
    expect(await failureOf(call)).toMatchObject({ code: 'E_AIRLINE_TIMEOUT' });
  });

  it('needs FARECLERK_REST_URL, and https in it', async () => {
    const server = await serve(file(PDF));
    const error = await failureOf(at(server.origin).ticketDocument(QUERY));
    expect(error).toMatchObject({ code: 'E_CONFIG' });
    expect(error.next).toContain('FARECLERK_REST_URL');
    expect(() => at(server.origin, { restUrl: 'http://rest.example' })).toThrow('FARECLERK_REST_URL');
    expect(server.received).toEqual([]);
  });

  it('leaves no personal data in the log of calls', async () => {
    const server = await serve(file(PDF));
    const airline = desk(server);
    await airline.ticketDocument(QUERY);
    expect(airline.log).toEqual([{ operation: 'ticket_document', attempt: 1, ms: expect.any(Number), status: 200 }]);
  });
});

const REST = 'https://rest.example/api';
const OWN = `${REST}/tickets/confirmation/K7PL2M/download`;

describe('a link of the airline', () => {
  const { coupon: _, ...bare } = QUERY;
  const asked = async (href: string) =>
    (await hearing((airline) => airline.ticketDocument({ ...bare, links: [href] }), [], { restUrl: REST })).sent;

  it.each([
    `${OWN}/passenger-segment?firstName=JO`,
    `${OWN}?firstName=JO&lastName=BERG`,
    'https://REST.example:443/api/tickets/confirmation/k7pl2m/download/passenger-segment',
  ])('is used if it is the documented download of the booking: %s', async (href) => {
    expect(await asked(href)).toMatchObject([{ url: new URL(href).href }]);
  });

  it.each([
    'https://evil.example/api/tickets/confirmation/K7PL2M/download',
    'https://rest.example@evil.example/api/tickets/confirmation/K7PL2M/download',
    'https://user:pass@rest.example/api/tickets/confirmation/K7PL2M/download',
    'https://rest.example.evil.example/api/tickets/confirmation/K7PL2M/download',
    'http://rest.example/api/tickets/confirmation/K7PL2M/download',
    'https://rest.example:8443/api/tickets/confirmation/K7PL2M/download',
    'https://rest.example/apix/tickets/confirmation/K7PL2M/download',
    'https://rest.example/tickets/confirmation/K7PL2M/download',
    `${REST}/tickets/confirmation/OTHER1/download`,
    `${REST}/tickets/confirmation/K7PL2M/../OTHER1/download`,
    `${REST}/tickets/confirmation/K7PL2M%2f..%2fOTHER1/download`,
    `${REST}/tickets/confirmation/K7PL2M/%2e%2e/OTHER1/download`,
    `${REST}/tickets/confirmation/K7PL2M/delete`,
    `${OWN}/a b`,
    `${OWN}?\u202Efdp`,
    `${OWN}?${'x'.repeat(1000)}`,
    'https://rest.example\\@evil.example/api/tickets/confirmation/K7PL2M/download',
    '//rest.example/api/tickets/confirmation/K7PL2M/download',
    'javascript:alert(1)',
    'data:application/pdf,x',
    '',
  ])('is not used if it leads anywhere else: %j', async (href) => {
    expect(await asked(href)).toEqual([]);
  });
});
