import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { guideFolder } from '../../scripts/docs/guides.ts'
import { createContractIndex } from '../../src/proxy/contract-index.ts'
import { createProxy } from '../../src/proxy/proxy.ts'
import { freePort } from '../support/free-port.ts'
import { type RunningMock, startMock } from '../support/mock.ts'
import { startWorld, type TestService } from '../support/service.ts'
import { openShell, type Shell } from '../support/shell.ts'
import { fromSources, snippetsOf } from '../support/snippets.ts'

// The commands of each guide, typed into one shell as they stand there, against the service and the
// mock. What installs or starts something is done already: test/package does that with the package.

const prelude = `
export XDG_CONFIG_HOME=$PWD/config
npm() { :; }
npx() {
  case "$1 $2" in
    'financial-data-service serve' | 'financial-data-service mock' | 'financial-data-service proxy') ;;
    financial-data-service\\ *) shift; node ${join(root, 'src/cli/main.ts')} "$@" ;;
    *) echo "error: npx $*"; return 1 ;;
  esac
}`

let service: TestService
let url: string
let mock: RunningMock
let proxy: Server
let addresses: [RegExp, string][]

beforeAll(async () => {
  service = await startWorld({ publicUrl: () => url })
  mock = await startMock()
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  proxy = createProxy({
    ...{ upstream: new URL(url), index: await createContractIndex(false), version: '2020-09-14' },
    ...{ enforce: true, mostBytes: 1_000_000, timeout: 10_000, isHost: () => true },
    ...{ log() {}, onFailure() {} },
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  addresses = [
    [/http:\/\/127\.0\.0\.1:4000/g, url],
    [/http:\/\/127\.0\.0\.1:4010/g, mock.url],
    [/\b4020\b/g, String(port)],
    [/\b4002\b/g, String(await freePort())],
  ]
  mkdirSync(join(root, '.cache'), { recursive: true })
}, 60_000)
afterAll(async () => {
  proxy.closeAllConnections()
  await new Promise((resolve) => proxy.close(resolve))
  await service.close()
  await mock.close()
})

const here = (code: string): string =>
  addresses.reduce((text, [address, actual]) => text.replaceAll(address, actual), code)

const documents = ['openapi/introduction.md', ...globSync(`${guideFolder}/*.md`, { cwd: root })]
const startsOwn = [
  // Its server runs until somebody ends it: `test/docs/link-app.test.ts` starts it.
  `${guideFolder}/02-run-an-example-app.md`,
  // Its commands start a service of their own, in `test/server/operator-commands.test.ts`.
  `${guideFolder}/17-open-for-business.md`,
]
const files = documents
  .sort()
  .filter((file) => !startsOwn.includes(file) && snippetsOf(file, 'sh').length > 0)

const failure = /"error_code"|error: |Error: |command not found|undefined/

describe.each(files)('%s', (file) => {
  let folder: string
  let shell: Shell

  beforeAll(async () => {
    // Two levels below the root, where the paths of `fromSources` begin.
    folder = mkdtempSync(join(root, '.cache/shell-'))
    for (const { name, code } of snippetsOf(file, 'ts')) {
      if (name) writeFileSync(join(folder, name), here(fromSources(code)))
    }
    shell = openShell(folder)
    await shell.type(prelude)
  })
  afterAll(async () => {
    await shell.close()
    rmSync(folder, { recursive: true })
  })

  test.each(snippetsOf(file, 'sh'))(
    '$place',
    async ({ code, prints }) => {
      const { output, code: exit } = await shell.type(here(code))
      if (prints !== undefined) return expect(output).toBe(prints)
      expect(output).not.toMatch(failure)
      expect(exit).toBe(0)
    },
    30_000,
  )
})
