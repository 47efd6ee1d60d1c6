import { readFileSync } from 'node:fs'
import { ConfigError } from './read-option.ts'

type Values = Readonly<Record<string, string | undefined>>

/** What may come from a file, so that no list of processes or variables shows it. */
const secrets = ['ENCRYPTION_KEY', 'ENCRYPTION_KEY_PREVIOUS', 'DATABASE_URL', 'OIDC_CLIENT_SECRET']

/** The environment with the secrets that variables such as `ENCRYPTION_KEY_FILE` name files for. */
export function withSecretFiles(environment: Values): Values {
  const read = secrets.flatMap((name) => {
    const file = environment[`${name}_FILE`]
    if (!file) return []
    if (environment[name]) {
      throw new ConfigError(`${name} and ${name}_FILE cannot be used together`)
    }
    return [[name, readSecret(`${name}_FILE`, file)]]
  })
  return { ...environment, ...Object.fromEntries(read) }
}

function readSecret(variable: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`${variable}: ${file} cannot be read (${code})`)
  }
  if (text === '') throw new ConfigError(`${variable}: ${file} is empty`)
  return text
}
