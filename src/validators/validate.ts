import { type IgnoredField, ignoredIn } from './ignored.ts'
import { type Hints, type Issue, type SchemaError, toIssues } from './issues.ts'
import { checkCut, narrowForms, tryRepairs } from './repairs.ts'

/** Checks values against one schema of the contract. */
export interface Validator<T> {
  /** Tells whether the value fits; a type guard. */
  is(value: unknown): value is T
  /** Lists what does not fit; empty when everything does. No issue contains a value. */
  issues(value: unknown): Issue[]
  /** Lists the fields that the request does not know and ignores; empty where it rejects them. */
  ignored(value: unknown): readonly IgnoredField[]
}

/** What Ajv's standalone code exports. */
export interface CompiledSchema {
  (value: unknown): boolean
  errors?: readonly SchemaError[] | null
}

/** Puts a typed face on a compiled schema. */
export function validator<T>(compiled: CompiledSchema, hints: Hints = {}): Validator<T> {
  const find = (value: unknown): Issue[] =>
    compiled(value) ? [] : toIssues(compiled.errors ?? [], value, hints)
  const explain = (value: unknown): Issue[] => {
    if (compiled(value)) return []
    const errors = compiled.errors ?? []
    const issues = [...toIssues(errors, value, hints), ...checkCut(errors, value, find)]
    return tryRepairs(narrowForms(issues, { value, hints, check: find }), value, find)
  }
  const isOpen = hints['']?.open === true
  return {
    is: (value): value is T => compiled(value),
    issues: explain,
    ignored: (value) => (isOpen ? ignoredIn(value, hints) : none),
  }
}

const none: readonly IgnoredField[] = []
