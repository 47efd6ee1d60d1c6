import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'

const output = join(root, 'src/server/observe/log-output.ts')

/** Opens the output and then does this. */
const programOf = (work: string): string =>
  `import { openOutput } from ${JSON.stringify(output)}; const out = openOutput(); ${work}`

function start(work: string) {
  return spawn(process.execPath, ['--input-type=module', '-e', programOf(work)], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
}

/** What a program writes that opens the output and then does this. */
async function run(work: string): Promise<{ written: string; code: number | null }> {
  const child = start(work)
  child.stdin.end()
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { written: await text(child.stdout), code: await ended }
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, number) => `line ${number}\n`).join('')
const writeSome = "for (let n = 0; n < 1000; n += 1) out.write('line ' + n + '\\n');"

const ends: [how: string, work: string, code: number][] = [
  ['nothing is left to do', '', 0],
  ['it says so', 'process.exit(3)', 3],
  ['something is thrown', "throw new Error('no')", 1],
  ['something is thrown later', "setTimeout(() => { throw new Error('no') }, 1)", 1],
  ['a while has passed', 'setTimeout(() => process.exit(4), 100)', 4],
]

test.each(ends)('all lines are written where a program ends since %s', async (_how, work, code) => {
  expect(await run(`${writeSome} ${work}`)).toEqual({ written: lines(1000), code })
})

test('a line is written soon, also by a program that goes on', async () => {
  const child = start("out.write('one\\n'); process.stdin.resume()")
  const [first] = await once(child.stdout, 'data')
  child.kill()
  expect(String(first)).toBe('one\n')
})

test('more than is gathered is written at once, in its order', async () => {
  const { written } = await run(
    "for (let n = 0; n < 50000; n += 1) out.write('line ' + n + '\\n'); process.exit(0)",
  )
  expect(written).toBe(lines(50_000))
})

test('what a slow reader has not taken yet is written before the end', async () => {
  // A program that has used its standard output otherwise no longer waits for its pipe to have room.
  const program = programOf(`console.log('greeting')
    for (let n = 0; n < 5000; n += 1) out.write('line ' + n + '\\n')
    setTimeout(() => {
      for (let n = 5000; n < 10000; n += 1) out.write('line ' + n + '\\n')
      process.exit(0)
    }, 150)`)
  const late = '"$0" --input-type=module -e "$1" | (sleep 0.6; cat)'
  const child = spawn('sh', ['-c', late, process.execPath, program])
  expect(await text(child.stdout)).toBe(`greeting\n${lines(10_000)}`)
})
