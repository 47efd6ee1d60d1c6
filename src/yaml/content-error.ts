import { type Problem, toLines } from './problems.ts'

/** A file that cannot be used: a line for each mistake, with file, line and column. */
export class ContentError extends Error {
  override readonly name = 'ContentError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(toLines(problems).join('\n'))
    this.problems = problems
  }
}
