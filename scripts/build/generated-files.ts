import { cpSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { banner, currentVersion, documents, root, versions } from '../contract/contract.ts'
import { ofPages } from '../contract/undated.ts'
import { accountKindsFolder } from '../generate/account-kinds.ts'
import { categoriesFolder, categoriesSchemaFile } from '../generate/categories-schema.ts'
import { gatewayFolder, gatewaySchemaFile } from '../generate/gateway-schema.ts'
import { institutionsFolder, institutionsSchemaFile } from '../generate/institutions-schema.ts'
import { linkScriptFile } from '../generate/link-script.ts'
import { mappingSchemaFile, statementsFolder } from '../generate/mapping-schema.ts'
import { worldSchemaFile } from '../generate/world-schema.ts'

/** Puts what of `generated` is not TypeScript into the build. */
export function copyGenerated(folder: string): void {
  for (const name of documents) {
    for (const part of ['openapi.json', 'validators']) {
      const path = join('generated', name, part)
      cpSync(join(root, path), join(folder, path), { recursive: true })
    }
  }
  for (const name of [
    ...ofPages,
    statementsFolder,
    institutionsFolder,
    categoriesFolder,
    gatewayFolder,
    accountKindsFolder,
  ]) {
    const validators = join('generated', name, 'validators')
    cpSync(join(root, validators), join(folder, validators), { recursive: true })
  }
  const schemas = [
    worldSchemaFile,
    mappingSchemaFile,
    institutionsSchemaFile,
    categoriesSchemaFile,
    gatewaySchemaFile,
  ]
  for (const file of [...schemas, linkScriptFile]) {
    cpSync(file, join(folder, relative(root, file)))
  }
  for (const version of versions) linkUnchanged(folder, version)
}

/** A version has the validators of its own only; the others are those of the current version. */
function linkUnchanged(folder: string, version: string): void {
  const current = join('generated', currentVersion, 'validators')
  for (const name of globSync('*.{js,d.ts}', { cwd: join(root, current) })) {
    const file = join(folder, 'generated', version, 'validators', name)
    if (existsSync(file)) continue
    const target = `../../${currentVersion}/validators/${name.replace(/\.d\.ts$|\.js$/, '.js')}`
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${banner('build/generated-files.ts')}export * from '${target}'\n`)
  }
}
