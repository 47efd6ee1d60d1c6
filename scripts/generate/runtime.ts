import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'
import { closure } from '../../src/contract/closure.ts'
import { currentVersion, eachWebhook, readBundle, root } from '../contract/contract.ts'
import { outFolder } from '../contract/place.ts'
import { namedFiles } from './named-files.ts'
import { packageFiles } from './package-files.ts'

/** Texts of files, by their paths. */
export type Texts = Readonly<Record<string, string>>

/** What a program imports, or generated files do. */
const clientFiles = ['advice', 'call', 'checks', 'client', 'open'].map(
  (name) => `src/client/${name}.ts`,
)

/**
 * Writes what the generated files need to run: the modules of `src/` that they lead to, which know no
 * contract, and a package around them.
 */
export function runtime(): void {
  const named = namedFiles()
  const hasWebhooks = eachWebhook(readBundle(currentVersion)).length > 0
  const entries = [
    ...Object.keys(named),
    ...clientFiles,
    ...(hasWebhooks ? ['src/webhooks/index.ts'] : []),
    'src/mock/contract-main.ts',
  ]
  const packages = new Set<string>()
  const files = closure(entries, (file) => {
    const { modules, others } = importsOf(
      file,
      named[file] ?? readFileSync(join(root, file), 'utf8'),
    )
    for (const name of others) packages.add(name)
    return modules
  })
  for (const file of files) if (!(file in named)) copy(file)
  write({ ...named, ...packageFiles(packages, hasWebhooks) })
}

/** The modules of `src/` that a module imports, and the names of packages. */
function importsOf(file: string, text: string): { modules: string[]; others: string[] } {
  const names = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName)
  const modules = names
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(file), name)).replaceAll('\\', '/'))
  return {
    // What is generated is there already.
    modules: modules.filter((name) => name.startsWith('src/')),
    others: names
      .filter((name) => !/^(?:[.#]|node:)/.test(name))
      .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')),
  }
}

function copy(file: string): void {
  mkdirSync(join(outFolder, dirname(file)), { recursive: true })
  cpSync(join(root, file), join(outFolder, file))
}

function write(texts: Texts): void {
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(join(outFolder, dirname(file)), { recursive: true })
    writeFileSync(join(outFolder, file), text)
  }
}
