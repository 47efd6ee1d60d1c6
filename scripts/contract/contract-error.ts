/** Mistakes of the contract, one line for each: `file:line: what is wrong and what is expected`. */
export class ContractError extends Error {
  /** Known by its name to `scripts/run.js`, which imports nothing. */
  override name = 'ContractError'

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
  }
}
