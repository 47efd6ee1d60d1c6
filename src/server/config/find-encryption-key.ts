import type { Config } from './config.ts'
import { keyFile } from './data-folder.ts'
import {
  type FoundKey,
  givenKey,
  newEncryptionKey,
  readKeyFile,
  rejectWeakKey,
} from './encryption-key.ts'

/** The key of the data: the one that options give, the one beside the data, or a new one. */
export function findEncryptionKey(
  config: Pick<Config, 'encryptionKey' | 'previousKeys' | 'data' | 'environment'>,
): FoundKey {
  const { encryptionKey: text, previousKeys, data, environment } = config
  if (text !== undefined) {
    const given = givenKey(text, previousKeys)
    rejectWeakKey(given.key, environment)
    return given
  }
  if (data !== undefined) return readKeyFile(keyFile(data))
  return { key: newEncryptionKey(), previous: [], name: 'ENCRYPTION_KEY', keep: () => {} }
}
