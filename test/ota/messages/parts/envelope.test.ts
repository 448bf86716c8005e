import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readEnvelope, stamp } from '../../../../src/ota/messages/parts/envelope.ts';

const POS = { agentId: 'agent-7', agencyId: 'agency-9', currency: 'SAR' };

const DOCUMENTED = {
  version: '2.001',
  pos: {
    source: [
      {
        bookingChannel: { type: 'OTA' },
        isocurrency: 'SAR',
        requestorID: { type: '5', id: 'agent-7', name: 'agency-9' },
      },
    ],
  },
};

describe('point of sale', () => {
  test('is stamped as documented', () => {
    expect(stamp({ readRequests: {} }, POS)).toEqual({ ...DOCUMENTED, readRequests: {} });
  });

  test('with country and location, and the other spelling', () => {
    const wire = stamp({}, { ...POS, country: 'SA', location: 'JED' }, 'isoCurrency');
    expect(wire.pos).toEqual({
      source: [
        {
          bookingChannel: { type: 'OTA' },
          isoCurrency: 'SAR',
          isocountry: 'SA',
          requestorID: { type: '5', id: 'agent-7', name: 'agency-9', location: 'JED' },
        },
      ],
    });
    expect(readEnvelope(wire)).toEqual({
      pos: { ...POS, country: 'SA', location: 'JED' },
      spelling: 'isoCurrency',
      body: {},
    });
  });

  test('is read back with the message beside it', () => {
    expect(readEnvelope({ ...DOCUMENTED, cancelType: 'Commit' })).toEqual({
      pos: POS,
      spelling: 'isocurrency',
      body: { cancelType: 'Commit' },
    });
  });

  test('may lack the currency, which only modify requires', () => {
    const { isocurrency: _, ...source } = DOCUMENTED.pos.source[0] ?? {};
    expect(readEnvelope({ version: '2.001', pos: { source: [source] } })).toEqual({
      pos: { agentId: 'agent-7', agencyId: 'agency-9' },
      body: {},
    });
  });

  const source = DOCUMENTED.pos.source[0];
  const requestor = source?.requestorID;
  test.each([
    ['no version', { ...DOCUMENTED, version: undefined }],
    ['the version as a number', { ...DOCUMENTED, version: 2.001 }],
    ['no source', { ...DOCUMENTED, pos: { source: [] } }],
    ['another channel', { ...DOCUMENTED, pos: { source: [{ ...source, bookingChannel: { type: 'COM' } }] } }],
    [
      'another requestor type',
      { ...DOCUMENTED, pos: { source: [{ ...source, requestorID: { ...requestor, type: '4' } }] } },
    ],
    ['no agent', { ...DOCUMENTED, pos: { source: [{ ...source, requestorID: { ...requestor, id: '' } }] } }],
    ['no agency', { ...DOCUMENTED, pos: { source: [{ ...source, requestorID: { ...requestor, name: undefined } }] } }],
    ['both spellings of the currency', { ...DOCUMENTED, pos: { source: [{ ...source, isoCurrency: 'SAR' }] } }],
    ['a field that is not documented', { ...DOCUMENTED, pos: { source: [{ ...source, agentSine: '2BB' }] } }],
    ['no message at all', null],
  ])('is refused with %s', (_, wire) => {
    expect(() => readEnvelope(wire)).toThrow(z.ZodError);
  });
});
