import { spawn } from 'node:child_process'
import { dirname } from 'node:path'

/** What a block of commands printed, on both outputs, and how its last command ended. */
export interface Typed {
  output: string
  code: number
}

/** A shell that stays open, so that a block can use what an earlier one has set. */
export interface Shell {
  type(block: string): Promise<Typed>
  /** Ends the shell and everything that it has started. */
  close(): Promise<void>
}

/** Opens a shell in a folder; `node` in it is the one that runs the tests. */
export function openShell(folder: string): Shell {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
  // A process group of its own, which can be ended as a whole.
  const shell = spawn('bash', { cwd: folder, env, detached: true })
  const ended = new Promise<void>((resolve) => shell.once('close', () => resolve()))
  let output = ''
  let look = () => {}
  shell.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    look()
  })
  shell.stdin.write('exec 2>&1\n')
  return {
    type(block) {
      output = ''
      shell.stdin.write(`${block}\nprintf '\\nend of block %s\\n' $?\n`)
      return new Promise((resolve) => {
        look = () => {
          const [whole, code] = output.match(/\nend of block (\d+)\n/) ?? []
          if (whole) resolve({ output: output.replace(whole, ''), code: Number(code) })
        }
      })
    },
    async close() {
      if (shell.pid) process.kill(-shell.pid)
      await ended
    },
  }
}
