import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { contractFiles, sourceMistakes } from '../../scripts/lint/sources.ts'

// Edits of the contract as people make them by mistake, each with the line that tells it.

const files = contractFiles()

const request = 'components/schemas/wallets/WalletGetRequest.yaml'
const operation = 'paths/wallets/walletGet.yaml'
const error = 'errors/RATE_LIMIT.yaml'
const spare = 'type: string\ndescription: A spare.\n'
const replay = /x-replay:\n( {2}.*\n)+/
const pattern = (text: string) => `    maxLength: 128\n    pattern: '${text}'`

/** The file, what is replaced in it (nothing: the file is new), by what, and what is said. */
type Mistake = [name: string, file: string, from: string | RegExp, to: string, line: string]

const mistakes: Mistake[] = [
  ['an empty file', request, /[\s\S]+/, '', `${request}:1: the file is empty`],
  [
    'a property without a schema',
    request,
    '{ $ref: ../shared/ClientId.yaml }',
    '',
    '`client_id` needs a schema',
  ],
  ['an error without a body', error, 'value:', 'values:', `${error}:1: an error needs \`value\``],
  [
    'a wrong indentation',
    request,
    '    type: string',
    '   type: string',
    `${request}:9: this is not YAML: `,
  ],
  [
    'a tab',
    request,
    '    type: string',
    '\ttype: string',
    `${request}:9: this is not YAML: Tabs are not`,
  ],
  [
    'a key that stands twice',
    request,
    '    minLength: 1',
    '    type: string',
    `${request}:11: this is not YAML: Map keys must be unique`,
  ],
  [
    'a reference to no file',
    request,
    'ClientId.yaml',
    'Client.yaml',
    `${request}:6: \`$ref: ../shared/Client.yaml\` leads nowhere: openapi/components/schemas/shared/Client.yaml is missing`,
  ],
  [
    'a reference to no example',
    operation,
    'walletGet.yaml#/walletGetRequest',
    'walletGet.yaml#/none',
    'walletGet.yaml has no none',
  ],
  [
    'a request without an example',
    operation,
    /examples:\n(?: {10}walletGetRequest.*\n)+/,
    'examples: {}\n',
    `${operation}:19: a body needs \`examples\`, at least one`,
  ],
  [
    'an operation that is not listed',
    'openapi.yaml',
    /.*walletGet\.yaml.*\n/,
    '',
    `${operation}:1: nothing refers to this file: list it under \`paths\` in openapi/openapi.yaml`,
  ],
  [
    'an unused schema',
    'components/schemas/wallets/Spare.yaml',
    '',
    spare,
    'Spare.yaml:1: nothing refers to this file',
  ],
  [
    'a schema that is a reference to itself',
    'components/schemas/wallets/Spare.yaml',
    '',
    '$ref: ./Spare.yaml\n',
    'Spare.yaml:1: `$ref: ./Spare.yaml` leads back to itself: write the schema in its place',
  ],
  [
    'an unused example',
    'examples/wallets/walletGet.yaml',
    /^/,
    'walletGetRequestOther: { summary: A, value: {} }\n',
    'walletGet.yaml:1: nothing refers to the example walletGetRequestOther',
  ],
  [
    'two schemas of one name',
    'components/schemas/shared/Wallet.yaml',
    '',
    spare,
    'another schema has this name: openapi/components/schemas/',
  ],
  [
    'the operationId of another one',
    operation,
    'operationId: walletGet',
    'operationId: walletList',
    `${operation}:2: \`operationId\` must be walletGet, as its file, not walletList`,
  ],
  ['another method', operation, 'post:', 'get:', `${operation}:1: \`get\` must be \`post\`: every`],
  ['no x-replay', error, replay, '', `${error}:1: an error needs \`x-replay\``],
  [
    'x-replay and x-unreachable',
    error,
    'x-replay:',
    'x-unreachable: Nothing does.\nx-replay:',
    'this has both; keep one',
  ],
  [
    'an unreachable error that is listed',
    error,
    replay,
    'x-unreachable: Nothing does.\n',
    'components/responses/RateLimited.yaml:',
  ],
  [
    'a message with a capital',
    error,
    'error_message: too',
    'error_message: Too',
    '`error_message` must start in lower case',
  ],
  [
    'a message with a full stop',
    error,
    'in this minute\n',
    'in this minute.\n',
    '`error_message` must end without a full stop',
  ],
  [
    'a value without words',
    'components/schemas/wallets/WalletStatus.yaml',
    /UNKNOWN,/,
    'UNKNOWN, FROZEN,',
    '`x-enumDescriptions` must describe FROZEN as well',
  ],
  [
    'words of no value',
    'components/schemas/wallets/WalletStatus.yaml',
    /x-enumDescriptions:\n/,
    'x-enumDescriptions:\n  GONE: It is gone.\n',
    '`x-enumDescriptions` describes GONE, no value of `enum`',
  ],
  [
    'a pattern that is none',
    request,
    '    maxLength: 128',
    pattern('^[a-z'),
    `${request}:13: \`pattern\` must be a regular expression`,
  ],
  [
    'a pattern that backtracks',
    request,
    '    maxLength: 128',
    pattern('^([a-z]+)*$'),
    `${request}:13: \`pattern\` repeats a group that holds a repetition`,
  ],
  [
    'a format that nobody knows',
    request,
    '    maxLength: 128',
    '    maxLength: 128\n    format: phone',
    `${request}:13: \`format\` must be one of date, date-time, email, int32,`,
  ],
]

/** What is found after an edit of one file. */
function foundAfter(name: string, from: string | RegExp, to: string): string[] {
  const file = `openapi/${name}`
  const old = from === '' ? '' : files.get(file)!
  const edited = from === '' ? to : old.replace(from, () => to)
  expect(edited).not.toBe(old)
  return sourceMistakes(new Map([...files, [file, edited]]))
}

describe('a mistake is told with its file and line:', () => {
  test.each(mistakes)('%s', { timeout: 30_000 }, (_, file, from, to, line) => {
    const found = foundAfter(file, from, to)
    expect(found.find((one) => one.includes(line)) ?? found).toContain(line)
    for (const one of found) expect(one).toMatch(/^openapi\/\S+\.yaml:\d+: \S/)
  })
})

test('the guide for API designers shows what is told', () => {
  const guide = readFileSync(join(root, 'src/docs/guides/16-design-the-api.md'), 'utf8')
  const found = foundAfter(request, 'ClientId.yaml', 'Client.yaml')
  expect(guide).toContain(`\`\`\`text\n${found.join('\n')}\n\`\`\``)
})

test('the contract has none', () => {
  expect(sourceMistakes(files)).toEqual([])
})

test('a group that starts with a separator may hold a repetition', () => {
  const found = foundAfter(request, '    maxLength: 128', pattern('^[A-Z]+(?:_[A-Z]+)+$'))
  expect(found).toEqual([])
})
