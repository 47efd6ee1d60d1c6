import { type ExecFileException, execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stagePackages } from '../../scripts/build/pack.ts'
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
  /** In bytes. */
  unpackedSize: number
  remove(): void
}

/** What the package depends on. It is put there beforehand, so that nothing is fetched. */
const dependencies = ['openapi-fetch', 'openapi-typescript-helpers']

/** Builds the package from the sources as they are, packs it and installs the tarball. */
export async function installPackage(): Promise<InstalledPackage> {
  const folder = mkdtempSync(join(tmpdir(), 'package-'))
  const { main } = await stagePackages(join(folder, 'staged'))
  return install(folder, main, dependencies)
}

/** The same for the light package, which depends on nothing. */
export async function installLightPackage(): Promise<InstalledPackage> {
  const folder = mkdtempSync(join(tmpdir(), 'light-package-'))
  const { light } = await stagePackages(join(folder, 'staged'))
  return install(folder, light, [])
}

async function install(
  folder: string,
  staged: string,
  dependencies: readonly string[],
): Promise<InstalledPackage> {
  const project = join(folder, 'project')
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', packing, { cwd: staged })
  const [packed] = JSON.parse(stdout) as [Packed]
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
    unpackedSize: packed.unpackedSize,
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** What `npm pack` says of a tarball. */
interface Packed {
  filename: string
  unpackedSize: number
  files: { path: string }[]
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
