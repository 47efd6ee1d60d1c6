import type { Ask, Authorizer } from '../sources/connector.ts'
import { findConnected } from './connection.ts'
import type { Visit } from './visit.ts'

/** Who asks the user: a connector, or an invented website of the sandbox. */
export interface Asking {
  authorizer: Authorizer
  institution: Ask['institution']
}

/** The invented website of the institution that the user chose. */
export const websiteOf = ({ ways, answers }: Pick<Visit, 'ways' | 'answers'>) =>
  ways.invented?.websiteOf(answers.institution?.institution_id ?? '')

/** @throws ApiError as `findConnected` does */
export async function findAsking(visit: Visit): Promise<Asking> {
  const website = websiteOf(visit)
  if (website) {
    const { institution_id = '', name = '' } = visit.answers.institution ?? {}
    return { authorizer: website, institution: { institution_id, name, settings: {} } }
  }
  const { connector, institution } = await findConnected(visit)
  return { authorizer: connector, institution }
}

/** The step at which a connector asks, or an invented website. */
export const askingStep = ({ ways }: Pick<Visit, 'ways'>) =>
  ways.invented === undefined ? 'connect' : 'login'
