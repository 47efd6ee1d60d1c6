/** The option that says where the data is, as `--help` of each command shows it. */
export const dataHelp = `  --data FOLDER   use the data of this folder (the PostgreSQL of DATABASE_URL; without it, the folder
                  DATA_DIR, or ./data)`

/** Where the data of a command is: a database of PostgreSQL, or a folder. */
interface DataPlace {
  url: string | undefined
  folder: string
  /** The environment for the service, without what names another place. */
  env: NodeJS.ProcessEnv
}

/** Finds where the data is: the flag counts before DATABASE_URL, and that before DATA_DIR. */
export async function findData(flag: string | undefined): Promise<DataPlace> {
  const { withSecretFiles } = await import('../server/config/secret-files.ts')
  const { ConfigError } = await import('../server/config/read-option.ts')
  const { readDatabaseUrl } = await import('../server/config/config.ts')
  if (flag === '') throw new ConfigError('--data (DATA_DIR) must not be empty')
  // A service with data in memory alone would share nothing with its commands.
  const { DATABASE_URL, DATA_DIR, MEMORY, ...others } = withSecretFiles(process.env)
  const folder = flag ?? (DATA_DIR || 'data')
  if (flag !== undefined || !DATABASE_URL) {
    return { url: undefined, folder, env: { ...others, DATA_DIR: folder } }
  }
  const url = readDatabaseUrl(() => DATABASE_URL)
  return { url, folder, env: { ...others, DATABASE_URL } }
}
