import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Answer } from '../../src/docs/console/fresh-values.ts'
import { endsWithUs } from '../support/children.ts'

/**
 * Whether Python is here, with `requests`. Otherwise the tests that need it are skipped, with a line
 * that says so; with `REQUIRE_ALL=1` that is a failure.
 */
export function isPythonHere(what: string): boolean {
  if (spawnSync('python3', ['-c', 'import requests']).status === 0) return true
  const message = `${what}: there is no python3 with the package requests`
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(message)
  console.log(`SKIPPED: ${message}`)
  return false
}

/** Runs each program that it gets, and tells what answered it, and what it printed. */
const loop = `
import contextlib, io, json, sys
for line in sys.stdin:
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(json.loads(line), names)
    response = names["response"]
    told = {"status": response.status_code, "body": response.json(), "printed": printed.getvalue()}
    sent = response.request.body
    told["sent"] = sent if isinstance(sent, str) else sent.decode()
    print(json.dumps(told), flush=True)
`

/** An answer with the body that was sent, and what the program printed. */
interface PythonAnswer extends Answer {
  sent: string
  printed: string
}

export interface Python {
  run(program: string): Promise<PythonAnswer>
  close(): void
}

/** Starts one Python for all programs, since importing `requests` takes the most time. */
export function startPython(): Python {
  const child = endsWithUs(spawn('python3', ['-c', loop], { stdio: ['pipe', 'pipe', 'inherit'] }))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    async run(program) {
      child.stdin.write(`${JSON.stringify(program)}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error(`Python ended at\n${program}`)
      const told = JSON.parse(value)
      return { ok: told.status === 200, ...told }
    },
    close: () => child.stdin.end(),
  }
}
