import { userInfo } from 'node:os'
import { escapeControls } from '../control-characters.ts'
import type { Events, OperatorCommand, OperatorDone } from '../server/operator/operator-command.ts'
import type { ExitCode } from './command.ts'
import { findData, dataHelp as placeHelp } from './data-place.ts'
import { tellError } from './tell-error.ts'

type WithoutActor<Command> = Command extends { actor: string } ? Omit<Command, 'actor'> : never

/** A command of an operator, without who gives it. */
export type Asked = WithoutActor<OperatorCommand>

/** The options of all commands for operators, as `--help` shows them. */
export const dataHelp = `${placeHelp}
  --json          print JSON for programs (off)`

export const dataOptions = {
  data: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

async function* nothing(): Events {}

/** Asks the service that has the data, or carries a command out on the data itself. */
export async function askOperator<Done extends OperatorDone>(
  flag: string | undefined,
  asked: Asked,
  events: Events = nothing(),
): Promise<Done> {
  const command = { ...asked, actor: actorOf() } as OperatorCommand
  const { readConfig } = await import('../server/config/config.ts')
  const config = readConfig([], (await findData(flag)).env)
  if (config === 'help') throw new Error('no option asks for help here')
  if (config.data !== undefined) {
    const { sendCommand } = await import('../server/boot/command-socket.ts')
    const done = await sendCommand<Done>(config.data, command, events)
    if (done) return done
  }
  const { openStore } = await import('../server/boot/open-store.ts')
  const { runOperatorCommand } = await import('../server/operator/operator-command.ts')
  const { keepHeapSmall } = await import('../server/boot/small-heap.ts')
  const store = await openStore(config)
  try {
    if ('import' in command) keepHeapSmall()
    return (await runOperatorCommand(store.service, command, events)) as Done
  } finally {
    await store.close()
  }
}

/** Who gives commands, as the audit log names them. */
export const actorOf = (): string => `operator:${nameOfUser()}`

function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as a user without a name.
    return String(process.getuid?.() ?? 'unknown')
  }
}

/**
 * Prints the result of a command. An expected error is one line on standard error instead, which
 * begins with `prefix`.
 */
export async function printDone<Done>(
  asking: Promise<Done>,
  print: (done: Done) => ExitCode,
  prefix = '',
): Promise<ExitCode> {
  try {
    return print(await asking)
  } catch (error) {
    if (!(error instanceof Error && (await isExpected(error)))) throw error
    tellError(prefix + error.message)
    return 1
  }
}

const isExpected = async (error: Error): Promise<boolean> => {
  const { DatabaseError, DatabaseUnavailable } = await import('../server/kernel/database.ts')
  const { ConfigError } = await import('../server/config/read-option.ts')
  const { OperatorError } = await import('../server/operator/operator-error.ts')
  const kinds = [DatabaseError, DatabaseUnavailable, ConfigError, OperatorError]
  return kinds.some((kind) => error instanceof kind)
}

/** Rows as columns that are as wide as their longest cell. */
export function toTable(head: readonly string[], raw: readonly (readonly string[])[]): string {
  const rows = raw.map((row) => row.map(escapeControls))
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [head, ...rows].map(line).join('\n')
}
