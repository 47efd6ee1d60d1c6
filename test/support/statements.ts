import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../../scripts/contract/contract.ts'

/** A statement of the service, as it stands in its source. */
export interface Statement {
  /** The function or constant that holds it. */
  name: string
  file: string
  /** What is put in stands as `${}`. */
  sql: string
}

const begins =
  /^\s*(select\b.*\bfrom|insert into|update \S+ set|update \S+\s+set|delete from|with \w+)\b/is

/** Every statement in the sources of the service. */
export function readStatements(): Statement[] {
  return globSync('src/server/**/*.ts', { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    const found: Statement[] = []
    const visit = (node: ts.Node, name: string): void => {
      const sql = textOf(node)
      if (sql !== undefined && begins.test(sql)) found.push({ name, file, sql })
      else ts.forEachChild(node, (child) => visit(child, nameOf(node) ?? name))
    }
    visit(source, file)
    return found
  })
}

/** The name of what is declared at the top of a file. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) && node.name) return node.name.text
  const isTop =
    ts.isVariableDeclaration(node) && node.parent.parent.parent.kind === ts.SyntaxKind.SourceFile
  return isTop && ts.isIdentifier(node.name) ? node.name.text : undefined
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => `\${}${literal.text}`).join('')
}
