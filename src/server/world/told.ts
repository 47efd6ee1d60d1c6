import { ApiError } from '../errors.ts'

/** What the rules of the verbs refuse, too, at a path of the world. */
export class RefusedPart extends Error {
  readonly path: string

  constructor(path: string, message: string, cause: unknown) {
    super(message, { cause })
    this.path = path
  }
}

/** Runs what writes a part of the world; says of which part a refusal is, from inside out. */
export async function told<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RefusedPart) {
      throw new RefusedPart(`${path}.${error.path}`, error.message, error.cause)
    }
    if (!(error instanceof ApiError)) throw error
    throw new RefusedPart(path, `cannot be so: ${error.message}`, error)
  }
}
