import { describe, expect, it } from 'vitest';
import { readKeyValues } from '../../../src/cli/call/key-values.ts';
import { liveSchemas } from '../../../src/server/schemas.ts';
import { CATALOG } from '../../../src/tools/index.ts';

const schemas = liveSchemas();

function read(name: string, ...words: readonly string[]) {
  const tool = CATALOG.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return readKeyValues(words, schemas.input(tool));
}

describe('key=value inputs', () => {
  it('types numbers, booleans, text and choices by the schema of the tool', () => {
    const words = ['legs.0.from=QCA', 'legs.0.to=XMD', 'legs.0.date=2026-12-10', 'legs.0.days_after=2'];
    expect(read('search_fares', ...words, 'passengers.adults=2', 'include_sold_out=true', 'detail=full')).toEqual({
      legs: [{ from: 'QCA', to: 'XMD', date: '2026-12-10', days_after: 2 }],
      passengers: { adults: 2 },
      include_sold_out: true,
      detail: 'full',
    });
  });

  it('keeps digits as text where the schema says text', () => {
    expect(read('pay_booking', 'locator=123456', 'expected_total=172.50')).toEqual({
      locator: '123456',
      expected_total: '172.50',
    });
  });

  it('keeps what follows the first equals sign', () => {
    expect(read('list_bookings', 'query=a=b')).toEqual({ query: 'a=b' });
  });

  it('takes a list by commas, by repeated keys, and as JSON', () => {
    const due = { locator: 'ABC123', segment_refs: ['1', '2', '3'] };
    expect(read('cancel_segment', 'locator=ABC123', 'segment_refs=1,2, 3')).toEqual(due);
    expect(read('cancel_segment', 'locator=ABC123', 'segment_refs=1', 'segment_refs=2,3')).toEqual(due);
    expect(read('cancel_segment', 'locator=ABC123', 'segment_refs=["1","2","3"]')).toEqual(due);
  });

  it('takes JSON for an object and for a list of objects', () => {
    expect(read('pay_booking', 'payment={"type": "invoice"}')).toEqual({ payment: { type: 'invoice' } });
    expect(read('search_fares', 'legs=[{"from": "QCA"}]')).toEqual({ legs: [{ from: 'QCA' }] });
    expect(read('search_fares', 'legs={"from": "QCA"}', 'legs={"from": "XMD"}')).toEqual({
      legs: [{ from: 'QCA' }, { from: 'XMD' }],
    });
  });

  it('leaves a value of another type to the tool, which says what it expects', () => {
    expect(read('search_fares', 'passengers.adults=two', 'include_sold_out=yes')).toEqual({
      passengers: { adults: 'two' },
      include_sold_out: 'yes',
    });
  });

  it.each<[string, readonly string[], RegExp]>([
    ['an unknown key, and names the nearest', ['legz.0.from=QCA'], /legz: there is no such input\. Nearest: legs\./],
    ['an unknown nested key', ['passengers.adult=1'], /passengers\.adult: .* Nearest: adults\./],
    ['a list without numbers', ['legs.from=QCA'], /legs is a list: number its items from 0, such as legs\.0\./],
    ['a list with a gap', ['legs.1.from=QCA'], /legs\.0 is missing/],
    ['a value given twice', ['max_results=1', 'max_results=2'], /max_results is given twice/],
    ['a field of a value', ['detail.x=1'], /detail has no fields/],
    ['both forms of one field', ['passengers={"adults": 1}', 'passengers={"adults": 2}'], /passengers is given twice/],
    ['JSON that is none', ['passengers=2'], /passengers: expected JSON in single quotes/],
    ['a word without an equals sign', ['QCA'], /expected inputs as key=value/],
    ['names of JavaScript', ['__proto__.x=1'], /there is no such input/],
  ])('refuses %s', (_, words, message) => {
    expect(() => read('search_fares', ...words)).toThrow(message);
  });

  it('never repeats what may be a card number', () => {
    for (const word of ['4111111111111111=x', 'payment.4111111111111111=x', 'payment=4111111111111111']) {
      expect(() => read('pay_booking', word)).toThrow(/^(?!.*4111)/);
    }
  });
});
