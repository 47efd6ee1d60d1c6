import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { CampaignTask, Outcome } from './campaign.ts'
import type { Told } from './worker.ts'

/** Longer than any run of requests takes on a busy machine, in ms. */
const longestSilence = 300_000

/**
 * Carries out tasks one after the other in a process of its own. One that ends the process, or makes
 * it fall silent, has found something; the rest go on in a new one.
 */
export async function runTasks(
  tasks: readonly CampaignTask[],
  environment: Record<string, string> = {},
  told: (requests: number) => void = () => {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  while (outcomes.length < tasks.length) {
    const rest = tasks.slice(outcomes.length)
    const { done, died, requests } = await runWorker(rest, environment, told)
    outcomes.push(...done)
    if (done.length === rest.length) break
    outcomes.push(ended(rest[done.length] as CampaignTask, died, requests))
  }
  return outcomes
}

const ended = ({ seed }: CampaignTask, died: string, requests: number): Outcome => ({
  reach: { requests, plain: [], injected: [], statuses: [] },
  finding: `lives: ${died} after ${requests} requests of the seed ${seed}`,
  found: requests,
  time: 0,
})

interface Ran {
  done: Outcome[]
  died: string
  requests: number
}

function runWorker(
  tasks: readonly CampaignTask[],
  environment: Record<string, string>,
  told: (requests: number) => void,
): Promise<Ran> {
  const child = fork(join(import.meta.dirname, 'worker.ts'), [JSON.stringify(tasks)], {
    env: { ...process.env, ...environment },
    // Requests leave much that is soon forgotten.
    execArgv: ['--max-semi-space-size=64'],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  const done: Outcome[] = []
  let requests = 0
  let died = 'the process ended'
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + String(chunk)).slice(-2000)
  })
  const fall = () => {
    died = 'the process fell silent'
    child.kill('SIGKILL')
  }
  let timer = setTimeout(fall, longestSilence)
  child.on('message', (message: Told) => {
    clearTimeout(timer)
    timer = setTimeout(fall, longestSilence)
    if ('outcome' in message) done.push(message.outcome)
    requests = 'requests' in message ? message.requests : 0
    told(requests)
  })
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      const [line = ''] = /^\w*Error: .*$/m.exec(words) ?? []
      resolve({ done, died: `${died} (${signal ?? code}) ${line.slice(0, 300)}`.trim(), requests })
    })
  })
}
