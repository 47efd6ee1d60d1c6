import { type Problem, toLines } from '../yaml/problems.ts'

/** A file of institutions that cannot be used: a line for each mistake, with file, line and column. */
export class InstitutionsError extends Error {
  override readonly name = 'InstitutionsError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(toLines(problems).join('\n'))
    this.problems = problems
  }
}
