import { describe, expect, test } from 'vitest';
import { isConfirmed, mintConfirmed } from '../../src/approvals/confirmed.ts';

const dispatch = { mayStart: () => true, keep: async () => {} };

describe('the seal', () => {
  test('recognises only values that approvals have minted', () => {
    const real = mintConfirmed({ order: 1 }, 'op', dispatch);
    expect(isConfirmed(real)).toBe(true);
    expect(isConfirmed({ ...real })).toBe(false);
    expect(isConfirmed(structuredClone({ terms: real.terms, operationId: 'op' }))).toBe(false);
    expect(isConfirmed(Object.create(Object.getPrototypeOf(real)))).toBe(false);
    expect(
      isConfirmed(Object.setPrototypeOf({ terms: {}, operationId: 'op', dispatch }, Object.getPrototypeOf(real))),
    ).toBe(false);
    expect(isConfirmed(new Proxy(real, {}))).toBe(false);
    for (const value of [undefined, null, 1, 'op', {}, []]) expect(isConfirmed(value)).toBe(false);
  });

  test('rejects changes to a confirmed value', () => {
    const real = mintConfirmed({ order: 1 }, 'op', dispatch) as { operationId: string };
    expect(() => {
      real.operationId = 'other';
    }).toThrow(TypeError);
  });

  test('rejects construction through the class of a confirmed value', () => {
    const real = mintConfirmed({}, 'op', dispatch);
    const Made = real.constructor as new (...args: unknown[]) => unknown;
    expect(() => new Made(Symbol('mint'), {}, 'op', dispatch)).toThrow('only approvals confirm');
    expect(() => Reflect.construct(Made, [{}, 'op', dispatch])).toThrow('only approvals confirm');
  });
});
