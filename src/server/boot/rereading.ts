import { ConfigError } from '../config/read-option.ts'
import type { Log } from '../kernel/log.ts'

/** What a file of an option is about. */
export interface Reread {
  /** As in "the institutions stay as they were". */
  name: string
  /** The command that prints all mistakes of such a file. */
  check: string
  /** Reads the file and uses what it says, for somebody that the audit log names. */
  read(actor: string): Promise<void>
}

/** Reads files again, one time after the other. A wrong one leaves what was read before as it is. */
export function createRereading(
  subjects: readonly Reread[],
  log: Pick<Log, 'error'>,
  warn: (message: string) => void,
): { again(actor: string): Promise<void>; stop(): Promise<void> } {
  let last: Promise<void> = Promise.resolve()
  let isStopped = false
  const readOne = async ({ name, check, read }: Reread, actor: string): Promise<void> => {
    if (isStopped) return
    try {
      await read(actor)
    } catch (error) {
      if (error instanceof ConfigError) warn(toWarning(name, check, error.message))
      else log.error(error, `the ${name} were not read again`)
    }
  }
  return {
    again(actor) {
      for (const subject of subjects) last = last.then(() => readOne(subject, actor))
      return last
    },
    stop() {
      isStopped = true
      return last
    },
  }
}

/** One line, which has the first mistake. */
function toWarning(name: string, check: string, message: string): string {
  const [first = '', ...others] = message.split('\n')
  const more = others.length === 0 ? '' : ` (and more: \`${check}\` prints them)`
  return `the ${name} stay as they were, since the file cannot be used: ${first}${more}`
}
