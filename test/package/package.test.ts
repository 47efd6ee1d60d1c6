import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root, versions } from '../../scripts/contract/contract.ts'
import { readyAccessToken, wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { consumer, expectedImports, importsOf } from '../support/consumer.ts'
import {
  attempt,
  type InstalledPackage,
  installPackage,
  run,
} from '../support/installed-package.ts'
import { startListening } from '../support/installed-service.ts'
import { olderNode } from '../support/older-node.ts'

// The package as it is published: packed from the sources, and installed into an empty project.

let installed: InstalledPackage
beforeAll(async () => {
  installed = await installPackage()
}, 120_000)
afterAll(() => installed?.remove())

const tool = (path: string): string => join(root, 'node_modules', path)

/** Runs a module in the project. */
const runModule = (code: string, node = process.execPath) =>
  run(node, ['--input-type=module', '--eval', code], { cwd: installed.project })

/** What the compiler says of a file in the project, libraries included. */
async function judgedByTypes(name: string, code: string, options: object): Promise<string> {
  const { project } = installed
  const compilerOptions = {
    target: 'es2022',
    strict: true,
    skipLibCheck: false,
    // Those of TypeScript itself, which have been checked often enough.
    skipDefaultLibCheck: true,
    noEmit: true,
    ...options,
  }
  writeFileSync(join(project, `${name}.ts`), code)
  const settings = JSON.stringify({ compilerOptions, files: [`${name}.ts`] })
  writeFileSync(join(project, `${name}.json`), settings)
  const args = [tool('typescript/bin/tsc'), '--project', `${name}.json`]
  return (await attempt(process.execPath, args, { cwd: project })).stdout
}

describe('the package', () => {
  test('brings two others at most', () => {
    const packages = readdirSync(join(installed.project, 'node_modules')).filter(
      (name) => !name.startsWith('.'),
    )
    expect(packages).toEqual([
      'financial-data-service',
      'openapi-fetch',
      'openapi-typescript-helpers',
    ])
  })

  test('holds what runs and its types, and neither sources nor docs', () => {
    const { files } = installed
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md']))
    const others = files.filter((file) => !/^dist\/(src|generated)\//.test(file))
    expect(others.sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-NOTICES.txt',
      'package.json',
    ])
    expect(files.filter((file) => /(?<!\.d)\.ts$|\.map$/.test(file))).toEqual([])
  })

  test('names the licence of each package whose code it carries', () => {
    const notices = readFileSync(join(installed.staged, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const name of ['fastify', 'pino', 'postgres', 'yaml', '@stoplight/prism-http']) {
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(\\S+\\)$`, 'm'))
    }
    const [, ...each] = notices.split(/\n-{80}\n/)
    expect(each.filter((notice) => notice.trim().length < 100)).toEqual([])
  })

  test('is as publint wants it', async () => {
    const { messages } = await publint({ pkgDir: installed.staged, pack: false, strict: true })
    expect(messages).toEqual([])
  })

  test('has types that are not wrong', async () => {
    const attw = tool('@arethetypeswrong/cli/dist/index.js')
    const args = [attw, installed.tarball, '--profile', 'esm-only', '--format', 'json']
    const { stdout } = await attempt(process.execPath, args, { cwd: root })
    const { analysis, problems } = JSON.parse(stdout) as {
      analysis: { entrypoints: object }
      problems: Record<string, { resolutionKind: string }[]>
    }
    expect(Object.keys(analysis.entrypoints)).toContain('./webhooks')
    const asModule = Object.values(problems)
      .flat()
      .filter(({ resolutionKind }) => !['node10', 'node16-cjs'].includes(resolutionKind))
    expect(asModule).toEqual([])
  }, 60_000)
})

describe('what can be imported', () => {
  test('is all that the contract has, and nothing inside', () => {
    const names = importsOf(installed)
    expect(names).toEqual(expect.arrayContaining(expectedImports()))
    expect(names.filter((name) => /server|chunks|shared/.test(name))).toEqual([])
  })

  test('can be imported on the Node at hand', async () => {
    const names = importsOf(installed).filter((name) => !name.endsWith('/msw'))
    const { stdout } = await runModule(importing(names))
    expect(JSON.parse(stdout)).toEqual([])
  })

  test.runIf(olderNode)('can be imported on Node 20', async () => {
    const names = importsOf(installed).filter((name) => !name.endsWith('/msw'))
    const { stdout } = await runModule(importing(names), olderNode)
    expect(JSON.parse(stdout)).toEqual([])
  })

  test.concurrent.each(['nodenext', 'bundler'])(
    'has types by %s, without skipLibCheck',
    async (kind) => {
      const options = {
        lib: ['es2022', 'dom', 'dom.iterable'],
        module: kind === 'bundler' ? 'esnext' : kind,
        moduleResolution: kind,
        types: [],
        exactOptionalPropertyTypes: true,
      }
      expect(await judgedByTypes(kind, consumer, options)).toBe('')
    },
    120_000,
  )

  test('has types that a project without those of browsers can use', async () => {
    const entries = ['', '/webhooks', '/errors', '/enums', '/checks', '/testing']
    const code = entries.map((entry, at) => {
      return `export type * as entry${at} from 'financial-data-service${entry}'`
    })
    const typeRoots = [join(root, 'node_modules/@types')]
    const options = { lib: ['es2022'], module: 'nodenext', typeRoots, types: ['node'] }
    expect(await judgedByTypes('server', code.join('\n'), options)).toBe('')
  }, 120_000)

  test('is one module wherever it is used: the errors of the service for tests are the client’s', async () => {
    const { stdout } = await runModule(`
      import { ServiceError } from 'financial-data-service'
      import { startService } from 'financial-data-service/testing'
      await using service = await startService()
      const { error } = await service.client.walletGet({ wallet_id: 'none' })
      console.log(error instanceof ServiceError)
    `)
    expect(stdout).toBe('true\n')
  })
})

describe('the installed command', () => {
  const bin = () => join(installed.project, 'node_modules/.bin/financial-data-service')
  const start = (...args: string[]) => startListening(bin(), args, installed.project)
  const item = { access_token: readyAccessToken }
  const [{ clientId, secret }] = wellKnownClients
  const call = (url: string, path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Service-Client-Id': clientId,
        'Service-Secret': secret,
        ...headers,
      },
      body: JSON.stringify(item),
    })

  test('runs the service, which keeps its data and ends when it is asked to', async () => {
    const first = await start('serve', '--port', '0', '--data', 'data')
    expect((await call(first.url, '/item/remove')).status).toBe(200)
    expect(await first.end('SIGTERM')).toBe(0)
    const second = await start('serve', '--port', '0', '--data', 'data')
    expect(await (await call(second.url, '/accounts/get')).json()).toMatchObject({
      error_code: 'ITEM_NOT_FOUND',
    })
    expect(await second.end('SIGINT')).toBe(0)
  })

  test('runs the service with seed data of your own, without docs', async () => {
    writeFileSync(join(installed.project, 'world.yaml'), 'seed: another\n')
    const { url, end } = await start('serve', '--port', '0', '--memory', '--fixture', 'world.yaml')
    const { documentation_url } = (await (await call(url, '/wallet/get')).json()) as {
      documentation_url: string
    }
    const [page, code] = documentation_url.split('#')
    const errors = await fetch(page!)
    expect(errors.headers.get('content-type')).toContain('text/html')
    expect(await errors.text()).toContain(`id="${code}"`)
    const startPage = await (await fetch(url)).text()
    const links = [...startPage.matchAll(/href="([^"]+)"/g)].map(
      ([, path]) => `${url}/docs/${path}`,
    )
    const statuses = await Promise.all(links.map(async (link) => (await fetch(link)).status))
    expect(statuses).toEqual(links.map(() => 200))
    expect(links).toHaveLength(3 + versions.length)
    expect(await end('SIGTERM')).toBe(0)
  })

  test('runs the mock', async () => {
    const { url, end } = await start('mock', '--port', '0')
    expect((await call(url, '/accounts/get')).status).toBe(200)
    const prefer = 'code=400, example=NO_ACCOUNTS'
    expect(await (await call(url, '/accounts/get', { prefer })).json()).toMatchObject({
      error_code: 'NO_ACCOUNTS',
    })
    const older = await call(url, '/accounts/get', { 'Service-Version': '2018-05-22' })
    expect(older.status).toBe(200)
    expect(await end('SIGTERM')).toBe(0)
  })

  test('validates', async () => {
    const args = ['validate', 'walletGet']
    const { code, stdout } = await attempt(bin(), args, { cwd: installed.project, input: '{}' })
    expect(code).toBe(1)
    expect(stdout).toContain('MISSING_FIELDS')
  })

  describe.runIf(olderNode)('on Node 20', () => {
    const onOlder = (...args: string[]) =>
      attempt(olderNode!, [bin(), ...args], { cwd: installed.project, input: '{}' })

    test.each(['serve', 'mock'])('rejects %s in one line', async (name) => {
      const { code, stdout, stderr } = await onOlder(name)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^financial-data-service \w+ needs Node 24 or newer.*\n$/)
    })

    test('validates all the same', async () => {
      const { code, stdout } = await onOlder('validate', 'walletList')
      expect(stdout).toMatch(/^valid: /)
      expect(code).toBe(0)
    })

    test('rejects the service for tests in one line', async () => {
      const { stdout } = await runModule(
        `import { startService } from 'financial-data-service/testing'
        await startService().catch(({ message }) => console.log(message))`,
        olderNode,
      )
      expect(stdout).toMatch(/^startService needs Node 24 or newer.*\n$/)
    })
  })
})

/** Imports each of these, and prints which failed or hold nothing. */
const importing = (names: readonly string[]): string => `
  const failed = []
  for (const name of ${JSON.stringify(names)}) {
    const options = name.endsWith('.json') ? { with: { type: 'json' } } : {}
    const found = await import(name, options).catch(String)
    const isEmpty = Object.keys(found).length === 0 && !name.endsWith('/types')
    if (typeof found === 'string' || isEmpty) failed.push([name, found])
  }
  console.log(JSON.stringify(failed))
  process.exit(0)
`
