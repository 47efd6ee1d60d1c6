import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examplesOf } from '../../scripts/docs/example-list.ts'
import { exampleRequests } from '../../scripts/docs/example-requests.ts'
import { pythonSample } from '../../scripts/docs/python-sample.ts'
import { readSite } from '../../scripts/docs/site.ts'
import { typescriptSample } from '../../scripts/docs/typescript-sample.ts'
import { sendExample } from '../../src/docs/console/fresh-values.ts'
import { compileAll } from '../support/compile.ts'
import { fromSources } from '../support/snippets.ts'
import { type LiveService, startLive } from './live-service.ts'
import { isPythonHere, type Python, startPython } from './python.ts'
import { written } from './site.ts'

const requests = exampleRequests(readSite())

/** Every request example; those that a page shows first, and its console sends, come first. */
const samples = written
  .flatMap(({ from: contract, area, path, operation }) =>
    examplesOf(contract, operation.requestBody.content).map(
      ({ name, value: body, mediaType }, index) => ({
        name,
        area,
        operationId: operation.operationId,
        isFirst: index === 0,
        request: { contract, path, body, form: mediaType !== 'application/json' },
      }),
    ),
  )
  .toSorted((one, other) => Number(other.isFirst) - Number(one.isFirst))

test('every sample in TypeScript compiles', () => {
  const ofClients = samples.filter(({ request }) => !request.form)
  const sources = ofClients.map(({ area, operationId, request }) =>
    fromSources(typescriptSample(area as 'operations' | 'sandbox', operationId, request)),
  )
  const problems = compileAll(sources).map((found, index) => [ofClients[index]!.name, found])
  expect(problems).toEqual(ofClients.map(({ name }) => [name, []]))
})

describe.skipIf(!isPythonHere('samples in Python'))('in Python', () => {
  let service: LiveService
  let python: Python
  beforeAll(async () => {
    service = await startLive()
    python = startPython()
  })
  afterAll(async () => {
    python?.close()
    await service?.close()
  })

  /** Sends an example as its sample does; values that it needs are made as the console makes them. */
  async function runSample({ request }: (typeof samples)[number]) {
    const { contract, path } = request
    const call = async (to: string, text: string) => {
      if (to !== path) return { ...(await service.call(to, text)), sent: '', printed: '' }
      const program = pythonSample({ ...request, body: JSON.parse(text) })
      return python.run(program.replace(contract.servers[0]!.url, service.address))
    }
    const { body, answer } = await sendExample(requests, call, path, JSON.stringify(request.body))
    return { body: JSON.parse(body), answer }
  }

  test.each(samples)('the sample of $name sends the example', async (sample) => {
    const { isFirst, request } = sample
    const { body, answer } = await runSample(sample)
    const { sent, status, printed } = answer
    const received = request.form ? Object.fromEntries(new URLSearchParams(sent)) : JSON.parse(sent)
    expect(received).toEqual(body)
    expect(printed).toMatch(new RegExp(`^${status} \\{`))
    // The other examples want a state that a fresh sandbox need not have.
    if (isFirst) expect(answer).toMatchObject({ status: 200 })
  })
})
