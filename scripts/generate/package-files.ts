import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  currentVersion,
  versions as dates,
  interfaceTitle,
  readBundle,
  root,
} from '../contract/contract.ts'
import { settings } from '../contract/settings.ts'
import { ofClients } from '../contract/undated.ts'
import type { Texts } from './runtime.ts'

/** The files of a package with TypeScript sources, which needs these packages. */
export function packageFiles(packages: Iterable<string>, hasWebhooks: boolean): Texts {
  return {
    'package.json': toJson(manifest(packages, hasWebhooks)),
    'tsconfig.json': toJson(compilerSettings()),
    'mock.json': toJson({
      title: interfaceTitle,
      credentials: settings.credentials,
      errors: settings.mock,
    }),
  }
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

interface Manifest {
  version: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const pick = (all: Record<string, string>, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, all[name]]))

const readManifest = (): Manifest =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest

function manifest(packages: Iterable<string>, hasWebhooks: boolean): object {
  const { dependencies, devDependencies } = readManifest()
  const known = { ...devDependencies, ...dependencies }
  const validators = [...dates, ...ofClients].map((name) => [
    `./versions/${name}/validators/*`,
    `./generated/${name}/validators/*.js`,
  ])
  return {
    name: settings.package,
    version: readBundle(currentVersion).info.version,
    private: true,
    type: 'module',
    imports: { '#contract/*': `./generated/${currentVersion}/*` },
    exports: {
      '.': './src/index.ts',
      './checks': './src/client/checks.ts',
      './enums': `./generated/${currentVersion}/enums.ts`,
      './errors': './src/client/advice.ts',
      ...(hasWebhooks ? { './webhooks': './src/webhooks/index.ts' } : {}),
      './validators/*': `./generated/${currentVersion}/validators/*.js`,
      ...Object.fromEntries(validators),
      './openapi.json': './generated/openapi.json',
      './openapi/*.json': './generated/*/openapi.json',
    },
    scripts: { mock: 'node src/mock/contract-main.ts', typecheck: 'tsc --noEmit' },
    dependencies: pick(known, [...packages].sort()),
    devDependencies: pick(known, ['@types/node', 'typescript']),
  }
}

/** The compiler settings that this repository has: what was written for them compiles with them. */
function compilerSettings(): object {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: object
  }
  return { compilerOptions }
}
