import { type CampaignTask, type Outcome, runCampaign } from './campaign.ts'

// A process of its own, since what it tries may end it. Its tasks come as one argument, and what
// came of each goes back as a message.

/** What a worker tells: that it is alive, or the result of a task. */
export type Told = { requests: number } | { index: number; outcome: Outcome }

const tasks = JSON.parse(process.argv[2] ?? '[]') as CampaignTask[]

const tell = (told: Told): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) process.send(told, () => resolve())
    else resolve()
  })

for (const [index, task] of tasks.entries()) {
  const outcome = await runCampaign(task, (requests) => void tell({ requests }))
  await tell({ index, outcome })
  if (!process.send) console.log(outcome.reach.requests, outcome.found, outcome.finding)
}
process.exit(0)
