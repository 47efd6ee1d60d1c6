import { escapeControls } from '../control-characters.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readOptions } from './options.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} completion bash
       ${program} completion zsh
       ${program} completion fish
       ${program} completion candidates -- WORD...

Prints a script that completes commands, options and names of the contract in a shell. The script asks this
program for the candidates, so it stays right after an update. Install the package globally for that.

  --json   print the script or the candidates as JSON (off)
  --help   print this

exit code: 0 printed, 2 wrong usage

examples:
  source <(${program} completion bash)
  ${program} completion fish > ~/.config/fish/completions/${program}.fish`

const options = { json: { type: 'boolean', default: false } } as const

/** Prints scripts for shells. */
export const completion: Command = { help, run }

const name = '_financial_data_service'
const call = `${program} completion candidates --`

const scripts: Readonly<Record<string, string>> = {
  bash: `# Completes ${program} in bash.
${name}() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}"
  local candidates="$(${call} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)"
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o default -F ${name} ${program}`,
  zsh: `#compdef ${program}
# Completes ${program} in zsh.
${name}() {
  local -a candidates
  candidates=("\${(@f)$(${call} "\${(@)words[2,CURRENT]}" 2>/dev/null | sed -e 's/:/\\\\:/g' -e 's/\\t/:/')}")
  if [[ -n "$candidates" ]]; then _describe '${program}' candidates; else _files; fi
}
compdef ${name} ${program}`,
  fish: `# Completes ${program} in fish.
function ${name}
    set -l words (commandline -opc)[2..]
    ${call} $words (commandline -ct) 2>/dev/null
end
complete -c ${program} -a '(${name})'`,
}

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  const [shell = '', ...words] = positionals
  if (shell === 'candidates') return printCandidates(words, values.json)
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (script === undefined || words.length > 0) {
    throw new UsageError(`say for which shell: ${Object.keys(scripts).join(', ')}`)
  }
  console.log(values.json ? toJson({ shell, script }) : script)
  return 0
}

async function printCandidates(words: readonly string[], json: boolean): Promise<ExitCode> {
  const { findCandidates } = await import('./candidates.ts')
  const found = await findCandidates(words)
  if (json) console.log(toJson(found))
  else for (const { word, about } of found) console.log(escapeControls(word) + tab(about))
  return 0
}

const tab = (about: string): string => (about === '' ? '' : `\t${escapeControls(about)}`)
