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
  test('adds the point of sale to a message as documented', () => {
    expect(stamp({ readRequests: {} }, POS)).toEqual({ ...DOCUMENTED, readRequests: {} });
  });

  test('adds country and location to the point of sale, with the other spelling of the currency', () => {
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
