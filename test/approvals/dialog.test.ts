import { describe, expect, test } from 'vitest';
import { formSchema, NO, readAnswer } from '../../src/approvals/dialog.ts';

const ACT = 'Pay SAR 1,725.00';

describe('the dialog', () => {
  test('offers one choice without a default, whose yes names the act', () => {
    const schema = formSchema(ACT);
    expect(schema.required).toEqual(['decision']);
    expect(schema.properties.decision.enum).toEqual([NO, ACT]);
    expect(JSON.stringify(schema)).not.toContain('default');
  });

  test.each([
    [{ action: 'accept', content: { decision: ACT } }, 'yes'],
    [{ action: 'accept', content: { decision: NO } }, 'no'],
    [{ action: 'decline' }, 'no'],
    [{ action: 'decline', content: { decision: ACT } }, 'no'],
    [{ action: 'cancel' }, 'closed'],
    [{ action: 'accept' }, 'closed'],
    [{ action: 'accept', content: {} }, 'closed'],
    [{ action: 'accept', content: null }, 'closed'],
    [{ action: 'accept', content: { decision: 'Pay SAR 9,999.00' } }, 'closed'],
    [{ action: 'accept', content: { decision: true } }, 'closed'],
    [{ action: 'accept', content: { confirm: true } }, 'closed'],
    [{ action: 'accept', content: [ACT] }, 'closed'],
    [{ content: { decision: ACT } }, 'closed'],
    [ACT, 'closed'],
    [undefined, 'closed'],
    [null, 'closed'],
  ])('reads the dialog answer %j as %s', (raw, answer) => {
    expect(readAnswer(raw, ACT)).toBe(answer);
  });
});
