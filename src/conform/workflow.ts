/** A header of the requests of a workflow. Its value is a text or an expression. */
export interface Parameter {
  in: string
  name: string
  value: string
}

/** One call of a workflow. */
export interface Step {
  stepId: string
  operationId: string
  parameters?: Parameter[]
  requestBody: { contentType: string; payload: object }
  successCriteria: { condition: string }[]
  outputs?: Record<string, string>
}

/** Calls that follow each other (Arazzo), with what has to hold after each. */
export interface Workflow {
  workflowId: string
  summary: string
  parameters?: Parameter[]
  steps: Step[]
}

/** What expressions can name. */
export interface Scope {
  inputs: Readonly<Record<string, unknown>>
  /** The outputs of each step, by `<stepId>.<name>`. */
  outputs: Map<string, unknown>
  status?: number
  body?: unknown
}

/** The value of an Arazzo expression, or of a literal. */
export function evaluate(text: string, { inputs, outputs, status, body }: Scope): unknown {
  if (text === '$statusCode') return status
  const [, input] = /^\$inputs\.(\w+)$/.exec(text) ?? []
  if (input !== undefined) return inputs[input]
  const [, step, name] = /^\$steps\.(\w+)\.outputs\.(\w+)$/.exec(text) ?? []
  if (step !== undefined) return outputs.get(`${step}.${name}`)
  const [, pointer] = /^\$response\.body#(\/\S*)?$/.exec(text) ?? []
  if (pointer !== undefined) return valueAt(body, pointer)
  if (text.startsWith('$')) throw new Error(`${text}: the expression is not known`)
  return text
}

const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => Object(node)[key], value)

/** Puts values where a body has expressions. */
export function fillIn(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? evaluate(value, scope) : value
  if (Array.isArray(value)) return value.map((part) => fillIn(part, scope))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fillIn(part, scope)]))
}

/** Whether a condition of the forms `a == b` and `a != b` holds. */
export function holds(condition: string, scope: Scope): boolean {
  const [, left = '', operator, right = ''] = /^(\S+) (==|!=) (.+)$/.exec(condition) ?? []
  if (operator === undefined) throw new Error(`${condition}: the condition is not known`)
  const expected = right.startsWith('$') ? evaluate(right, scope) : JSON.parse(right)
  return (evaluate(left, scope) === expected) === (operator === '==')
}
