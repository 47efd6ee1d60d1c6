import { NoAnswer, Rejected } from './call-service.ts'
import type { ExitCode } from './command.ts'
import { tellError } from './tell-error.ts'

/** Prints the result of calls. If the service rejects one or does not answer, that is one line, and the code 1. */
export async function printAsked<Result>(
  asking: Promise<Result>,
  print: (result: Result) => ExitCode,
): Promise<ExitCode> {
  try {
    return print(await asking)
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof Rejected)) throw error
    tellError(error.message)
    return 1
  }
}
