import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/contract/contract.ts'
import { endsWithUs } from '../../support/children.ts'

/** One line of a Dockerfile. */
interface Instruction {
  name: string
  rest: string
}

/** The instructions of a Dockerfile, in stages. */
function readDockerfile(): Instruction[][] {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim())
  const all = lines.map((line) => {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? []
    return { name: name.toUpperCase(), rest: rest.replaceAll(/\s+/g, ' ') }
  })
  const starts = all.flatMap(({ name }, index) => (name === 'FROM' ? [index] : []))
  return starts.map((start, index) => all.slice(start, starts[index + 1]))
}

/** What an image says about how it is run. */
export interface Image {
  folder: string
  user: number
  workdir: string
  environment: Record<string, string>
  command: string[]
  healthcheck: string[]
}

/**
 * Makes what `docker build` would, without it: the files that .dockerignore lets in, built by the
 * build that `npm ci` runs, and the root that the script of the second stage makes of them.
 */
export function makeImage(folder: string): Image {
  const [build = [], final = []] = readDockerfile()
  const checkout = join(folder, 'build')
  copyContext(checkout)
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  execFileSync(process.execPath, ['scripts/build/main.ts', 'dist'], {
    cwd: checkout,
    stdio: 'pipe',
  })
  const image = join(folder, 'image')
  const script = build.findLast(({ name }) => name === 'RUN')?.rest ?? ''
  const [shell = '', ...args] = script.split(' ')
  // Its Node is that of the base image; ours is at another place.
  const places: Record<string, string> = {
    '/usr/local/bin/node': process.execPath,
    '/image': image,
  }
  execFileSync(
    shell,
    args.map((arg) => places[arg] ?? arg),
    { cwd: checkout },
  )
  return describe(image, final)
}

/** The files that `COPY . .` takes, by the patterns of .dockerignore that are used here. */
function copyContext(target: string): void {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  const taken = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  const left = lines.filter((line) => line.startsWith('**/')).flatMap((line) => globOf(line))
  mkdirSync(target)
  for (const path of taken) {
    const from = join(root, path)
    cpSync(from, join(target, path), {
      recursive: true,
      filter: (file) => !left.some((pattern) => pattern.test(file)),
    })
  }
}

const globOf = (line: string): RegExp => {
  const name = line.slice(3).replaceAll('.', '\\.').replaceAll('*', '[^/]*')
  return new RegExp(`/${name}$`)
}

function describe(folder: string, final: readonly Instruction[]): Image {
  const of = (name: string): string => final.find((one) => one.name === name)?.rest ?? ''
  for (const { name, rest } of final) if (name === 'COPY') giveAway(folder, rest)
  return {
    folder,
    user: Number(of('USER').split(':')[0]),
    workdir: of('WORKDIR'),
    environment: Object.fromEntries(
      of('ENV')
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    ),
    command: [...JSON.parse(of('ENTRYPOINT')), ...JSON.parse(of('CMD'))],
    healthcheck: JSON.parse(of('HEALTHCHECK').replace(/^.*CMD /, '')),
  }
}

/** `--chown` gives what is copied, and not the folder that it is copied into, to somebody. */
function giveAway(folder: string, copy: string): void {
  const [, user, group, , target = ''] = /--chown=(\d+):(\d+) (\S+) (\S+)/.exec(copy) ?? []
  if (!user) return
  for (const path of globSync('*', { cwd: join(folder, target) })) {
    chownSync(join(folder, target, path), Number(user), Number(group))
  }
}

/** In the image, with its root read only, in a namespace of processes of its own: the first one. */
const inside = `
set -e
root=$0; user=$1; workdir=$2; shift 2
mkdir -p "$root/proc"
mount --bind "$root" "$root"
mount --bind "$root$workdir" "$root$workdir"
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
exec unshare --root="$root" --wd="$workdir" --setgid="$user" --setuid="$user" "$@"
`

/** Runs a command in the image as a container engine would. */
export function runInside(
  { folder, user, workdir, environment }: Image,
  command: readonly string[],
  more: Record<string, string> = {},
): ChildProcess {
  const args = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', inside]
  return endsWithUs(
    spawn('unshare', [...args, folder, String(user), workdir, ...command], {
      env: { PATH: process.env['PATH'] ?? '', ...environment, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
}

/** The process that is the first one inside, by its number outside. */
export function firstInside(child: ChildProcess): number {
  const file = `/proc/${child.pid}/task/${child.pid}/children`
  return Number(readFileSync(file, 'utf8').trim().split(' ')[0])
}

/** Whether this machine lets us do what a container engine does. */
export function canIsolate(): boolean {
  try {
    execFileSync('unshare', ['--mount', '--pid', '--fork', 'true'], { stdio: 'ignore' })
    return process.getuid?.() === 0
  } catch {
    return false
  }
}

/** Every file of the image that can be run, below its root. */
export const executables = ({ folder }: Image): string[] =>
  execFileSync('find', [folder, '-type', 'f', '-perm', '/111'], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
    .map((path) => path.slice(folder.length))
