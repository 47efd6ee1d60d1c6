import { webhooks as dated } from '#contract/operations.ts'
import { webhooks as undated } from '../../generated/undated.ts'
import { hintOf } from '../nearest.ts'
import { UsageError } from './usage-error.ts'

/** Every event of the contract, as `TYPE.CODE`. */
export const eventNames: readonly string[] = Object.keys({ ...undated, ...dated }).sort()

/** The event of a name, or of a code that only one event has; in any case of letters. */
export function requireEvent(text: string): string {
  const asked = text.toUpperCase()
  const named = eventNames.filter((name) => name === asked || name.endsWith(`.${asked}`))
  const [found, other] = named
  if (found !== undefined && other === undefined) return found
  if (found !== undefined) throw new UsageError(`${text} is one of: ${named.join(', ')}`)
  throw new UsageError(`there is no event ${text}${hintOf(asked, eventNames)}`)
}
