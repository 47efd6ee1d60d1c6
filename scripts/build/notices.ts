import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'

interface Package {
  name: string
  version: string
  license?: string
  author?: string | { name: string }
  repository?: string | { url: string }
}

/** The author and the repository of a package, where its manifest names them. */
function by({ author = 'not named', repository = 'not named' }: Package): string {
  const name = typeof author === 'string' ? author : author.name
  const url = typeof repository === 'string' ? repository : repository.url
  return `Author: ${name}. Repository: ${url}.`
}

/** Writes the licences of the packages whose code is in the bundle, as they ask for it. */
export function writeNotices(folder: string, inputs: readonly string[]): void {
  const folders = new Set(inputs.flatMap((input) => packageFolder(input) ?? []))
  const notices = [...folders].sort().map(noticeOf)
  const text = [
    'The programs of this package contain code of the packages below, each under its own licence.',
    ...new Set(notices),
  ].join(`\n\n${'-'.repeat(80)}\n\n`)
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), `${text}\n`)
}

/** The folder of the package that a file of the bundle comes from. */
const packageFolder = (input: string): string | undefined =>
  /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input)?.[0]

function noticeOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Package
  const { name, version, license = 'licence as below' } = manifest
  const files = globSync('{LICEN[CS]E,licen[cs]e,COPYING,NOTICE}*', { cwd: join(root, folder) })
  const texts = files
    .sort()
    .filter((file) => existsSync(join(root, folder, file)) && !/\.[cm]?[jt]s$/.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8').trim())
  const licenses =
    texts.length > 0 ? texts : [`The package holds no text of its licence. ${by(manifest)}`]
  return [`${name} ${version} (${license})`, ...licenses].join('\n\n')
}
