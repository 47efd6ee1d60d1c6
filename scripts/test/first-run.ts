import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { takeArguments } from '../command.ts'
import { root } from '../contract/contract.ts'

// What somebody types first: `npm start`, the call that it prints, and Ctrl-C. CI does so before it
// runs the tests, in the same folder, so that the tests meet what a service leaves behind.

const patienceMs = 60_000

/** Starts the service as the README says, and resolves with the call that it suggests. */
async function firstRun(): Promise<void> {
  const child = spawn('npm', ['start', '--', '--port', '0'], {
    cwd: root,
    // In a group of its own, which the terminal's Ctrl-C reaches as a whole.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), patienceMs)
  try {
    const answer = call(await printedCall(child.stdout))
    console.log(`npm start answers its own example: ${answer.slice(0, 60)}…`)
  } finally {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGINT')
    await ended
    clearTimeout(timer)
  }
}

/** The curl command of the greeting. */
async function printedCall(output: NodeJS.ReadableStream): Promise<string> {
  const lines: string[] = []
  for await (const line of createInterface(output)) {
    console.log(line)
    if (lines.length > 0 || line.trimStart().startsWith('curl ')) lines.push(line)
    if (lines.length > 0 && !line.endsWith('\\')) return lines.join('\n')
  }
  throw new Error('npm start ended before it printed an example')
}

/** Types the command into a shell; fails where the answer is no success. */
const call = (command: string): string =>
  execFileSync('sh', ['-c', `${command.trim()} --fail-with-body --silent --show-error`], {
    encoding: 'utf8',
  })

takeArguments(`usage: npm run first-run
Starts the service in this folder as the README says, makes the call that it prints, and stops it.`)
await firstRun()
