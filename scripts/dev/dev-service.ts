import { start } from '../../src/server/boot/start.ts'
import { readConfig } from '../../src/server/config/config.ts'
import { ConfigError } from '../../src/server/config/read-option.ts'
import { createAnswerCheck } from '../validators/answer-check.ts'

// The service as `npm run dev` runs it: from its sources, with each answer checked exactly.

try {
  const config = readConfig(process.argv.slice(2), process.env)
  if (config === 'help') throw new ConfigError('see `npm start -- --help` for the options')
  const { address, close } = await start(config, createAnswerCheck())
  console.log(`service ${address}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void close().then(() => process.exit(0)))
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
