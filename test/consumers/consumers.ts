import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/contract/contract.ts'
import type { TestService } from '../../src/testing/index.ts'
import type { Bundle } from './bundles.ts'
import { compile, expectTypes } from './compile.ts'
import { checkExamples } from './examples.ts'
import { copyJourney, runJourney } from './journeys.ts'
import { type ConsumerName, consumerNames } from './names.ts'
import { convertToPostman, parseWithScalar, parseWithSwaggerParser } from './parsers.ts'
import { mockWithPrism } from './prism.ts'
import { here, packageFolder, run } from './programs.ts'

export interface Consumer {
  /** The name of its package. */
  name: ConsumerName
  /** What is checked of each bundle. */
  checked: string
  /** Throws when the bundle does not suit; files go into the folder. */
  check(bundle: Bundle, folder: string, service: TestService): Promise<void>
}

const generated = 'generates, output compiles, schemas keep their types, journey with the service'
const generatedZod = `${generated}, examples pass its zod schemas`

const importAll = (file: string): string => `import type * as all from '${file}'`
const member = (name: string): string => `all.${name}`

/** What the configurations here read. */
const environmentFor = ({ file }: Bundle, folder: string, { url }: TestService) => ({
  CONSUMER_BUNDLE: file,
  CONSUMER_FOLDER: folder,
  CONSUMER_SERVICE: url,
})

const checks: Record<ConsumerName, Omit<Consumer, 'name'>> = {
  'openapi-typescript': {
    checked: generated,
    async check(bundle, folder, service) {
      const args = [bundle.file, '--output', join(folder, 'types.ts')]
      await run({ name: 'openapi-typescript', args, cwd: folder })
      const imports = `import type { components } from './types.ts'`
      expectTypes(bundle, folder, imports, (name) => `components['schemas']['${name}']`)
      copyJourney(bundle, 'openapi-typescript', folder)
      await compile(folder, { consumer: 'openapi-typescript', bringer: root })
      await runJourney(bundle, folder, service)
    },
  },
  '@hey-api/openapi-ts': {
    checked: generatedZod,
    async check(bundle, folder, service) {
      const args = ['--file', join(here, 'hey-api.config.ts')]
      const env = environmentFor(bundle, folder, service)
      await run({ name: '@hey-api/openapi-ts', args, cwd: folder, env })
      expectTypes(bundle, folder, importAll('./client/types.gen.ts'), member)
      copyJourney(bundle, 'hey-api', folder)
      await compile(folder, { consumer: '@hey-api/openapi-ts' })
      await checkExamples(bundle, [join(folder, 'client/zod.gen.ts')])
      await runJourney(bundle, folder, service)
    },
  },
  orval: {
    checked: generatedZod,
    async check(bundle, folder, service) {
      const args = ['--config', join(here, 'orval.config.ts')]
      const env = environmentFor(bundle, folder, service)
      await run({ name: 'orval', args, cwd: folder, env })
      expectTypes(bundle, folder, importAll('./fetch.ts'), member)
      copyJourney(bundle, 'orval', folder)
      await compile(folder, { consumer: 'orval' })
      await checkExamples(bundle, [join(folder, 'zod.ts')])
      await runJourney(bundle, folder, service)
    },
  },
  'swagger-typescript-api': {
    checked: generated,
    async check(bundle, folder, service) {
      const args = ['generate', '--path', bundle.file, '--output', folder, '--name', 'api.ts']
      await run({ name: 'swagger-typescript-api', args, cwd: folder })
      expectTypes(bundle, folder, importAll('./api.ts'), member)
      copyJourney(bundle, 'swagger-typescript-api', folder)
      await compile(folder, { consumer: 'swagger-typescript-api' })
      await runJourney(bundle, folder, service)
    },
  },
  '@kubb/cli': {
    checked: generatedZod,
    async check(bundle, folder, service) {
      const args = ['generate', '--silent', '--config', join(here, 'kubb.config.ts')]
      const env = environmentFor(bundle, folder, service)
      await run({ name: '@kubb/cli', args, cwd: folder, env })
      expectTypes(bundle, folder, importAll('./index.ts'), member)
      copyJourney(bundle, 'kubb', folder)
      await compile(folder, { consumer: '@kubb/cli' })
      const zod = join(folder, 'zod')
      await checkExamples(
        bundle,
        readdirSync(zod).map((file) => join(zod, file)),
      )
      await runJourney(bundle, folder, service)
    },
  },
  'openapi-zod-client': {
    checked: generatedZod,
    async check(bundle, folder, service) {
      const output = join(folder, 'client.ts')
      const flags = ['--export-schemas', '--default-status', 'auto-correct']
      const args = [bundle.file, '--output', output, ...flags]
      await run({ name: 'openapi-zod-client', args, cwd: folder })
      const imports = `import type { z } from 'zod'\nimport type { schemas } from './client.ts'`
      expectTypes(bundle, folder, imports, (name) => `z.infer<typeof schemas.${name}>`)
      copyJourney(bundle, 'openapi-zod-client', folder)
      const consumer = 'openapi-zod-client'
      await compile(folder, { consumer, bringer: packageFolder(consumer) })
      await checkExamples(bundle, [output])
      await runJourney(bundle, folder, service)
    },
  },
  '@scalar/openapi-parser': {
    checked: 'validates, follows every $ref',
    check: parseWithScalar,
  },
  '@apidevtools/swagger-parser': {
    checked: 'validates, follows every $ref',
    check: parseWithSwaggerParser,
  },
  'openapi-to-postmanv2': {
    checked: 'converts every operation',
    check: convertToPostman,
  },
  '@stoplight/prism-cli': {
    checked: 'mock starts, answers every operation with 200',
    check: mockWithPrism,
  },
  '@redocly/cli': {
    checked: 'lint (recommended-strict), build-docs',
    async check({ file }, folder) {
      const config = ['--config', join(here, 'redocly.yaml')]
      await run({ name: '@redocly/cli', args: ['lint', file, ...config], cwd: folder })
      const args = ['build-docs', file, '--output', join(folder, 'docs.html'), ...config]
      await run({ name: '@redocly/cli', args, cwd: folder })
    },
  },
  '@stoplight/spectral-cli': {
    checked: 'lint (spectral:oas, owasp)',
    async check({ file }, folder) {
      for (const ruleset of [join(root, 'spectral.yaml'), join(here, 'spectral.yaml')]) {
        const rules = ['--ruleset', ruleset, '--fail-severity', 'hint']
        await run({ name: '@stoplight/spectral-cli', args: ['lint', file, ...rules], cwd: folder })
      }
    },
  },
}

export const consumers: Consumer[] = consumerNames.map((name) => ({ name, ...checks[name] }))

/** Gives every bundle to a consumer, each with a folder of its own. */
export async function consume(
  consumer: Consumer,
  all: Bundle[],
  folder: string,
  service: TestService,
): Promise<void> {
  for (const bundle of all) {
    const own = join(folder, consumer.name.replace('/', '+'), bundle.name)
    mkdirSync(own, { recursive: true })
    try {
      await consumer.check(bundle, own, service)
    } catch (error) {
      throw new Error(`${bundle.name}: ${(error as Error).message}`, { cause: error })
    }
  }
}
