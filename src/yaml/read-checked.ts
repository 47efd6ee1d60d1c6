import type { Validator } from '../validators/validate.ts'
import type { Problem } from './problems.ts'
import { parseJsonObject, parseSource, problemAt, type SourceNode, toValue } from './source-node.ts'

/** A file whose content fits its schema, or what is wrong with it. */
export type Checked<Value> =
  | { value: Value; at: ToProblem }
  | { value?: never; problems: readonly [Problem, ...Problem[]] }

/** Tells where in the file a path of its content stands. */
export type ToProblem = (path: string, message: string) => Problem

/** Reads YAML, or JSON, and checks it. */
export function readChecked<Value>(
  file: string,
  text: string,
  schema: Validator<Value>,
): Checked<Value> {
  const plain = parseJsonObject(text)
  if (plain !== undefined && schema.is(plain)) return { value: plain, at: placesIn(file, text) }
  const { root, problems } = parseSource(file, text)
  if (isSome(problems)) return { problems }
  const value = toValue(root)
  const at: ToProblem = (path, message) => problemAt(root, path, message)
  if (schema.is(value)) return { value, at }
  const issues = issuesOf(schema, value).map(([path, message]) => at(path, message))
  return { problems: isSome(issues) ? issues : [at('', 'is not as described')] }
}

/** Reads the file with its positions once somebody asks for one. */
function placesIn(file: string, text: string): ToProblem {
  let root: SourceNode | undefined
  return (path, message) => {
    root ??= parseSource(file, text).root
    return problemAt(root, path, message)
  }
}

/** What does not fit a schema, in words for a file: what stands there is a key and no field. */
export const issuesOf = (
  schema: Validator<unknown>,
  value: unknown,
): [path: string, message: string][] =>
  schema.issues(value).map(({ path, code, message, suggestion }) => {
    if (code !== 'UNKNOWN_FIELDS') return [path, message]
    const meant = suggestion === undefined ? '' : `; did you mean ${suggestion}?`
    return [path, `is not a known key${meant}`]
  })

const isSome = (problems: Problem[]): problems is [Problem, ...Problem[]] => problems.length > 0
