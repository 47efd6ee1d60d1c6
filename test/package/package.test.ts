import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publint } from 'publint'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { readCatalogue } from '../../scripts/contract/catalogue.ts'
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
import { canRequire, olderNode } from '../support/older-node.ts'
import { productionKey } from '../support/production-key.ts'

// The package as it is published: packed from the sources, and installed into an empty project.

let installed: InstalledPackage
beforeAll(async () => {
  installed = await installPackage()
}, 120_000)
afterAll(() => installed?.remove())

const tool = (path: string): string => join(root, 'node_modules', path)

/** The files that a page links to; blocks of code are left out. */
function linksIn(page: string): string[] {
  const text = readFileSync(join(installed.staged, page), 'utf8').replaceAll(
    /^```[\s\S]*?^```/gm,
    '',
  )
  const links = [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)].map(([, link]) => link!)
  return links.filter((link) => !/^https?:/.test(link)).map((link) => join(dirname(page), link))
}

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

  test('holds what runs, its types and its docs, and no sources', () => {
    const { files } = installed
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md']))
    const others = files.filter((file) => !/^(dist\/(src|generated|dashboard)|docs)\//.test(file))
    expect(others.sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-NOTICES.txt',
      'package.json',
    ])
    expect(files.filter((file) => /(?<!\.d)\.ts$|\.map$/.test(file))).toEqual([])
  })

  test('has nothing in its package.json that only a checkout needs', () => {
    const read = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const [checkout, published] = [read(root), read(installed.staged)]
    for (const name of ['scripts', 'devDependencies', 'overrides', 'allowScripts', 'imports']) {
      expect(checkout).toHaveProperty(name)
      expect(published).not.toHaveProperty(name)
    }
    for (const name of ['name', 'version', 'exports', 'bin', 'dependencies', 'license']) {
      expect(published[name]).toEqual(checkout[name])
    }
  })

  test('holds every page of the docs as Markdown, 2.1 MB at most', () => {
    const pages = installed.files.filter((file) => /^docs\/.*\.md$/.test(file))
    const guides = globSync('src/docs/guides/*.md', { cwd: root })
    expect(pages.filter((file) => file.startsWith('docs/guides/'))).toHaveLength(guides.length)
    for (const key of Object.keys(readCatalogue())) expect(pages).toContain(`docs/errors/${key}.md`)
    const sizes = pages.map((file) => readFileSync(join(installed.staged, file)).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2.1e6)
  })

  test('has a README that leads to every page of the docs', () => {
    const read = new Set(['README.md'])
    for (const file of read) {
      for (const target of linksIn(file)) if (target.endsWith('.md')) read.add(target)
    }
    const pages = installed.files.filter((file) => file.endsWith('.md'))
    expect(pages.filter((file) => !read.has(file))).toEqual([])
  })

  test('has no link to a file that it lacks, or to pages of a service that need not run', () => {
    const pages = installed.files.filter((file) => file.endsWith('.md'))
    const missing = pages.flatMap((page) =>
      linksIn(page)
        .filter((target) => !installed.files.includes(target))
        .map((target) => `${page}: ${target}`),
    )
    expect(missing).toEqual([])
    const readme = readFileSync(join(installed.staged, 'README.md'), 'utf8')
    expect(readme).not.toMatch(/\]\(http:\/\/127|checkout -->|npm ci|CONTRIBUTING/)
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
  test('is everything that the contract has, and nothing inside', () => {
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

  test.runIf(canRequire)('can be loaded by require on Node 20', async () => {
    const names = ['', '/webhooks', '/errors', '/enums', '/checks', '/validators/walletList']
    const code = names.map((name) => `Object.keys(require('financial-data-service${name}')).length`)
    const args = ['--print', `Math.min(${code.join(', ')})`]
    const { stdout } = await run(olderNode!, args, { cwd: installed.project })
    expect(Number(stdout)).toBeGreaterThan(0)
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
  afterEach(() => void vi.unstubAllEnvs())
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

  test('loads few files to start the service', async () => {
    const list = join(installed.project, 'modules.json')
    vi.stubEnv('MODULES_FILE', list)
    const preload = join(import.meta.dirname, '../support/note-modules.ts')
    const program = join(installed.staged, 'dist/src/server/main.js')
    const args = ['--import', preload, program, '--port', '0', '--data', 'data']
    const { end } = await startListening(process.execPath, args, installed.project)
    expect(await end('SIGTERM')).toBe(0)
    const urls = JSON.parse(readFileSync(list, 'utf8')) as string[]
    const files = urls.filter((url) => url.startsWith('file:') && !url.endsWith('note-modules.ts'))
    expect(files.length, files.join('\n')).toBeGreaterThan(5)
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(25)
    // Of one other letter, V8 would keep the file in twice as many bytes.
    const bundled = files.filter((url) => /\/service-(start|options)\.js$/.test(url))
    const texts = bundled.map((url) => readFileSync(new URL(url), 'utf8'))
    expect(texts.map((text) => /[^\p{ASCII}]/u.exec(text)?.[0])).toEqual([undefined, undefined])
  })

  test('reads a file of institutions in a thread of its own', async () => {
    writeFileSync(join(installed.project, 'i.yaml'), 'institutions:\n  - name: 5\n')
    const env = { SERVICE_ENV: 'production', ENCRYPTION_KEY: productionKey }
    const args = ['serve', '--memory', '--institutions', 'i.yaml']
    const { code, stdout, stderr } = await attempt(bin(), args, { cwd: installed.project, env })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('i.yaml:2:5: institutions[0].name must be a string\n')
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
    expect(links).toHaveLength(7 + versions.length)
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
