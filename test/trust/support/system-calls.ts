import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** One system call as strace has written it, at the moment that it was over. */
export interface SystemCall {
  name: string
  /** What stands between the parentheses. */
  args: string
  result: number
}

/** What a power cut has to do with, and what leaves the process. */
const traced =
  'openat,mkdir,write,writev,pwrite64,pwritev,fsync,fdatasync,ftruncate,unlink,rename,sendto,sendmsg'

/** The program that runs another one and writes its calls to a file, each string as a whole. */
export const traceInto = (file: string): string[] =>
  `strace -f -yy --seccomp-bpf -s 1000000 -e trace=${traced} -e signal=none -o ${file}`.split(' ')

/** The calls of a trace in their order; those of a thread that was interrupted are put together. */
export async function* readCalls(file: string): AsyncGenerator<SystemCall> {
  const begun = new Map<string, string>()
  const lines = createInterface({ input: createReadStream(file, { highWaterMark: 1 << 20 }) })
  for await (const line of lines) {
    const space = line.indexOf(' ')
    const thread = line.slice(0, space)
    const text = line.slice(space).trimStart()
    if (text.endsWith('<unfinished ...>')) {
      begun.set(thread, text.slice(0, -'<unfinished ...>'.length))
      continue
    }
    const [resumed = ''] = /^<\.\.\. \w+ resumed>/.exec(text) ?? []
    const whole = resumed === '' ? text : (begun.get(thread) ?? '') + text.slice(resumed.length)
    const call = toCall(whole)
    if (call) yield call
  }
}

function toCall(text: string): SystemCall | undefined {
  const open = text.indexOf('(')
  const close = text.lastIndexOf(') ')
  const [, result] = /^\)\s*= (-?\d+)/.exec(text.slice(close)) ?? []
  if (open < 0 || result === undefined) return undefined
  return {
    name: text.slice(0, open),
    args: text.slice(open + 1, close).trimEnd(),
    result: Number(result),
  }
}

/** The file or the connection of a descriptor that comes first: `21</data/file>`. */
export const targetOf = ({ args }: SystemCall): string =>
  /^\d+<(.*?)>(?:, |$)/.exec(args)?.[1] ?? ''

/** The strings among the arguments, as bytes. */
export function stringsIn({ args }: SystemCall): Buffer[] {
  return [...args.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => toBytes(text))
}

const letters: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, v: 11, f: 12 }
const zero = 48

/** A string as C writes it, with octal numbers of up to three digits. */
function toBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length)
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== '\\') {
      bytes[length++] = text.charCodeAt(at)
      continue
    }
    at += 1
    const digit = text.charCodeAt(at) - zero
    if (digit < 0 || digit > 7) {
      const letter = text[at] ?? ''
      bytes[length++] = letters[letter] ?? text.charCodeAt(at)
      continue
    }
    let value = digit
    for (let more = 0; more < 2; more += 1) {
      const next = text.charCodeAt(at + 1) - zero
      if (!(next >= 0 && next <= 7)) break
      value = value * 8 + next
      at += 1
    }
    bytes[length++] = value
  }
  return bytes.subarray(0, length)
}
