import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/read-option.ts'
import type { Settings } from '../kernel/context.ts'

/** The connectors of the modules that an option names. @throws ConfigError with every mistake */
export async function readConnectors({
  connectors: modules,
}: Pick<Config, 'connectors'>): Promise<Settings['connectors']> {
  if (modules.length === 0) return undefined
  const { loadConnectors, UnusableConnectors } = await import(
    '../../institution-list/load-connectors.ts'
  )
  try {
    return await loadConnectors(modules)
  } catch (error) {
    if (!(error instanceof UnusableConnectors)) throw error
    const lines = error.message.split('\n').map((line) => `--connectors (CONNECTORS): ${line}`)
    throw new ConfigError(lines.join('\n'))
  }
}
