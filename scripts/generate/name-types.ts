import ts from 'typescript'

/** What is known of the component schemas that types are made for. */
export interface Named {
  /** Whether bodies of the service, and no request, have the schema: its enums may get new values. */
  isOpen(name: string): boolean
  /** Whether the schema is an enum. */
  isEnum(name: string): boolean
  /** The fields of a webhook's body that say which webhook it is. */
  fixedFields(name: string): readonly string[]
}

const { factory } = ts
const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)]

/**
 * Gives each component schema a declaration of its own, by which editors and compilers name it, and
 * refers to it by that name everywhere. `components['schemas']` leads to the same types.
 */
export function nameTypes(nodes: readonly ts.Node[], named: Named): ts.Node[] {
  const declarations: ts.Node[] = []
  const declare = (member: ts.TypeElement): ts.TypeElement => {
    if (!isField(member)) return member
    const name = member.name.text
    const own = withNames(member.type) as ts.TypeNode
    const type = named.isOpen(name) ? opened(own, named, named.fixedFields(name)) : own
    declarations.push(withComments(member, declarationOf(name, type, objects)))
    return field(member, factory.createTypeReferenceNode(name))
  }
  const schemas = schemasOf(nodes)
  const objects = objectsOf(schemas)
  const outer = nodes.map((node) => {
    if (!isInterface(node, 'components')) return withNames(node)
    const members = node.members.map((member) => {
      if (!isField(member)) return member
      if (member.name.text !== 'schemas') return withNames(member) as ts.TypeElement
      return field(member, factory.createTypeLiteralNode(schemas.map(declare)))
    })
    return factory.updateInterfaceDeclaration(
      node,
      exported,
      node.name,
      undefined,
      undefined,
      members,
    )
  })
  return [...outer, ...declarations]
}

type Field = ts.PropertySignature & {
  name: ts.Identifier | ts.StringLiteral
  type: ts.TypeNode
}

const isField = (node: ts.Node): node is Field =>
  ts.isPropertySignature(node) &&
  (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name)) &&
  node.type !== undefined

const isInterface = (node: ts.Node, name: string): node is ts.InterfaceDeclaration =>
  ts.isInterfaceDeclaration(node) && node.name.text === name

function schemasOf(nodes: readonly ts.Node[]): readonly ts.TypeElement[] {
  const components = nodes.find((node) => isInterface(node, 'components'))
  const schemas = components?.members.filter(isField).find(({ name }) => name.text === 'schemas')
  return schemas && ts.isTypeLiteralNode(schemas.type) ? schemas.type.members : []
}

/** By the name of each schema that becomes an interface, the fields that it requires. */
type Objects = ReadonlyMap<string, ReadonlySet<string>>

/** The schemas that become interfaces: objects, and objects that begin with others. */
function objectsOf(schemas: readonly ts.TypeElement[]): Objects {
  const types = new Map(schemas.filter(isField).map(({ name, type }) => [name.text, type]))
  const requiredIn = (type: ts.TypeNode | undefined): string[] | undefined => {
    if (type === undefined) return undefined
    if (ts.isTypeLiteralNode(type)) return type.members.filter(isRequired).map(nameOf)
    if (!ts.isIntersectionTypeNode(type)) return requiredIn(types.get(componentOf(type) ?? ''))
    const parts = type.types.map(requiredIn)
    return parts.every((part) => part !== undefined) ? parts.flat() : undefined
  }
  const required = [...types].map(([name, type]) => [name, requiredIn(type)] as const)
  return new Map(required.flatMap(([name, all]) => (all ? [[name, new Set(all)]] : [])))
}

const isRequired = (node: ts.TypeElement): node is Field => isField(node) && !node.questionToken
const nameOf = ({ name }: Field): string => name.text

/** The name of the component schema that a type such as `components["schemas"]["Account"]` is. */
function componentOf(type: ts.Node): string | undefined {
  if (!ts.isIndexedAccessTypeNode(type) || !ts.isIndexedAccessTypeNode(type.objectType)) return
  const [root, kind, name] = [type.objectType.objectType, textOf(type.objectType), textOf(type)]
  const isComponents =
    ts.isTypeReferenceNode(root) &&
    ts.isIdentifier(root.typeName) &&
    root.typeName.text === 'components'
  return isComponents && kind === 'schemas' ? name : undefined
}

const textOf = ({ indexType }: ts.IndexedAccessTypeNode): string | undefined =>
  ts.isLiteralTypeNode(indexType) && ts.isStringLiteral(indexType.literal)
    ? indexType.literal.text
    : undefined

/** The same tree with names in the place of long references. */
function withNames(node: ts.Node): ts.Node {
  const name = componentOf(node)
  if (name) return factory.createTypeReferenceNode(name)
  const changed = ts.visitEachChild(node, withNames, undefined)
  return changed === node ? node : withComments(node, changed)
}

/** Lets every enum below the type take values that this release does not know. */
function opened(type: ts.TypeNode, named: Named, fixed: readonly string[] = []): ts.TypeNode {
  const visit = (node: ts.Node): ts.Node => {
    if (isField(node) && fixed.includes(node.name.text)) return node
    if (ts.isUnionTypeNode(node)) return openUnion(node, visit)
    if (isText(node) || isEnumReference(node, named)) return openedBy(node)
    const changed = ts.visitEachChild(node, visit, undefined)
    return changed === node ? node : withComments(node, changed)
  }
  return visit(type) as ts.TypeNode
}

/** The generator writes a text as an identifier in quotes, which keeps its letters as they are. */
const isText = (node: ts.Node): node is ts.TypeNode & ts.Identifier =>
  ts.isIdentifier(node) && node.text.startsWith('"')

const isEnumReference = (node: ts.Node, { isEnum }: Named): node is ts.TypeReferenceNode =>
  ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) && isEnum(node.typeName.text)

const openedBy = (known: ts.TypeNode): ts.TypeNode =>
  factory.createTypeReferenceNode('Open', [known])

function openUnion({ types }: ts.UnionTypeNode, visit: (node: ts.Node) => ts.Node): ts.TypeNode {
  const texts = types.filter(isText)
  const others = types.filter((type) => !isText(type)).map((type) => visit(type) as ts.TypeNode)
  if (texts.length === 0) return factory.createUnionTypeNode(others)
  const known = openedBy(texts.length > 1 ? factory.createUnionTypeNode(texts) : texts[0]!)
  return others.length > 0 ? factory.createUnionTypeNode([known, ...others]) : known
}

/** An interface for an object, and an alias for all else. */
function declarationOf(name: string, type: ts.TypeNode, objects: Objects) {
  if (!objects.has(name)) {
    return factory.createTypeAliasDeclaration(exported, name, undefined, type)
  }
  const parts = ts.isIntersectionTypeNode(type) ? type.types : [type]
  const own = parts.flatMap((part) => (ts.isTypeLiteralNode(part) ? [...part.members] : []))
  // What a base requires stays so where a schema narrows it.
  const members = own.map((member) =>
    isField(member) && member.questionToken && objects.get(name)!.has(nameOf(member))
      ? withComments(
          member,
          factory.createPropertySignature(undefined, member.name, undefined, member.type),
        )
      : member,
  )
  const bases = parts.flatMap((part) => {
    if (!ts.isTypeReferenceNode(part)) return []
    const base = factory.createIdentifier((part.typeName as ts.Identifier).text)
    return [factory.createExpressionWithTypeArguments(base, undefined)]
  })
  const heritage =
    bases.length > 0
      ? [factory.createHeritageClause(ts.SyntaxKind.ExtendsKeyword, bases)]
      : undefined
  return factory.createInterfaceDeclaration(exported, name, undefined, heritage, members)
}

const field = (node: Field, type: ts.TypeNode): ts.PropertySignature =>
  factory.createPropertySignature(node.modifiers, node.name, node.questionToken, type)

/** Comments of made nodes stand beside the tree and are lost in a changed copy. */
function withComments<T extends ts.Node>(from: ts.Node, to: T): T {
  const comments = ts.getSyntheticLeadingComments(from)
  return comments ? ts.setSyntheticLeadingComments(to, comments) : to
}
