import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'

/** How long work on this project takes, in seconds of the clock. */
export interface Project {
  generate: number
  typecheck: number
  /** Of a program of a few lines that imports the build's types. */
  consumer: number
}

const compiler = join(root, 'node_modules/typescript/bin/tsc')

type Tell = (line: string) => void

/** Measures each once, one after the other; where one fails, the rest of the run goes on. */
export function measureProject(
  { dist, folder }: { dist: string; folder: string },
  tell: Tell,
): Project | undefined {
  try {
    return {
      generate: time('generate', [join(root, 'scripts/run.js'), 'generate'], root, tell),
      typecheck: time('typecheck', [compiler, '--noEmit'], root, tell),
      consumer: time('types', [compiler, '--project', '.'], writeConsumer(dist, folder), tell),
    }
  } catch (error) {
    const { message, stdout = '' } = error as Error & { stdout?: string }
    tell(`left out: this project: ${message}\n${stdout}`)
    return undefined
  }
}

/** Seconds that a program of Node takes. */
function time(what: string, args: readonly string[], cwd: string, tell: Tell): number {
  tell(`this project: ${what}`)
  const begun = performance.now()
  execFileSync(process.execPath, [...args], { cwd, stdio: 'pipe', encoding: 'utf8' })
  return (performance.now() - begun) / 1000
}

/** A project that calls one operation by the client of a build. */
function writeConsumer(dist: string, folder: string): string {
  const project = join(folder, 'consumer')
  mkdirSync(project)
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    types: [],
  }
  const settings = { compilerOptions, files: ['consumer.mts'] }
  const code = `import { createClient } from ${JSON.stringify(join(dist, 'src/index.js'))}

const client = createClient({ baseUrl: 'http://127.0.0.1', clientId: 'me', secret: 'hush' })
export const { accounts } = await client.accountsGet({ access_token: '' }).orThrow()
`
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(settings))
  writeFileSync(join(project, 'consumer.mts'), code)
  return project
}
