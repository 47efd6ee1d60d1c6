import { ContractError } from './contract-error.ts'
import { type Form, list, mapOf, object, oneOf, packageName, text, truth } from './forms.ts'
import { base, contractFolder, isOwn } from './place.ts'
import { lineOf, readSource, readYaml } from './yaml-source.ts'

/** A document beside the dated versions: its operations are the same in all of them. */
export interface Undated {
  /** What it is called in sentences. */
  title: string
  /** The title of its page in the docs. */
  page: string
  /** The name of the link to all of its operations. */
  list: string
  /** Whether production has its operations; then the client and the mock have them too. */
  production: boolean
}

/** What is special to a contract beside its documents: the file `settings.yaml` in its folder. */
export interface Settings {
  /** The documents without versions, by the name of their folders. One may refer to those before it. */
  documents: Record<string, Undated>
  /** The documents that only the service's own pages call. */
  pages: string[]
  /** The name under which programs import the client. */
  package: string
  /** The credentials that samples of the docs send, and that the mock accepts. */
  credentials: { client_id: string; secret: string }
  docs: DocsSettings
  /** The generators for this contract alone, beside those for all contracts. */
  steps: NamedStep[]
  /** The errors that a mock beside generated files answers; the mock of this service needs none. */
  mock?: MockErrors
}

/** What the docs say beside the contract. */
export interface DocsSettings {
  /** What the start page says first. */
  lead: string
  /** The operation that the start page and the page of versions call. */
  operation: string
  /** The parts of our site alone: pages beside the contract, and the console for a running service. */
  parts: DocsPart[]
}

const docsParts = ['console', 'guides', 'glossary', 'measurements', 'changelog'] as const
export type DocsPart = (typeof docsParts)[number]

/** The keys of the errors for what is wrong with a request before its fields are read. */
export interface MockErrors {
  credentials: string
  version: string
  body: string
  path: string
}

/** The generators that run only for a contract that names them. */
export const namedSteps = [
  'packageDates',
  'closedTypes',
  'undatedOperations',
  'handlers',
  'sandboxTypes',
  'plainFields',
  'tools',
  'differences',
  'workflows',
  'worldSchema',
  'mappingSchema',
  'linkScript',
  'institutionsSchema',
  'categoriesSchema',
  'gatewaySchema',
  'accountKinds',
  'importRules',
] as const
export type NamedStep = (typeof namedSteps)[number]

const undatedForm = { title: text, page: text, list: text, production: truth }

const docsForm = { lead: text, operation: text, parts: list(oneOf(docsParts)) }
const mockForm = { credentials: text, version: text, body: text, path: text }

const form: Form = object(
  {
    documents: mapOf(object(undatedForm, Object.keys(undatedForm))),
    pages: list(text),
    credentials: object({ client_id: text, secret: text }, ['client_id', 'secret']),
    package: packageName,
    docs: object(docsForm, ['lead', 'operation']),
    steps: list(oneOf(namedSteps)),
    mock: object(mockForm, Object.keys(mockForm)),
  },
  ['package', 'credentials', 'docs', ...(isOwn ? [] : ['mock'])],
)

/** Where the settings are. */
export const settingsFile = `${contractFolder}/settings.yaml`

/** What a file need not say. */
const without = { documents: {}, pages: [], steps: [] }

function readSettings(): Settings {
  const value = readYaml(base, settingsFile)
  const mistakes = form(value)
  if (mistakes.length > 0) {
    const source = readSource(base, settingsFile)
    throw new ContractError(
      mistakes.map(({ way, words }) => `${settingsFile}:${lineOf(source, way)}: ${words}`),
    )
  }
  const given = value as Settings
  return { ...without, ...given, docs: { ...given.docs, parts: given.docs.parts ?? [] } }
}

export const settings: Settings = readSettings()
