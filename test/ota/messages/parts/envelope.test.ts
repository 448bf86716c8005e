import { describe, expect, test } from 'vitest';
import { stamp } from '../../../../src/ota/messages/parts/envelope.ts';

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
  });
});
