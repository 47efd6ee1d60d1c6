import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

const share = Number(process.env['MUTATE_SHARE'] ?? 1)
const seed = process.env['TRUST_SEED'] ?? '1'

/** From 0 to 1, by what is declared and the seed. */
function drawn(code) {
  const hash = createHash('sha256').update(`${seed} ${code}`).digest()
  return hash.readUInt32BE(0) / 2 ** 32
}

/** Leaves out declarations by chance, each with everything that is in it, where only a share is to be tried. */
const sample = {
  shouldIgnore(path) {
    if (share >= 1 || !path.parentPath?.isProgram()) return undefined
    return drawn(path.toString()) < share ? undefined : 'not drawn'
  },
}

/** Writes each result at once, so that a run can end when its time is over. */
const lines = {
  onMutantTested({ fileName, status, mutatorName, replacement, location }) {
    const { line } = location.start
    const result = { file: fileName, line, status, mutatorName, replacement }
    appendFileSync(process.env['MUTATE_REPORT'], `${JSON.stringify(result)}\n`)
  },
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'sample', sample),
  declareValuePlugin(PluginKind.Reporter, 'lines', lines),
]
