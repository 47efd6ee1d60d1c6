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
 * Standard output with writes that do not block: a slow reader of the log does not delay the service.
 * Lines are written in batches, since each write wakes another thread, which takes as long as a good
 * part of a request. The rest is written when the process ends. Only a process that is killed loses
 * the lines of its last moment.
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
    // Otherwise the stream would start an asynchronous write, which cannot end any more.
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
