import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A program that listens. */
export interface Listening {
  url: string
  /** What it has printed until it listened. */
  greeting: string
  /** Ends it, and returns its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts a program, and resolves once it has told where it listens. */
export async function startListening(
  file: string,
  args: string[],
  cwd: string,
): Promise<Listening> {
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  const greeting = await greetingOf(child)
  const [url] = /http:\/\/[\d.]+:\d+/.exec(greeting)!
  return {
    url,
    greeting,
    async end(signal) {
      const exit = once(child, 'exit')
      child.kill(signal)
      const [code] = await exit
      return code
    },
  }
}

async function greetingOf(child: ChildProcess): Promise<string> {
  let greeting = ''
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    greeting += `${line}\n`
    if (/http:\/\/[\d.]+:\d+\/docs/.test(line)) {
      child.stdout?.resume()
      return greeting
    }
  }
  throw new Error('the program ended before it listened')
}
