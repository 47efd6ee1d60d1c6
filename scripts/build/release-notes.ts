import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../command.ts'
import { isMain, readBundle, root } from '../contract/contract.ts'
import { releasesIn } from '../docs/releases.ts'

/**
 * The notes of a release: its section of the changelog, which has to be dated. Rejects a tag that is
 * not the version of the package and of the contract.
 */
export function releaseNotes(tag: string, changelog: string, versions: string[]): string {
  for (const version of versions) {
    if (tag !== `v${version}`) throw new Error(`the tag is ${tag}, and the version is ${version}`)
  }
  const release = releasesIn(changelog).find(({ version }) => tag === `v${version}`)
  if (!release?.date) {
    throw new Error(`CHANGELOG.md has no section "## ${tag.slice(1)} – <date>"`)
  }
  return `${release.markdown}\n`
}

function main(): boolean {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const versions = [version, readBundle().info.version]
  process.stdout.write(releaseNotes(process.argv[2] ?? '', changelog, versions))
  return true
}

if (isMain(import.meta.filename)) await runCommand(main)
