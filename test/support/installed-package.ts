import { type ExecFileException, execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../../scripts/build/main.ts'
import { root } from '../../scripts/contract/contract.ts'

/** The package as somebody has it who installed its tarball into an empty project. */
export interface InstalledPackage {
  /** The project. */
  project: string
  tarball: string
  /** What was packed, before it was. */
  staged: string
  /** What is in the tarball. */
  files: string[]
  remove(): void
}

/** What the package depends on. It is put there beforehand, so that nothing is fetched. */
const dependencies = ['openapi-fetch', 'openapi-typescript-helpers']

/** Builds the package from the sources as they are, packs it and installs the tarball. */
export async function installPackage(): Promise<InstalledPackage> {
  const folder = mkdtempSync(join(tmpdir(), 'package-'))
  const [staged, project] = [join(folder, 'staged'), join(folder, 'project')]
  for (const name of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']) {
    cpSync(join(root, name), join(staged, name))
  }
  await build(join(staged, 'dist'))
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', packing, { cwd: staged })
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
  const tarball = join(folder, packed.filename)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  for (const name of dependencies) {
    const path = join('node_modules', name)
    cpSync(join(root, path), join(project, path), { recursive: true })
  }
  await run('npm', ['install', '--offline', '--ignore-scripts', tarball], { cwd: project })
  return {
    project,
    tarball,
    staged,
    files: packed.files.map(({ path }) => path),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** What a program printed, and its exit code. */
export interface Ended {
  code: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  cwd: string
  input?: string
  env?: Record<string, string>
}

/** Runs a program to its end, whatever that is. */
export function attempt(file: string, args: string[], options: RunOptions): Promise<Ended> {
  const { cwd, input = '', env = {} } = options
  return new Promise((resolve) => {
    const settings = { cwd, env: { ...process.env, ...env }, maxBuffer: 1e8 }
    const child = execFile(file, args, settings, (error: ExecFileException | null, ...output) => {
      const [stdout, stderr] = output
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr })
    })
    child.stdin?.end(input)
  })
}

/** Runs a program that has to succeed. */
export async function run(file: string, args: string[], options: RunOptions): Promise<Ended> {
  const ended = await attempt(file, args, options)
  if (ended.code === 0) return ended
  throw new Error(`${file} ${args[0]} ended with ${ended.code}\n${ended.stdout}${ended.stderr}`)
}
