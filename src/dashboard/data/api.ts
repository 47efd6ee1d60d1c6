import createClient from 'openapi-fetch'
import type { components, paths } from '../../../generated/dashboard/types.ts'
import type { Closed } from '../../server/kernel/closed.ts'
import { problemOf, unreachable } from './problem.ts'

/** Pages and service are of one build, so no value comes that the contract does not list. */
export type Schemas = Closed<components['schemas']>

/** Calls the operations of the dashboard, typed by their contract. */
export const api = createClient<Closed<paths>>({ baseUrl: '' })

/** The body of a successful answer. @throws Problem for all others */
export async function answerOf<Body>(
  call: Promise<{ data?: Body; error?: unknown; response: Response }>,
): Promise<NonNullable<Body>> {
  const { data, error, response } = await call.catch(() => {
    throw unreachable()
  })
  if (data === undefined || data === null) throw problemOf(error, response.status)
  return data
}
