import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { readText } from './input.ts'
import { UsageError } from './usage-error.ts'

/** The user ended a question with Ctrl-C or Ctrl-D. */
export class Interrupted extends Error {}

/** Asks on the terminal. Standard output stays free for what the command prints. */
export const askLine = (question: string): Promise<string> =>
  ask((lines) => lines.question(question), process.stderr)

/** Asks on the terminal, and shows nothing of what is typed. */
export async function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    return await ask((lines) => {
      // Only now does the terminal show nothing: people type as soon as they see the question.
      process.stderr.write(question)
      return lines.question('')
    }, nowhere)
  } finally {
    process.stderr.write('\n')
  }
}

async function ask(
  put: (lines: Interface) => Promise<string>,
  output: NodeJS.WritableStream,
): Promise<string> {
  // As a terminal, so that the system echoes nothing of what is typed.
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 })
  const ended = new Promise<never>((_, reject) => {
    lines.once('SIGINT', () => reject(new Interrupted()))
    lines.once('close', () => reject(new Interrupted()))
  })
  try {
    return (await Promise.race([put(lines), ended])).trim()
  } finally {
    ended.catch(() => {})
    lines.close()
  }
}

/** A secret of a file, or of standard input where that is `-`. */
export async function readSecretFile(file: string): Promise<string> {
  const text = file === '-' ? String(await buffer(process.stdin)) : await readText(file)
  const secret = text.trim()
  if (secret === '') throw new UsageError(`${file === '-' ? 'standard input' : file} is empty`)
  return secret
}
