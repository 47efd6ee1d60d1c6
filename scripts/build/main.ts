import { cpSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { defaultSeedDataFiles, readSeedData } from '../../src/server/fixtures/read-seed-data.ts'
import { isMain, reject, takeArguments } from '../command.ts'
import { root } from '../contract/contract.ts'
import { folderMistake } from '../output-path.ts'
import { buildDashboard } from './dashboard.ts'
import { copyGenerated } from './generated-files.ts'
import { buildLightPackage } from './light-package.ts'
import { buildPrograms } from './programs.ts'
import { buildWebModules } from './web-modules.ts'

/** Folders of `src` with files that are read as they are when the program runs. */
const readAtRunTime = ['src/server/db/migrations', 'src/server/fixtures/default-seed-data']

/** Where a build is, unless a folder is named; the docs can be there before it. */
const usualFolder = join(root, 'dist')

/** Whether a folder is a build: sources have no such program, and others no such documents. */
export const isBuild = (folder: string): boolean =>
  resolve(folder) === resolve(usualFolder) ||
  (existsSync(join(folder, 'src/server/main.js')) &&
    existsSync(join(folder, 'THIRD-PARTY-NOTICES.txt')) &&
    globSync('generated/*/openapi.json', { cwd: folder }).length > 0)

/** Makes what the package holds, beside the docs: what is imported, the programs, their files. */
export async function build(folder: string): Promise<void> {
  for (const part of ['src', 'generated']) {
    rmSync(join(folder, part), { recursive: true, force: true })
  }
  copyGenerated(folder)
  buildWebModules(folder)
  await buildPrograms(folder, await buildDashboard(folder))
  for (const path of readAtRunTime) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  const { seedData } = await readSeedData(defaultSeedDataFiles(), 'sandbox')
  writeFileSync(
    join(folder, 'src/server/fixtures/default-seed-data.json'),
    JSON.stringify(seedData),
  )
  await buildLightPackage(folder)
}

const usage = `usage: npm run build [-- FOLDER]
Makes what the package holds, beside the docs, in a folder; without one, in dist.
The folder is a new one, an empty one, or that of an earlier build, which is replaced.`

if (isMain(import.meta.filename)) {
  const [folder = usualFolder] = takeArguments(usage, 1).positionals
  const mistake = folderMistake(folder, isBuild)
  if (mistake !== undefined) reject(mistake)
  await build(resolve(folder))
}
