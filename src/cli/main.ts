#!/usr/bin/env node
import manifest from '../../package.json' with { type: 'json' }
import { escapeControls } from '../control-characters.ts'
import { hintOf } from '../nearest.ts'
import { type ExitCode, program } from './command.ts'
import { commands, overview } from './commands.ts'
import { UsageError } from './usage-error.ts'
import { watchOutput } from './watch-output.ts'

/** They run on where their log cannot be written. */
const servers: readonly (string | undefined)[] = ['serve', 'mock', 'proxy']

async function main([name, ...args]: string[]): Promise<ExitCode> {
  if (name === '--help' || name === '-h' || name === 'help') return print(overview)
  if (name === '--version' || name === '-v') return print(manifest.version)
  const load = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) {
    const told =
      name === undefined
        ? 'a command is needed'
        : `there is no command ${name}${hintOf(name, Object.keys(commands))}`
    return reject(`${told} (see ${program} --help)`, 2)
  }
  const output = servers.includes(name) ? undefined : watchOutput()
  const { help, node = 0, run } = await load()
  if (Number.parseInt(process.versions.node, 10) < node) {
    const has = process.versions.node
    return reject(`${program} ${name} needs Node ${node} or newer, and this is ${has}`, 1)
  }
  if (args.includes('--help') || args.includes('-h')) return print(help)
  try {
    return await run(args)
  } catch (error) {
    if (output?.isFailure(error)) return 1
    if (!(error instanceof UsageError)) throw error
    return reject(`${error.message} (see ${program} ${name} --help)`, 2)
  }
}

function print(text: string): ExitCode {
  console.log(text)
  return 0
}

function reject(message: string, code: 1 | 2): ExitCode {
  console.error(escapeControls(message))
  return code
}

process.exitCode = await main(process.argv.slice(2))
