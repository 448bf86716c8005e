import { describe, expect, test } from 'vitest';
import { formSchema, NO, readAnswer, readPageAnswer } from '../../src/approvals/dialog.ts';

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
    [{ action: 'accept' }, 'none'],
    [{ action: 'accept', content: {} }, 'none'],
    [{ action: 'accept', content: null }, 'none'],
    [{ action: 'accept', content: { decision: 'Pay SAR 9,999.00' } }, 'none'],
    [{ action: 'accept', content: { decision: true } }, 'none'],
    [{ action: 'accept', content: { confirm: true } }, 'none'],
    [{ action: 'accept', content: [ACT] }, 'none'],
    [{ content: { decision: ACT } }, 'none'],
    [ACT, 'none'],
    [undefined, 'none'],
    [null, 'none'],
  ])('reads the dialog answer %j as %s', (raw, answer) => {
    expect(readAnswer(raw, ACT)).toBe(answer);
  });

  test.each([
    [{ action: 'accept' }, 'opened'],
    [{ action: 'decline' }, 'no'],
    [{ action: 'cancel' }, 'closed'],
    [undefined, 'closed'],
  ])('reads the answer %j to the address of a page as %s', (raw, answer) => {
    expect(readPageAnswer(raw)).toBe(answer);
  });
});
