import { settings } from '../contract/settings.ts'
import { isUndated, ofClients } from '../contract/undated.ts'
import { type LiteralStyle, literal } from './code-literal.ts'
import { hasCredentials, type SampleRequest } from './curl.ts'
import type { Site } from './site.ts'

const typescript: LiteralStyle = {
  indent: '  ',
  key: (name) => (/^[a-z_$][\w$]*$/i.test(name) ? name : quote(name)),
  text: quote,
  words: { true: 'true', false: 'false', null: 'null' },
}

/** Single quotes, unless the text has one. */
function quote(text: string): string {
  const json = JSON.stringify(text)
  return text.includes("'") ? json : `'${json.slice(1, -1).replaceAll('\\"', '"')}'`
}

/** What calls the operations of each document: its constructor and its module. */
const callerOf = (folder: Site['folder']): [name: string, make: string, module: string] =>
  isUndated(folder) && !ofClients.includes(folder)
    ? ['control', 'createControl', `${settings.package}/testing`]
    : ['client', 'createClient', settings.package]

/** The request as a call of the client, or of the client of the sandbox API. */
export function typescriptSample(
  folder: Site['folder'],
  operationId: string,
  { contract, body }: SampleRequest,
): string {
  const [name, make, module] = callerOf(folder)
  const { client_id: clientId, secret } = settings.credentials
  const options = {
    baseUrl: contract.servers[0]!.url,
    ...(hasCredentials(body) ? {} : { clientId, secret }),
  }
  return [
    `import { ${make} } from ${quote(module)}`,
    '',
    `const ${name} = ${make}(${literal(options, typescript)})`,
    `const { data, error } = await ${name}.${operationId}(${literal(body, typescript)})`,
    'console.log(error ?? data)',
  ].join('\n')
}
