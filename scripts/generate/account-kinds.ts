import { mkdirSync } from 'node:fs'
import { currentVersion, generatedFolder, readBundle } from '../contract/contract.ts'
import { componentValidators } from '../validators/validators.ts'
import { writeSource } from './source.ts'

/** The folder under `generated/` of the validator of account kinds. */
export const accountKindsFolder = 'account-kinds'

/**
 * Writes the validator of an account's type and subtype into a module of its own. The service needs
 * no other one to read accounts, and the module of all components is twenty times as large.
 */
export async function accountKinds(): Promise<void> {
  mkdirSync(generatedFolder(accountKindsFolder), { recursive: true })
  writeSource(`${accountKindsFolder}/types.ts`, 'generate/account-kinds.ts', [
    `export type { components } from '../${currentVersion}/types.ts'`,
  ])
  await componentValidators(readBundle(), accountKindsFolder, 'account-kind', ['AccountKind'])
}
