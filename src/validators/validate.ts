import { type Hints, type Issue, type SchemaError, toIssues } from './issues.ts'

/** Checks values against one schema of the contract. */
export interface Validator<T> {
  /** Tells whether the value fits; a type guard. */
  is(value: unknown): value is T
  /** Lists what does not fit; empty when everything does. No issue contains a value. */
  issues(value: unknown): Issue[]
}

/** What Ajv's standalone code exports. */
export interface CompiledSchema {
  (value: unknown): boolean
  errors?: readonly SchemaError[] | null
}

/** Puts a typed face on a compiled schema. */
export function validator<T>(compiled: CompiledSchema, hints: Hints = {}): Validator<T> {
  return {
    is: (value): value is T => compiled(value),
    issues: (value) => (compiled(value) ? [] : toIssues(compiled.errors ?? [], value, hints)),
  }
}
