import type { ValidateFunction } from 'ajv'
import { type Issue, toIssues } from '../validators/issues.ts'
import {
  type Contract,
  eachOperation,
  type MediaType,
  type OperationObject,
  type ResponseObject,
  resolve,
} from './document.ts'
import { FormCompiler } from './form-compiler.ts'
import { type HeaderObject, judgeHeaders, type ReadHeader } from './judge-headers.ts'
import type { Form } from './schema-forms.ts'

/** What in an answer breaks the contract. */
export interface Finding {
  /** The field of the body, `status`, or `header` with a name. */
  field: string
  /** What was expected. It never contains a value of the answer. */
  message: string
}

/** An answer as it arrived. `body` is undefined if it is not JSON. */
export interface Answer {
  status: number
  header: ReadHeader
  body: unknown
}

/** Holds answers against one document of the contract. */
export interface AnswerJudge {
  /** What breaks the contract in the answer of an operation. Without an operation: of an unknown path. */
  judge(operationId: string | undefined, answer: Answer): Finding[]
}

type Described = Omit<ResponseObject, 'headers'> & { headers?: Record<string, HeaderObject> }

/**
 * Makes the judge of a document. `exact` also rejects what a newer service may add: fields, values,
 * codes of errors. Schemas are compiled when they are first needed.
 */
export function createAnswerJudge(
  contract: Contract,
  form: Extract<Form, 'exact' | 'tolerant'>,
): AnswerJudge {
  const compiler = new FormCompiler(contract, form)
  const operations = new Map(
    eachOperation(contract).map(({ operation }) => [operation.operationId, operation]),
  )
  const fallback = eachOperation(contract)[0]?.operation.responses['default']
  const responseOf = (operation: OperationObject | undefined, status: number) => {
    const own = operation?.responses[String(status)]
    const found = own ?? operation?.responses['default'] ?? fallback
    return found && (resolve(contract, found) as Described)
  }
  return {
    judge(operationId, answer) {
      const operation = operationId === undefined ? undefined : operations.get(operationId)
      const response = responseOf(operation, answer.status)
      if (!response) return [{ field: 'status', message: `${answer.status} is not documented` }]
      const [type, media] = Object.entries(response.content ?? {})[0] ?? []
      const described = Object.entries(response.headers ?? {}).map(([name, one]) => [
        name,
        resolve(contract, one),
      ])
      const headers = judgeHeaders(
        answer,
        { headers: Object.fromEntries(described), type },
        (schema) => compiler.compile(schema),
      )
      if (!media) return headers
      if (answer.body === undefined) return [...headers, { field: '', message: 'must be JSON' }]
      const isError = answer.status >= 400
      const codes = isError && form === 'exact' ? judgeCode(contract, media, answer) : []
      return [...headers, ...codes, ...judgeBody(compiler.compile(media.schema), answer.body)]
    },
  }
}

/** What a schema finds in a body. */
export function judgeBody(validate: ValidateFunction, body: unknown): Finding[] {
  if (validate(body)) return []
  return toIssues(validate.errors ?? [], body, {}).map(toFinding)
}

const toFinding = ({ path, code, message }: Issue): Finding => ({
  field: path,
  message: code === 'UNKNOWN_FIELDS' ? 'is not a field that the contract has here' : message,
})

/** An error that the operation does not document with this status. */
function judgeCode(contract: Contract, { examples = {} }: MediaType, answer: Answer): Finding[] {
  const { error, error_code, error_type } = Object(answer.body) as Record<string, unknown>
  const code = error_code ?? error
  const documented = Object.values(examples).map((example) => resolve(contract, example))
  const isIt = (value: unknown): boolean => {
    const entry = value as Record<string, unknown>
    return (entry['error_code'] ?? entry['error']) === code && entry['error_type'] === error_type
  }
  const found = documented.filter(({ value }) => isIt(value))
  const field = error_code === undefined ? 'error' : 'error_code'
  if (found.length === 0) {
    return [{ field, message: `is not documented here with the status ${answer.status}` }]
  }
  const statuses = found.map((one) => one['x-status'])
  if (statuses.includes(answer.status)) return []
  return [{ field: 'status', message: `must be ${statuses.join(' or ')} for this code` }]
}
