import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isMain, takeArguments } from '../command.ts'
import { root } from '../contract/contract.ts'
import { manifest } from './entries.ts'
import { lightFolder } from './light-package.ts'
import { build } from './main.ts'
import { packageDocs, packageReadme, picturesOf } from './package-docs.ts'

/** Parts of package.json that only a checkout needs. */
const ofCheckout = ['scripts', 'devDependencies', 'allowScripts', 'overrides', 'imports']

/** Builds both packages into a folder, as they are packed: returns the folder of each. */
export async function stagePackages(folder: string): Promise<{ main: string; light: string }> {
  const [main, light] = [join(folder, 'main'), join(folder, 'light')]
  await build(join(main, 'dist'))
  // Its own tarball has it.
  cpSync(join(main, 'dist', lightFolder), light, { recursive: true })
  rmSync(join(main, 'dist', lightFolder), { recursive: true })
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  for (const name of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, name), join(main, name))
  for (const [file, text] of packageDocs()) write(join(main, file), text)
  for (const [file, source] of picturesOf(readme)) cpSync(join(root, source), join(main, file))
  write(join(main, 'README.md'), packageReadme(readme))
  write(join(main, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`)
  return { main, light }
}

const publishedManifest = (): object =>
  Object.fromEntries(Object.entries(manifest).filter(([name]) => !ofCheckout.includes(name)))

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Writes the tarballs of both packages into a folder. */
async function pack(folder: string): Promise<void> {
  const staged = mkdtempSync(join(tmpdir(), 'packages-'))
  try {
    const { main, light } = await stagePackages(staged)
    mkdirSync(folder, { recursive: true })
    execFileSync('npm', ['pack', main, light, '--pack-destination', folder], { stdio: 'inherit' })
  } finally {
    rmSync(staged, { recursive: true })
  }
}

const usage = `usage: node scripts/run.js build/pack FOLDER
Packs both packages, and writes their tarballs into a folder.`

if (isMain(import.meta.filename)) {
  const [folder] = takeArguments(usage, 1).positionals
  if (folder === undefined) {
    console.error(usage)
    process.exitCode = 2
  } else await pack(resolve(folder))
}
