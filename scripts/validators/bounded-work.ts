import { createRequire } from 'node:module'
import { _, type Ajv, type Code, type CodeKeywordDefinition, type KeywordCxt } from 'ajv'
import { useFunc } from 'ajv/dist/compile/util.js'
import { maximumIssues } from '../../src/validators/issues.ts'

// What a refusal costs must not grow with the body: a value that is too large for its place is
// refused for that, and nothing in it is looked at.

type Condition = (cxt: KeywordCxt) => Code | undefined

/** By keyword: where a value is small enough to be checked by it. */
const conditions: Readonly<Record<string, Condition>> = {
  items: fewItems,
  uniqueItems: fewItems,
  pattern: shortText,
  format: shortText,
}

function fewItems({ data, parentSchema }: KeywordCxt): Code | undefined {
  const { maxItems } = parentSchema
  return maxItems === undefined ? undefined : _`${data}.length <= ${maxItems}`
}

function shortText({ data, parentSchema }: KeywordCxt): Code | undefined {
  const { maxLength } = parentSchema
  // A character outside the first plane counts as one and is two of JavaScript's.
  return maxLength === undefined ? undefined : _`${data}.length <= ${maxLength * 2}`
}

/** Makes the keywords of an Ajv look no further than bounds beside them allow. */
export function boundWork(ajv: Ajv): void {
  for (const [keyword, conditionOf] of Object.entries(conditions)) {
    change(ajv, keyword, (cxt, check) => {
      const condition = conditionOf(cxt)
      if (condition === undefined) check()
      else cxt.gen.if(condition, check)
    })
  }
  change(ajv, 'maxLength', (cxt) => {
    const { data, schema } = cxt
    const isLonger = _`${data}.length > ${schema * 2} || ${characters(cxt)} > ${schema}`
    cxt.fail(_`${data}.length > ${schema} && (${isLonger})`)
  })
  change(ajv, 'minLength', (cxt) => {
    const { data, schema } = cxt
    cxt.fail(_`${data}.length < ${schema * 2} && ${characters(cxt)} < ${schema}`)
  })
}

// Vitest and Node disagree on the default of such a module.
const { default: ucs2length } = createRequire(import.meta.url)(
  'ajv/dist/runtime/ucs2length.js',
) as { default: Parameters<typeof useFunc>[1] }

const characters = ({ gen, data }: KeywordCxt): Code => _`${useFunc(gen, ucs2length)}(${data})`

/** Puts other code around a keyword's own, or in its place. */
function change(
  ajv: Ajv,
  keyword: string,
  write: (cxt: KeywordCxt, check: () => void) => void,
): void {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition
  const { code } = definition
  definition.code = (cxt, type) => write(cxt, () => code.call(definition, cxt, type))
}

const loopOfItems = /for\(let (\w+)=0; \1<(\w+); \1\+\+\)\{/g
const loopOfKeys = /for\(const (\w+) in (\w+)\)\{/g

/**
 * Makes compiled loops end with the issue that is the last to be told. Loops are all that makes
 * issues without a bound. Where one has ended early, the value is refused already, but for the
 * alternatives of `anyOf` and `oneOf`: the issues of one do not refuse the next.
 */
export function stopEarly(compiled: string): string {
  for (const source of compiled.split(/\bfunction (?=\w+\(data)/)) refuseLaterLoops(source)
  const stopping = compiled
    .replace(loopOfItems, `for(let $1=0; $1<$2 && errors<${maximumIssues}; $1++){`)
    .replace(loopOfKeys, `for(const $1 in $2){if(errors>=${maximumIssues})break;`)
  const others = stopping.match(/for\((?!;)(?!let \w+=0; \w+<\w+ && errors<)[^{]*\{(?!if\(errors)/)
  if (others) throw new Error(`Ajv writes a loop that is not known here: ${others[0]}`)
  return stopping
}

// How Ajv joins what an alternative of `anyOf` or `oneOf` has said to what was said before.
const joined = /\|\| (_valid\d+);|if\((_valid\d+) && valid\d+\)/g

/** Throws where a function has a loop in another alternative than the first. */
function refuseLaterLoops(source: string): void {
  for (const [, any, one] of source.matchAll(joined)) {
    const end = `var ${any ?? one} = `
    const later = source.slice(source.indexOf(end), source.lastIndexOf(end))
    const loop = later.match(/\bfor\([^{]*/)
    if (!loop) continue
    throw new Error(
      `Ajv writes a loop in a later alternative of anyOf or oneOf, which the issues of an earlier one would end: ${loop[0]}`,
    )
  }
}
