import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorCatalogue as errorsOfPages } from '../../generated/dashboard/errors.ts'
import { errorCatalogue } from '../../generated/errors.ts'
import { readCatalogue } from '../../scripts/contract/catalogue.ts'
import {
  written as calledByPrograms,
  eachOperation,
  eachWebhook,
  readBundle,
  resolve,
  root,
  sourceFolder,
  versions,
} from '../../scripts/contract/contract.ts'
import { ofPages, undated } from '../../scripts/contract/undated.ts'

const files = (pattern: string): string[] => globSync(pattern, { cwd: root }).sort()
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const stem = (file: string): string => basename(file, '.yaml')

const documents = [...calledByPrograms, ...ofPages]

/** Each document, with the folder that it is written in. */
const written = documents.map((name) => {
  const contract = readBundle(name)
  return { name, folder: sourceFolder(name), contract, operations: eachOperation(contract) }
})
const least: Record<string, number> = { platform: 7, sandbox: 38, dashboard: 20 }

describe.each(written)('$name', ({ name, folder, contract, operations }) => {
  test('has no fewer operations than it had, each a POST', () => {
    expect(operations.length).toBeGreaterThanOrEqual(least[name] ?? 26)
    for (const item of Object.values(contract.paths)) expect(Object.keys(item)).toEqual(['post'])
  })

  describe.each(operations)('$operation.operationId', ({ operation }) => {
    const { operationId: id, tags } = operation
    if (calledByPrograms.some((document) => document === name)) {
      test('takes an idempotency key unless it is safe to repeat', () => {
        const keys =
          JSON.stringify(operation.parameters).match(/parameters\/IdempotencyKey"/g) ?? []
        const told = JSON.stringify(operation.responses['200']).match(
          /headers\/IdempotentReplayed"/g,
        )
        const parts = 'the parameter IdempotencyKey, and the header IdempotentReplayed of its 200'
        const isWanted = !operation['x-retry-safe']
        const what = `${folder}/paths/${tags[0]}/${id}.yaml: x-retry-safe is ${!isWanted}, so it has ${isWanted ? '' : 'neither '}${parts}`
        expect([keys.length, told?.length ?? 0], what).toEqual(isWanted ? [1, 1] : [0, 0])
      })
    }

    test('has its files under its own name and its tag', () => {
      expect(existsSync(join(root, `${folder}/paths/${tags[0]}/${id}.yaml`))).toBe(true)
      expect(existsSync(join(root, `${folder}/examples/${tags[0]}/${id}.yaml`))).toBe(true)
    })

    test('names its bodies after itself', () => {
      const schema = id[0]!.toUpperCase() + id.slice(1)
      const request = operation.requestBody.content['application/json']!.schema.$ref
      const response = operation.responses['200']!.content!['application/json']!.schema.$ref
      expect(request).toBe(`#/components/schemas/${schema}Request`)
      expect(response).toBe(`#/components/schemas/${schema}Response`)
    })

    test('has one success answer', () => {
      expect(Object.keys(operation.responses).filter((status) => status < '300')).toEqual(['200'])
    })
  })

  describe.each(eachWebhook(contract))('$name', ({ name, webhook, schema }) => {
    test('has a file under its code and its tag', () => {
      const code = name.split('.')[1]
      expect(existsSync(join(root, `${folder}/webhooks/${webhook.tags[0]}/${code}.yaml`))).toBe(
        true,
      )
      expect(schema.$ref).toMatch(/Webhook$/)
    })
  })

  const own = files(`${folder}/components/schemas/*/*.yaml`).map(stem)
  const bundled = Object.keys(contract.components.schemas)

  test('has schemas of unique names in PascalCase, which the bundle keeps', () => {
    expect(new Set(own).size).toBe(own.length)
    expect(own.filter((schema) => !/^[A-Z][A-Za-z0-9]*$/.test(schema))).toEqual([])
    // A document shares schemas of those before it.
    const before = documents.slice(0, documents.indexOf(name)).map(sourceFolder)
    const shared = before.flatMap((one) => files(`${one}/components/schemas/*/*.yaml`)).map(stem)
    expect(own.filter((schema) => !bundled.includes(schema))).toEqual([])
    expect(bundled.filter((schema) => ![...own, ...shared].includes(schema))).toEqual([])
    expect(own.filter((schema) => shared.includes(schema))).toEqual([])
  })

  test('has no schema whose name hides a global', () => {
    const hidden = ['Error', 'Request', 'Response', 'Record']
    expect(bundled.filter((schema) => hidden.includes(schema))).toEqual([])
  })

  test('has files in folders of declared tags', () => {
    const tags = new Set([...contract.tags.map((tag) => tag.name), 'shared'])
    const folders = files(`${folder}/{paths,examples,webhooks,components/schemas}/*/`)
    expect(folders.length).toBeGreaterThan(0)
    expect(folders.filter((found) => !tags.has(basename(found)))).toEqual([])
  })

  test('reaches all its files from the root', () => {
    const paths = files(`${folder}/paths/*/*.yaml`).map(stem)
    expect(paths).toEqual(
      operations.map(({ operation }) => operation.operationId).sort(byTag(paths)),
    )
    expect(files(`${folder}/webhooks/*/*.yaml`)).toHaveLength(eachWebhook(contract).length)
  })

  test('has Path Items short enough to read at once', () => {
    const long = files(`${folder}/paths/*/*.yaml`).filter(
      (file) => read(file).split('\n').length > 100,
    )
    expect(long).toEqual([])
  })
})

const byTag = (order: string[]) => (a: string, b: string) => order.indexOf(a) - order.indexOf(b)

describe('files', () => {
  test('of handlers are each of an operation', () => {
    const ids = written.flatMap(({ operations }) =>
      operations.map(({ operation }) => operation.operationId),
    )
    const named = files('src/server/**/*.ts').map((file) => basename(file, '.ts'))
    expect(named.filter((name) => /[A-Z]/.test(name) && !ids.includes(name))).toEqual([])
  })

  test('of code stay under 400 lines', () => {
    const code = [...files('{src,scripts,test}/**/*.ts')].filter(
      (file) => !file.includes('/consumers/'),
    )
    expect(code.filter((file) => read(file).split('\n').length > 400)).toEqual([])
  })

  test('generated bear a banner', () => {
    const unmarked = files('generated/**/*.{ts,js}').filter(
      (file) =>
        !/^\/\/ Generated by scripts\/[a-z-]+\/[a-z-]+\.ts from (openapi|src\/link)\/\. Do not edit\.\n/.test(
          read(file),
        ),
    )
    expect(unmarked).toEqual([])
  })
})

describe('error codes', () => {
  const catalogue: ReturnType<typeof readCatalogue> = Object.assign(
    {},
    ...documents.map((name) => readCatalogue(name)),
  )

  test('are keyed by code, and by type and status only where that is needed', () => {
    const entries = Object.entries(catalogue)
    const codeOf = (value: Record<string, unknown>) =>
      value['error_code'] ?? `oauth.${value['error']}`
    const keys = entries.map(([, entry]) => {
      const variants = entries.filter(([, other]) => codeOf(other.value) === codeOf(entry.value))
      const types = new Set(variants.map(([, variant]) => variant.value['error_type']))
      const statuses = new Set(variants.map(([, variant]) => variant['x-status']))
      const type = entry.value['error_type']
      if (statuses.size > 1) return `${type}.${codeOf(entry.value)}.${entry['x-status']}`
      return types.size > 1 ? `${type}.${codeOf(entry.value)}` : codeOf(entry.value)
    })
    expect(keys).toEqual(Object.keys(catalogue))
  })

  test('stand once, in the folder of one document', () => {
    const keys = documents.flatMap((name) => Object.keys(readCatalogue(name)))
    expect(new Set(keys).size).toBe(keys.length)
    expect(Object.keys({ ...errorCatalogue, ...errorsOfPages }).sort()).toEqual(keys.sort())
  })

  test('are each used by an operation, or marked as unreachable, or for what is no operation', () => {
    const used = written.map((one) => new Set(listedBy(one).map(({ key }) => key)))
    const unused = documents.flatMap((name, index) => {
      return Object.entries(readCatalogue(name)).filter(([key]) => !used[index]!.has(key))
    })
    const unexplained = unused.filter(
      ([key, entry]) =>
        !entry['x-unreachable'] && !['NOT_FOUND', 'METHOD_NOT_ALLOWED'].includes(key),
    )
    expect(unexplained.map(([key]) => key)).toEqual([])
  })

  test('stand under the status that they say', () => {
    for (const { id, status, key } of written.flatMap(listedBy)) {
      expect(catalogue[key]?.['x-status'], `${id} ${key}`).toBe(Number(status))
    }
  })
})

/** Every error that the operations list under a status of its own. */
function listedBy({ contract, operations }: (typeof written)[number]) {
  return operations.flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, response]) => {
      if (status === 'default' || status === '200') return []
      const { content } = resolve(contract, response)
      const keys = Object.keys(content?.['application/json']?.examples ?? {})
      return keys.map((key) => ({ id: operation.operationId, status, key }))
    }),
  )
}

describe('the repository', () => {
  test('keeps its top-level folders few', () => {
    const known = ['.ci', '.github', 'openapi', 'scripts', 'generated', 'src', 'test']
    const folders = foldersForGit()
    expect(folders).toEqual(expect.arrayContaining(known))
    expect(folders.filter((folder) => !known.includes(folder))).toEqual([])
  })

  test('states one version of itself', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    for (const date of versions) {
      const { info } = readBundle(date)
      expect(info.version).toBe(version)
      expect(info['x-api-version']).toBe(date)
      expect(info.title).toContain(date)
    }
    for (const name of [...undated, ...ofPages]) {
      expect(readBundle(name).info).toMatchObject({ version, 'x-api-version': name })
    }
  })
})

/** The top-level folders of what git tracks or would track: a service that ran here left others. */
function foldersForGit(): string[] {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).split('\0')
  return [...new Set(paths.filter((path) => path.includes('/')).map((path) => path.split('/')[0]!))]
}
