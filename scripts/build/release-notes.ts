import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMain, readBundle, root } from '../contract/contract.ts'

/**
 * The notes of a release: its section of the changelog, which has to be dated. Rejects a tag that is
 * not the version of the package and of the contract.
 */
export function releaseNotes(tag: string, changelog: string, versions: string[]): string {
  for (const version of versions) {
    if (tag !== `v${version}`) throw new Error(`the tag is ${tag}, and the version is ${version}`)
  }
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.startsWith(`${tag.slice(1)} `))
  const [title = '', ...lines] = section?.split('\n') ?? []
  if (!/\d{4}-\d{2}-\d{2}$/.test(title)) {
    throw new Error(`CHANGELOG.md has no section "## ${tag.slice(1)} – <date>"`)
  }
  return `${lines.join('\n').trim()}\n`
}

function main(): void {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  try {
    const versions = [version, readBundle().info.version]
    process.stdout.write(releaseNotes(process.argv[2] ?? '', changelog, versions))
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}

if (isMain(import.meta.filename)) main()
