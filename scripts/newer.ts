import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

// Imports nothing of ours: `npm start` waits for it.
const root = join(import.meta.dirname, '..')

/** A checkout writes its files within some seconds, in any order. */
const toleranceMs = 10_000

/** A source that is newer than a file made from it, which then does not know it. */
export function newerSource(sources: string[], made: string[], folder = root): string | undefined {
  const changedAt = (file: string) => statSync(join(folder, file)).mtimeMs
  const oldest = Math.min(...globSync(made, { cwd: folder }).map(changedAt))
  return globSync(sources, { cwd: folder }).find((file) => changedAt(file) > oldest + toleranceMs)
}

/** Each part of `dist/` that is older than its sources: pages and files that are new answer 404. */
export function staleBuild(folder = root): string[] {
  const parts = [
    {
      made: 'dist/src/server/main.js',
      sources: ['openapi/**/*.yaml', 'src/**/*.ts', 'src/dashboard/**/*.{css,html,vue}'],
      script: 'build',
    },
    {
      made: 'dist/docs/index.html',
      sources: ['openapi/**/*.{md,yaml}', 'src/docs/**/*.{md,ts,vue}'],
      script: 'docs',
    },
  ]
  return parts.flatMap(({ made, sources, script }) => {
    const newer = newerSource(sources, [made], folder)
    return newer
      ? [
          `${made} is older than ${newer}, and what is new there answers 404: run \`npm run ${script}\``,
        ]
      : []
  })
}
