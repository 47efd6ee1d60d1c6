import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../src/server/versions/edit-text.ts'
import { editTexts } from '../../src/server/versions/edit-text.ts'
import { applyPlan } from '../../src/server/versions/plan.ts'

const names = ['a', 'b', 'c', 'ä"\\', '__proto__']
const scalars = fc.oneof(
  fc.constantFrom(null, '', 1, 12, -1.5e-7, true, 'x', '"', '\\', '},{', '[",'),
  fc.string({ unit: 'binary' }),
)

/** Values of few names, so that plans often meet them. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...names), tie('value')), {
        selector: ([name]) => name,
        maxLength: 5,
      })
      .map((fields) => Object.fromEntries(fields)),
  ),
}))

const edit = fc.oneof(
  fc.constant({}),
  fc.constant({ gone: true as const }),
  fc.constantFrom({ name: 'd' }, { name: 'e"' }, { only: null }, { only: 'one' }),
  fc.constant({
    values: [
      [null, ''],
      [1, 'one'],
      ['x', null],
    ] as const,
  }),
)

const planOf = fc.memo((depth): fc.Arbitrary<Plan> => {
  const place = fc.constantFrom(...names.slice(0, 4), '[]', '*')
  const below = depth > 1 ? fc.array(fc.tuple(place, planOf()), { maxLength: 3 }) : fc.constant([])
  return fc.record({
    edit,
    below: below.map((plans) => new Map(plans)),
    added: fc.constantFrom<[string, unknown][]>(
      [],
      [['new', null]],
      [
        ['new', 1],
        ['newer', []],
      ],
    ),
  })
})

/** Of the whole value nothing is known by a name. */
const topPlan = planOf(4).map(({ below, added }): Plan => ({ below, added }))

const toTexts = (values: readonly unknown[]): string => JSON.stringify(values).slice(1, -1)

describe('edits of JSON that is not read', () => {
  test('are those of values that are', () => {
    fc.assert(
      fc.property(topPlan, fc.array(value, { maxLength: 3 }), (chosen, values) => {
        const edited = `[${editTexts(chosen, toTexts(values))}]`
        const expected = values.map((one) => applyPlan(chosen, JSON.parse(JSON.stringify(one))))
        expect(JSON.parse(edited)).toEqual(JSON.parse(JSON.stringify(expected)))
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['{"a":1,"b":2}', { a: { edit: { gone: true as const } } }, '{"b":2}'],
    ['{"a":1,"b":2}', { b: { edit: { gone: true as const } } }, '{"a":1}'],
    ['{"b":2}', { b: { edit: { gone: true as const } } }, '{}'],
    ['{"a":12}', { a: { edit: { values: [[1, 2]] as const } } }, '{"a":12}'],
    ['{"a":"}\\\\\\"","b":null}', { b: { edit: { only: 3 } } }, '{"a":"}\\\\\\"","b":3}'],
  ])('%s', (text, plans, expected) => {
    const below = new Map(
      Object.entries(plans).map(([name, own]) => [name, { below: new Map(), added: [], ...own }]),
    )
    expect(editTexts({ below, added: [] }, text)).toBe(expected)
  })
})
