import { Node, SyntaxKind } from 'ts-morph'
import type { FileMigration } from './FileMigration.ts'

/** `<DuneProvider duneApiKey={key}>` becomes `<HeadwaterProvider client={client}>`, with a client of the module. */
export function migrateProvider(use: Node, migration: FileMigration, fallbackUrl: string): boolean {
  const element = use.getParent()
  if (Node.isJsxClosingElement(element)) {
    migration.replace(use, migration.import('@headwater/react', 'HeadwaterProvider'))
    return true
  }
  if (!Node.isJsxOpeningElement(element) && !Node.isJsxSelfClosingElement(element)) {
    migration.note(use, '`DuneProvider` is not used as an element: use `HeadwaterProvider`.')
    return false
  }
  const attributes = element.getAttributes().filter((each) => Node.isJsxAttribute(each))
  if (attributes.length < element.getAttributes().length) {
    migration.note(element, 'Properties of `DuneProvider` that are spread were removed.')
  }
  const position = migration.statementOf(element).getStart()
  const readAttribute = (name: string): string | undefined => {
    const attribute = attributes.find((each) => each.getNameNode().getText() === name)
    const initializer = attribute?.getInitializer()
    const value = Node.isJsxExpression(initializer) ? initializer.getExpression() : initializer
    if (value && !isOfModule(value, position)) {
      migration.note(
        value,
        `\`${name}\` depends on the component: create the client there, with \`useState(() => createClient(…))\`.`,
      )
      return undefined
    }
    return value?.getText()
  }
  const proxyUrl = readAttribute('proxyUrl')
  const baseUrl = proxyUrl ?? `'${fallbackUrl}'`
  const isProxied = proxyUrl !== undefined || !fallbackUrl.startsWith('http')
  const key = isProxied ? undefined : readAttribute('duneApiKey')
  if (isProxied) {
    migration.note(
      element,
      `Mount \`createProxy\` of \`@headwater/proxy\` at ${baseUrl} on your server, with the key of the service.`,
    )
  }
  const createClient = migration.import('@headwater/core', 'createClient')
  const provider = migration.import('@headwater/react', 'HeadwaterProvider')
  const client = migration.createName('headwaterClient')
  const fields = [`baseUrl: ${baseUrl}`, key && `apiKey: ${key}`]
  migration.insert(
    position,
    `const ${client} = ${createClient}({ ${fields.filter(Boolean).join(', ')} })\n\n`,
  )
  const end = Node.isJsxSelfClosingElement(element) ? ' />' : '>'
  migration.replace(element, `<${provider} client={${client}}${end}`)
  return true
}

/** Whether an expression refers only to globals, imports and other declarations of the module before a position. */
function isOfModule(expression: Node, position: number): boolean {
  const nodes = [expression, ...expression.getDescendants()]
  return nodes.every((node) =>
    Node.isIdentifier(node)
      ? node
          .getDefinitionNodes()
          .every(
            (definition) =>
              definition.getStart() < position && !definition.getFirstAncestor(isFunction),
          )
      : node.getKind() !== SyntaxKind.ThisKeyword,
  )
}

const isFunction = (node: Node) =>
  Node.isFunctionLikeDeclaration(node) || Node.isFunctionExpression(node)
