import { type LiteralStyle, literal } from './code-literal.ts'
import { credentialHeaders, hasCredentials, type SampleRequest } from './curl.ts'

/** A JSON string is a Python string as well. */
const python: LiteralStyle = {
  indent: '    ',
  key: JSON.stringify,
  text: JSON.stringify,
  words: { true: 'True', false: 'False', null: 'None' },
}

/** The request as a Python program that uses `requests`. */
export function pythonSample({ contract, path, body, form }: SampleRequest): string {
  const options = [
    ...(hasCredentials(body) ? [] : [['headers', credentialHeaders(contract)]]),
    [form ? 'data' : 'json', body],
  ] as [name: string, value: unknown][]
  return [
    'import requests',
    '',
    'response = requests.post(',
    `    ${python.text(contract.servers[0]!.url + path)},`,
    ...options.map(([name, value]) => `    ${name}=${literal(value, python, 1)},`),
    '    timeout=30,',
    ')',
    'print(response.status_code, response.json())',
  ].join('\n')
}
