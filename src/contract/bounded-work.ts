import { _, type Ajv, type Code, type CodeKeywordDefinition, type KeywordCxt } from 'ajv'
import { useFunc } from 'ajv/dist/compile/util.js'
import ucs2lengthModule from 'ajv/dist/runtime/ucs2length.js'
import { maximumIssues } from '../validators/issues.ts'
import { defaultOf } from './default-of.ts'

// The cost of rejecting a body must not grow with its size: a value that is too large is rejected
// for its size, and its content is not checked.

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
  // A character outside the first plane counts as one and takes two UTF-16 units.
  return maxLength === undefined ? undefined : _`${data}.length <= ${maxLength * 2}`
}

/** Makes the keywords of an Ajv check no more than the bounds beside them allow. */
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

const ucs2length = defaultOf<Parameters<typeof useFunc>[1]>(ucs2lengthModule)

const characters = ({ gen, data }: KeywordCxt): Code => _`${useFunc(gen, ucs2length)}(${data})`

/** Wraps or replaces the code of a keyword. */
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
 * Makes compiled loops end at the maximum number of issues. Only loops report issues without a
 * bound. A value whose loop ended early is rejected already. The alternatives of `anyOf` and `oneOf`
 * are the exception: the issues of one do not reject the next.
 */
export function stopEarly(compiled: string): string {
  for (const source of compiled.split(/\bfunction (?=\w+\(data)/)) rejectLaterLoops(source)
  const stopping = compiled
    .replace(loopOfItems, `for(let $1=0; $1<$2 && errors<${maximumIssues}; $1++){`)
    .replace(loopOfKeys, `for(const $1 in $2){if(errors>=${maximumIssues})break;`)
  const others = stopping.match(/for\((?!;)(?!let \w+=0; \w+<\w+ && errors<)[^{]*\{(?!if\(errors)/)
  if (others) throw new Error(`Ajv writes a loop that is not known here: ${others[0]}`)
  return stopping
}

// How Ajv joins the result of an alternative of `anyOf` or `oneOf` to the results before it.
const joined = /\|\| (_valid\d+);|if\((_valid\d+) && valid\d+\)/g

/** Throws where a function has a loop in another alternative than the first. */
function rejectLaterLoops(source: string): void {
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
