// A process works on one contract. Its own processes, such as redocly, work on the same one, so the
// place is in the environment.
const contractVariable = 'CONTRACT_FOLDER'
const outVariable = 'CONTRACT_OUT'

let isRead = false

/** A contract and the folder for what is made of it, as absolute paths. */
interface Place {
  contract: string
  out: string
}

/** Chooses the contract of this process, before anything that reads it is imported. */
export function choosePlace({ contract, out }: Place): void {
  if (isRead) throw new Error('the contract is chosen already')
  process.env[contractVariable] = contract
  process.env[outVariable] = out
}

/** The place that was chosen; undefined for the contract of this service. */
export function readPlace(): Place | undefined {
  isRead = true
  const { [contractVariable]: contract, [outVariable]: out } = process.env
  return contract === undefined || out === undefined ? undefined : { contract, out }
}

/** The folder that commands are typed in: npm moves to the root and tells where it was. */
export const typedIn = (): string => process.env['INIT_CWD'] ?? process.cwd()
