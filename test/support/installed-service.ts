import { spawn } from 'node:child_process'
import { endsWithUs } from './children.ts'
import { end, printedUntil } from './service-process.ts'

/** A program that listens. */
export interface Listening {
  url: string
  /** What it has printed until it listened. */
  greeting: string
  /** Ends it, and returns its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts a program, and resolves once it has printed its address. */
export async function startListening(
  file: string,
  args: string[],
  cwd: string,
): Promise<Listening> {
  const child = endsWithUs(spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] }))
  const greeting = await printedUntil(child, /http:\/\/[\d.]+:\d+\/docs/)
  if (greeting === undefined) throw new Error('the program ended before it listened')
  const [url] = /http:\/\/[\d.]+:\d+/.exec(greeting)!
  return { url, greeting, end: (signal) => end(child, signal) }
}
