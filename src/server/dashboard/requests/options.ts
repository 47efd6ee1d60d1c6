import { operations } from '#contract/operations.ts'
import { errorCatalogue } from '../../../../generated/errors.ts'
import { operations as undatedOperations } from '../../../../generated/undated.ts'
import { invalidField } from '../../kernel/errors.ts'

const byText = (one: string, other: string): number => (one < other ? -1 : 1)

/** The operations that calls can be of, by path. */
export const loggedOperations = Object.entries({ ...operations, ...undatedOperations })
  .map(([operation_id, { path }]) => ({ operation_id, path }))
  .sort((one, other) => byText(one.path, other.path))

/** The codes that calls can be answered with. */
export const loggedCodes = [
  ...new Set(Object.values(errorCatalogue).map(({ code }) => code as string)),
].sort(byText)

/** Each is a condition of the statement. */
const mostOperations = 40

/** The operations that a text means: by their id or path, or else by a part of these. */
export function operationsBy(text: string): string[] {
  const part = text.toLowerCase()
  const names = loggedOperations.map((one) => ({
    id: one.operation_id,
    texts: [one.operation_id.toLowerCase(), one.path.toLowerCase()],
  }))
  const exact = names.filter(({ texts }) => texts.includes(part))
  const found =
    exact.length > 0 ? exact : names.filter(({ texts }) => texts.some((one) => one.includes(part)))
  if (found.length === 0) {
    throw invalidField('`operation_id` must be the id or the path of an operation, or a part of it')
  }
  if (found.length > mostOperations) {
    throw invalidField(
      `\`operation_id\` fits ${found.length} operations, and must fit ${mostOperations} at most`,
    )
  }
  return found.map(({ id }) => id)
}

/** The code that a text means, in any case. */
export function codeBy(text: string): string {
  const code = loggedCodes.find((one) => one.toLowerCase() === text.toLowerCase())
  if (code === undefined) throw invalidField('`error_code` must be an error code of the service')
  return code
}
