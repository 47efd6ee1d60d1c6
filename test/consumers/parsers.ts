import { readFileSync } from 'node:fs'
import SwaggerParser from '@apidevtools/swagger-parser'
import { dereference, validate } from '@scalar/openapi-parser'
import Converter from 'openapi-to-postmanv2'
import type { Bundle } from './bundles.ts'

export async function parseWithScalar({ file }: Bundle): Promise<void> {
  const text = readFileSync(file, 'utf8')
  const { valid, errors = [] } = await validate(text)
  const problems = [...errors, ...(dereference(JSON.parse(text)).errors ?? [])]
  if (!valid || problems.length > 0) throw new Error(JSON.stringify(problems.slice(0, 20)))
}

export async function parseWithSwaggerParser({ file }: Bundle): Promise<void> {
  await SwaggerParser.validate(file)
}

interface Folder {
  item?: Folder[]
}

/** Makes a collection of the bundle, with a request for each operation. */
export async function convertToPostman({ file, operations }: Bundle): Promise<void> {
  const data = readFileSync(file, 'utf8')
  const found = countRequests(await convert(data))
  if (found !== operations) throw new Error(`${found} requests for ${operations} operations`)
}

function convert(data: string): Promise<Folder> {
  return new Promise((resolve, reject) => {
    Converter.convert({ type: 'string', data }, { folderStrategy: 'Tags' }, (error, outcome) => {
      const collection = outcome?.output?.[0]?.data as Folder | undefined
      if (collection) resolve(collection)
      else reject(error ?? new Error(outcome?.reason))
    })
  })
}

const countRequests = ({ item }: Folder): number =>
  item?.reduce((sum, folder) => sum + countRequests(folder), 0) ?? 1
