/** Why a command of an operator was not carried out, in one line that says what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
