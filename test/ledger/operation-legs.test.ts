/** The legs of operations that this version and earlier ones entered. */
import { expect, test } from 'vitest';
import type { SoldFacts } from '../../src/domain/booking/sold-facts.ts';
import { viewNamed } from '../../src/ledger/views.ts';

const view = viewNamed('operation_leg');
const names = (view?.columns ?? []).map(({ name }) => name).filter((name) => name !== 'id');
const legsOf = (facts: SoldFacts | undefined) =>
  view
    ?.fill({ operations: [{ id: 'o', facts }] } as never, {} as never, 'operations')
    .map((cellOf) => Object.fromEntries(names.map((name) => [name, cellOf(name)])));
const DEPARTS = '2026-12-01T08:00:00.000+03:00';
const NOTHING = { departs_at: undefined, departs_on: undefined, price: undefined, currency: undefined };

test('each leg is as it was sold, with its own price where the airline had one', () => {
  const price = { minor: 12_345, currency: 'KWD' };
  const legs = [
    { train: 'HHR1', from: 'QCA', to: 'XMD', departs: DEPARTS, fare: 'CFLEX', price },
    { train: 'HHR2', from: 'XMD', to: 'QCA', departs: '2026-12-05T21:30:00Z', day: '2026-12-06' },
  ];
  expect(legsOf({ route: 'QCA-XMD-QCA', trains: ['HHR1', 'HHR2'], legs })).toEqual([
    {
      ...{ n: 1, train: 'HHR1', from_code: 'QCA', to_code: 'XMD', fare: 'CFLEX' },
      ...{ departs_at: '2026-12-01T08:00+03:00', departs_on: '2026-12-01', price: 12.345, currency: 'KWD' },
    },
    {
      ...{ n: 2, train: 'HHR2', from_code: 'XMD', to_code: 'QCA', fare: undefined },
      ...{ ...NOTHING, departs_at: expect.stringContaining('2026-12-05T21:30'), departs_on: '2026-12-06' },
    },
  ]);
});

test('of what an earlier version entered only what is certain is said', () => {
  const facts = { route: 'QCA-XMD-XJA, XRE-XDM', departs: DEPARTS, classes: ['C'], fares: ['A', 'B'] };
  expect(legsOf({ ...facts, trains: ['HHR1', 'HHR2', 'HHR3'] })).toEqual([
    {
      ...{ n: 1, train: 'HHR1', from_code: 'QCA', to_code: 'XMD', fare: undefined },
      ...{ ...NOTHING, departs_at: '2026-12-01T08:00+03:00', departs_on: '2026-12-01' },
    },
    { n: 2, train: 'HHR2', from_code: 'XMD', to_code: 'XJA', fare: undefined, ...NOTHING },
    { n: 3, train: 'HHR3', from_code: 'XRE', to_code: 'XDM', fare: undefined, ...NOTHING },
  ]);
  // A train that runs on more than one part of the route is named once.
  expect(legsOf({ ...facts, trains: ['HHR1'] })).toMatchObject([{ n: 1, train: 'HHR1', from_code: undefined }]);
  expect([legsOf(undefined), legsOf({ route: 'QCA-XMD' })]).toEqual([[], []]);
});
