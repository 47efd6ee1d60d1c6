import { type DestinationStream, pino } from 'pino'

/** What is kept while nobody reads the log; beyond it the newest lines are dropped. */
const longestBacklog = 16 * 1024 * 1024

/** How long a line waits for others at most, and how many characters do not wait any more. */
const gathering = { ms: 50, length: 64 * 1024 }

let opened: DestinationStream | undefined

/** The one that all loggers of this process write to. */
export function openOutput(): DestinationStream {
  opened ??= open()
  return opened
}

/**
 * Standard output, written to beside the work: whoever reads it slowly, or not at all, does not hold
 * the service up. Lines that come together are written together, since each write has to wake another
 * thread, which takes as long as a good part of a request. What is left is written when the process
 * ends; only one that is killed takes the lines of its last moment with it.
 */
function open(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false, maxLength: longestBacklog })
  let lines = ''
  let timer: NodeJS.Timeout | undefined
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    if (lines !== '') output.write(lines)
    lines = ''
  }
  let isClosed = false
  output.once('close', () => {
    isClosed = true
  })
  process.once('beforeExit', write)
  process.once('exit', () => {
    if (isClosed) return
    // Else it would begin a write that nobody is there any more to end.
    Object.assign(output, { minLength: Number.POSITIVE_INFINITY })
    write()
    output.flushSync()
  })
  return {
    write(line) {
      lines += line
      if (lines.length >= gathering.length) write()
      else timer ??= setTimeout(write, gathering.ms).unref()
    },
  }
}
