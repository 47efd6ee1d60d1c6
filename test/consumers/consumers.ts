import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/contract/contract.ts'
import type { Bundle } from './bundles.ts'
import { compile } from './compile.ts'
import { checkExamples } from './examples.ts'
import { convertToPostman, parseWithScalar, parseWithSwaggerParser } from './parsers.ts'
import { mockWithPrism } from './prism.ts'
import { here, run } from './programs.ts'

export interface Consumer {
  /** The name of its package. */
  name: string
  /** What is checked of each bundle. */
  checked: string
  /** Throws when the bundle does not suit; files go into the folder. */
  check(bundle: Bundle, folder: string): Promise<void>
}

const generated = 'generates, output compiles'
const generatedZod = `${generated}, examples pass its zod schemas`

export const consumers: Consumer[] = [
  {
    name: 'openapi-typescript',
    checked: generated,
    async check({ file }, folder) {
      const args = [file, '--output', join(folder, 'types.ts')]
      await run({ name: 'openapi-typescript', args, cwd: folder })
      await compile(folder)
    },
  },
  {
    name: '@hey-api/openapi-ts',
    checked: generatedZod,
    async check(bundle, folder) {
      const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch', 'zod']
      const output = join(folder, 'client')
      const args = ['--input', bundle.file, '--output', output, '--no-log-file', '--plugins']
      await run({ name: '@hey-api/openapi-ts', args: [...args, ...plugins], cwd: folder })
      await compile(folder)
      await checkExamples(bundle, [join(output, 'zod.gen.ts')])
    },
  },
  {
    name: 'orval',
    checked: generatedZod,
    async check(bundle, folder) {
      for (const client of ['fetch', 'zod']) {
        const output = join(folder, `${client}.ts`)
        const args = ['--input', bundle.file, '--output', output, '--client', client]
        await run({ name: 'orval', args, cwd: folder })
      }
      await compile(folder)
      await checkExamples(bundle, [join(folder, 'zod.ts')])
    },
  },
  {
    name: 'swagger-typescript-api',
    checked: generated,
    async check({ file }, folder) {
      const args = ['generate', '--path', file, '--output', folder, '--name', 'api.ts']
      await run({ name: 'swagger-typescript-api', args, cwd: folder })
      await compile(folder)
    },
  },
  {
    name: '@kubb/cli',
    checked: generatedZod,
    async check(bundle, folder) {
      const args = ['generate', '--silent', '--config', join(here, 'kubb.config.ts')]
      const env = { CONSUMER_BUNDLE: bundle.file, CONSUMER_FOLDER: folder }
      await run({ name: '@kubb/cli', args, cwd: folder, env })
      await compile(folder)
      const zod = join(folder, 'zod')
      await checkExamples(
        bundle,
        readdirSync(zod).map((file) => join(zod, file)),
      )
    },
  },
  {
    name: 'openapi-zod-client',
    checked: generatedZod,
    async check(bundle, folder) {
      const output = join(folder, 'client.ts')
      const flags = ['--export-schemas', '--default-status', 'auto-correct']
      const args = [bundle.file, '--output', output, ...flags]
      await run({ name: 'openapi-zod-client', args, cwd: folder })
      await compile(folder, 'openapi-zod-client')
      await checkExamples(bundle, [output])
    },
  },
  {
    name: '@scalar/openapi-parser',
    checked: 'validates, follows every $ref',
    check: parseWithScalar,
  },
  {
    name: '@apidevtools/swagger-parser',
    checked: 'validates, follows every $ref',
    check: parseWithSwaggerParser,
  },
  {
    name: 'openapi-to-postmanv2',
    checked: 'converts every operation',
    check: convertToPostman,
  },
  {
    name: '@stoplight/prism-cli',
    checked: 'mock starts, answers every operation with 200',
    check: mockWithPrism,
  },
  {
    name: '@redocly/cli',
    checked: 'lint (recommended-strict), build-docs',
    async check({ file }, folder) {
      const config = ['--config', join(here, 'redocly.yaml')]
      await run({ name: '@redocly/cli', args: ['lint', file, ...config], cwd: folder })
      const args = ['build-docs', file, '--output', join(folder, 'docs.html'), ...config]
      await run({ name: '@redocly/cli', args, cwd: folder })
    },
  },
  {
    name: '@stoplight/spectral-cli',
    checked: 'lint (spectral:oas, owasp)',
    async check({ file }, folder) {
      const rules = ['--ruleset', join(root, 'spectral.yaml'), '--fail-severity', 'hint']
      await run({ name: '@stoplight/spectral-cli', args: ['lint', file, ...rules], cwd: folder })
    },
  },
]

/** Gives every bundle to a consumer, each with a folder of its own. */
export async function consume(consumer: Consumer, all: Bundle[], folder: string): Promise<void> {
  for (const bundle of all) {
    const own = join(folder, consumer.name.replace('/', '+'), bundle.version)
    mkdirSync(own, { recursive: true })
    try {
      await consumer.check(bundle, own)
    } catch (error) {
      throw new Error(`${bundle.version}: ${(error as Error).message}`, { cause: error })
    }
  }
}
