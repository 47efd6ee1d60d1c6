import { spawn } from 'node:child_process'
import { paths as dated } from '#contract/operations.ts'
import { errorCatalogue } from '../../generated/errors.ts'
import { paths as platform } from '../../generated/platform/operations.ts'
import { paths as sandbox } from '../../generated/sandbox/operations.ts'
import { escapeControls } from '../control-characters.ts'
import { hintOf } from '../nearest.ts'
import { callService, NoAnswer } from './call-service.ts'
import { type Caller, callerHelp, callerOptions, readCaller } from './caller.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { eventNames } from './event-names.ts'
import { readOptions } from './options.ts'
import { tellError } from './tell-error.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} open dashboard [options]
       ${program} open docs [options]
       ${program} open NAME [options]

Opens the dashboard, the docs, or the page of an operation, an event or an error code in the browser. Prints
the address where there is none. Without a name, opens the dashboard.

  --print               print the address, and open nothing (off)
${callerHelp}

exit code: 0 opened or printed, 1 the service has no docs or does not answer, 2 wrong usage

examples:
  ${program} open
  ${program} open transactionsSync
  ${program} open ITEM_LOGIN_REQUIRED --print`

const options = { print: { type: 'boolean', default: false }, ...callerOptions } as const

/** Opens pages of a service. */
export const open: Command = { help, run }

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  const [name = 'dashboard', extra] = positionals
  if (extra !== undefined) throw new UsageError(`${extra} is one argument too many`)
  const page = name === 'dashboard' ? undefined : pageOf(name)
  const caller = await readCaller(values.profile)
  try {
    const url = page === undefined ? `${caller.base}/dashboard/` : await findPage(caller, page)
    if (url === undefined) {
      tellError('this service has no docs')
      return 1
    }
    const isOpened = !values.print && (await openInBrowser(url))
    if (values.json) console.log(toJson({ url, opened: isOpened }))
    else console.log(escapeControls(isOpened ? `opened ${url}` : url))
    return 0
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    tellError(error.message)
    return 1
  }
}

/** Below the docs: what each name of the contract has. */
function pageOf(name: string): string {
  if (name === 'docs') return ''
  if (Object.hasOwn(dated, name)) return `operations/${name}/`
  if (Object.hasOwn(platform, name)) return `platform/${name}/`
  if (Object.hasOwn(sandbox, name)) return `sandbox/${name}/`
  if (eventNames.includes(name)) return `webhooks/${name}/`
  const errors = Object.entries(errorCatalogue).filter(([key, { code }]) =>
    [key, code].includes(name),
  )
  const [only, other] = errors
  if (only && !other) return `errors/${only[0]}/`
  if (only) return `errors/#${name}`
  throw new UsageError(`there is no page for ${name}${hintOf(name, pageNames())}`)
}

/** Every name that has a page. */
export const pageNames = (): string[] => [
  ...['dashboard', 'docs'],
  ...Object.keys({ ...dated, ...platform, ...sandbox }),
  ...eventNames,
  ...new Set(Object.values(errorCatalogue).map(({ code }) => code)),
]

/** A request that every service rejects: the error says where its docs are. */
async function findPage(caller: Caller, page: string): Promise<string | undefined> {
  const { body } = await callService(caller, 'webhookVerificationKeyGet', {})
  const { documentation_url: url } = body
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  const [docs] = url.split('/errors')
  return `${docs}/${page}`
}

/** The program that opens an address. None of them is a shell, so the address is one argument as it is. */
function openerOf(url: string): [string, string[]] | undefined {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  if (process.platform === 'darwin') return ['open', [url]]
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]]
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open', [url]] : undefined
}

/** Some openers end only with the browser. */
const patienceMs = 3000

function openInBrowser(url: string): Promise<boolean> {
  const opener = openerOf(url)
  if (!opener || !/^https?:/.test(url)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const child = spawn(...opener, { stdio: 'ignore', detached: true })
    const timer = setTimeout(() => resolve(true), patienceMs)
    const end = (isOpened: boolean) => {
      clearTimeout(timer)
      resolve(isOpened)
    }
    child.once('error', () => end(false))
    child.once('exit', (code) => end(code === 0))
    child.unref()
  })
}
