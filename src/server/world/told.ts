import { ApiError } from '../errors.ts'
import { WorldError } from './world-error.ts'

/** What the rules of the verbs refuse is the file's fault, too: says of what. */
export async function told<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new WorldError(`${what} cannot be as the file says: ${error.message}`, { cause: error })
  }
}
