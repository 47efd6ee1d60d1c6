import fc from 'fast-check'
import type { Schema } from '../../../../scripts/contract/contract.ts'
import { bundleOf, type Mutant } from './mutants.ts'

type Node = Record<string, unknown>

const at = (node: unknown, path: Mutant['path']): unknown =>
  path.reduce<unknown>((part, key) => (part as Node | undefined)?.[key], node)

/** Why a change changes nothing that any body could show; undefined where it may. */
export function equivalence(mutant: Mutant): string | undefined {
  const schema = at(bundleOf(mutant.version), mutant.path) as Schema
  if (/^limit (dropped|loosened)$/.test(mutant.kind)) return besideLimit(schema, mutant.about)
  if (mutant.kind === 'pattern loosened') return fixedWidth(schema)
  if (mutant.kind === 'required dropped') return requiredAnyway(mutant)
  if (mutant.kind === 'null allowed') return nullAnyway(mutant)
  return undefined
}

const fixedLengths: Record<string, number> = { date: 10 }
/** The shortest address is a letter, the sign and a letter. */
const shortestEmail = 3

/** What stands beside the limit allows no longer and no shorter text. */
function besideLimit(schema: Schema, keyword: string): string | undefined {
  const limit = Number(schema[keyword])
  const format = fixedLengths[String(schema['format'])]
  if (format !== undefined && keyword === 'maxLength' && format <= limit)
    return 'the format has a length of its own'
  const isEmail = schema['format'] === 'email' && keyword === 'minLength'
  if (isEmail && limit <= shortestEmail) return 'no address is shorter'
  const pattern = schema['pattern']
  if (typeof pattern !== 'string' || !/Length$/.test(keyword)) return undefined
  const isEmpty = keyword === 'minLength' && limit <= 1 && !new RegExp(pattern, 'u').test('')
  if (isEmpty) return 'the pattern needs a letter'
  const widest = widthOf(pattern)
  if (widest === undefined) return undefined
  const [least, most] = widest
  const isSaid = keyword === 'maxLength' ? most <= limit : least >= limit
  return isSaid ? 'the pattern says as much' : undefined
}

/** A text that is as long as the pattern cannot hold more than it. */
function fixedWidth(schema: Schema): string | undefined {
  const [least, most] = widthOf(String(schema['pattern'])) ?? []
  return least !== undefined && least === most && schema['maxLength'] === most
    ? 'the length leaves room for no more'
    : undefined
}

const widths = new Map<string, [number, number] | undefined>()

/** How short and long texts of a pattern are, as many of them show. */
function widthOf(pattern: string): [number, number] | undefined {
  if (!widths.has(pattern)) widths.set(pattern, measure(pattern))
  return widths.get(pattern)
}

function measure(pattern: string): [number, number] | undefined {
  // What has no end, or is not anchored, has any length.
  if (!/^\^.*\$$/.test(pattern) || /(?<!\\)[*+](?![^[]*\])/.test(pattern)) return undefined
  try {
    const texts = fc.sample(fc.stringMatching(new RegExp(pattern, 'u'), { size: 'max' }), {
      numRuns: 400,
      seed: 1,
    })
    const lengths = texts.map((text) => text.length)
    return [Math.min(...lengths), Math.max(...lengths)]
  } catch {
    return undefined
  }
}

/** A condition asks for a field that is always there. */
function requiredAnyway({ version, path, about }: Mutant): string | undefined {
  const start = path.findIndex((key) => ['if', 'then', 'else'].includes(String(key)))
  if (start < 0) return undefined
  const inside = path.slice(start + 1)
  const outer = path.slice(0, start).filter((key, index, all) => {
    return !(key === 'allOf' || (typeof key === 'number' && all[index - 1] === 'allOf'))
  })
  const owner = at(bundleOf(version), [...outer, ...inside])
  const required = (resolved(version, owner) as Schema | undefined)?.required ?? []
  return required.includes(about) ? 'the field is always there' : undefined
}

function resolved(version: string, node: unknown): unknown {
  const ref = (node as Schema | undefined)?.$ref
  if (!ref) return node
  return at(bundleOf(version), ref.replace('#/', '').split('/'))
}

/** Null was allowed already wherever the component is used. */
function nullAnyway({ version, path }: Mutant): string | undefined {
  if (path.at(-2) === 'allOf') return 'the other parts of the whole refuse null'
  const beside =
    path.at(-2) === 'anyOf' ? (at(bundleOf(version), path.slice(0, -1)) as Schema[]) : []
  if (beside.some((part) => part.type === 'null')) return 'null is allowed beside it'
  const start = path.findIndex((key) => key === 'then' || key === 'else')
  if (start >= 0) {
    const outer = path.slice(0, start).filter((key) => key !== 'allOf' && typeof key !== 'number')
    const own = at(bundleOf(version), [...outer, ...path.slice(start + 1)]) as Schema | undefined
    const plain = own && (resolved(version, own) as Schema)
    return plain?.type && !plain.type.includes('null') ? 'the field itself refuses null' : undefined
  }
  if (path.length !== 3) return undefined
  const text = `"#/components/schemas/${String(path[2])}"`
  const uses = usesOf(bundleOf(version), text)
  return uses.length > 0 && uses.every(Boolean) ? 'null is allowed wherever it is used' : undefined
}

/** For each use of a component, whether null may stand there as well. */
function usesOf(node: unknown, ref: string, nullable = false): boolean[] {
  if (typeof node !== 'object' || node === null) return []
  if (Array.isArray(node)) {
    const isNullable = node.some((part) => (part as Schema | null)?.type === 'null')
    return node.flatMap((part) => usesOf(part, ref, isNullable))
  }
  const own =
    (node as Schema).$ref && JSON.stringify((node as Schema).$ref) === ref ? [nullable] : []
  return [...own, ...Object.values(node).flatMap((part) => usesOf(part, ref))]
}
