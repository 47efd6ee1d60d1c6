import { type Outcome, runCampaign, type Wishes } from './campaign.ts'

// A process of its own, since what it tries may end it. Its wishes come as one argument, and what
// came of each goes back as a message.

/** What a worker tells: that it is alive, or what came of a wish. */
export type Told = { requests: number } | { index: number; outcome: Outcome }

const wishes = JSON.parse(process.argv[2] ?? '[]') as Wishes[]

const tell = (told: Told): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) process.send(told, () => resolve())
    else resolve()
  })

for (const [index, wish] of wishes.entries()) {
  const outcome = await runCampaign(wish, (requests) => void tell({ requests }))
  await tell({ index, outcome })
  if (!process.send) console.log(outcome.reach.requests, outcome.found, outcome.finding)
}
process.exit(0)
