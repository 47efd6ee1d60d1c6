import type { Context } from '../../kernel/context.ts'
import { maskBody } from '../../pipeline/mask-body.ts'
import type { Answer } from './post.ts'

/**
 * What is stored of a response body: in the sandbox its beginning, as it is. Production stores it
 * only while the bodies of the client's calls are stored, too, and masks it.
 */
export function sealAnswer(
  ctx: Context,
  answer: Answer | null,
  keepsBodies: boolean,
): string | null {
  if (!answer || answer.bytes === 0) return null
  const text = answer.head.toString()
  if (ctx.settings.environment === 'sandbox') return ctx.keys.encrypt(text)
  const masked = keepsBodies ? maskBody(text) : null
  return masked === null ? null : ctx.keys.encrypt(masked)
}
