import { readArguments } from '../../src/arguments.ts'
import { isMain } from '../command.ts'
import { generateElsewhere } from './elsewhere.ts'

const usage = `usage: npm run generate [-- options]

Writes generated/ from the contract in openapi/. With --contract, it writes a package for another
contract: types, validators, client, mock and docs.

  --contract FOLDER  read the contract in this folder, which also has a settings.yaml
  --out FOLDER       write the package here; it replaces what an earlier run wrote
  --no-docs          leave out the docs, which take the most time
  --help             show this

It exits with 1 if the contract has a mistake, and with 2 if an option is wrong. It then writes
nothing. CONTRIBUTING.md says how to write such a contract.`

class OptionError extends Error {}

function readOptions() {
  const toError = (message: string) => new OptionError(`${message}; see --help`)
  const text = { type: 'string' } as const
  const truth = { type: 'boolean' } as const
  const options = { contract: text, out: text, 'no-docs': truth, help: truth } as const
  const { values } = readArguments({ options }, toError)
  const { contract, out } = values
  if ((contract === undefined) !== (out === undefined)) {
    throw toError('--contract and --out belong together')
  }
  return values
}

async function main(): Promise<void> {
  const { help, contract, out, 'no-docs': noDocs = false } = readOptions()
  if (help) console.log(usage)
  else if (contract !== undefined && out !== undefined) {
    await generateElsewhere({ contract, out, docs: !noDocs })
  } else {
    const { generate } = await import('./generate.ts')
    await generate()
  }
}

if (isMain(import.meta.filename)) {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}
