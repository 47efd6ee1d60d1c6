import type { Schema } from '../contract/contract.ts'
import { canonical } from './meaning.ts'

/** Whether a value keeps a rule, told by which of the atoms hold for it. */
type Test = (holds: ReadonlySet<string>) => boolean

/** More atoms than this make tables that take long to fill. */
const mostAtoms = 8

/**
 * A text that rules share when they accept the same values, however they are put: `not` both of two
 * fields, or `anyOf` without the one and without the other. It is the truth table over the atoms: that
 * a field is there, and any keyword that this does not look into.
 */
export function tableOf(rules: Schema[]): string {
  const atoms = new Set<string>()
  const all = rules.map((rule) => testOf(rule, atoms))
  if (atoms.size > mostAtoms) return canonical(rules)
  const names = [...atoms].sort()
  const bits = Array.from({ length: 2 ** names.length }, (_, row) => {
    const holds = new Set(names.filter((_, index) => (row >> index) & 1))
    return all.every((test) => test(holds)) ? '1' : '0'
  })
  return `${names.join(' ')} ${bits.join('')}`
}

const every =
  (tests: Test[]): Test =>
  (holds) =>
    tests.every((test) => test(holds))

/** These mean something with their neighbors only. */
const joint = /^(additional|unevaluated|prefix|contains|minContains|maxContains|patternProperties)/

function testOf(rule: Schema, atoms: Set<string>): Test {
  const atom = (name: string): Test => {
    atoms.add(name)
    return (holds) => holds.has(name)
  }
  const inner = (part: Schema): Test => testOf(part, atoms)
  const present = (name: string): Test => atom(`has ${name}`)
  if (Object.keys(rule).some((keyword) => joint.test(keyword))) return atom(canonical(rule))
  const { then: _, else: __, ...keywords } = rule
  const tests = Object.entries(keywords).map(([keyword, value]): Test => {
    const parts = () => (value as Schema[]).map(inner)
    if (keyword === 'required') return every((value as string[]).map(present))
    if (keyword === 'not') return negated(inner(value as Schema))
    if (keyword === 'allOf') return every(parts())
    if (keyword === 'anyOf') return atLeastOne(parts())
    if (keyword === 'oneOf') return exactlyOne(parts())
    if (keyword === 'if')
      return choice(inner(rule.if!), inner(rule.then ?? {}), inner(rule.else ?? {}))
    if (keyword !== 'dependentRequired') return atom(canonical({ [keyword]: value }))
    const pairs = Object.entries(value as Record<string, string[]>)
    return every(pairs.map(([name, others]) => implied(present(name), every(others.map(present)))))
  })
  return every(tests)
}

const negated =
  (test: Test): Test =>
  (holds) =>
    !test(holds)

const atLeastOne =
  (tests: Test[]): Test =>
  (holds) =>
    tests.some((test) => test(holds))

const exactlyOne =
  (tests: Test[]): Test =>
  (holds) =>
    tests.filter((test) => test(holds)).length === 1

const choice =
  (condition: Test, then: Test, otherwise: Test): Test =>
  (holds) =>
    condition(holds) ? then(holds) : otherwise(holds)

const implied = (condition: Test, then: Test): Test => choice(condition, then, () => true)
