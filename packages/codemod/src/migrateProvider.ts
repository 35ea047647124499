import { Node, SyntaxKind } from 'ts-morph'
import type { FileMigration } from './FileMigration.ts'

/**
 * `<DuneProvider duneApiKey={key}>` becomes `<HeadwaterProvider client={client}>`. The client is one of the module, which
 * providers with equal options share.
 */
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
  const known = attributes.filter((each) =>
    /^(duneApiKey|proxyUrl)$/.test(each.getNameNode().getText()),
  )
  if (known.length < element.getAttributes().length) {
    migration.note(
      element,
      'Properties of `DuneProvider` other than `duneApiKey` and `proxyUrl` were removed.',
    )
  }
  const statement = migration.statementOf(element)
  const position = statement.getStart()
  const readAttribute = (name: string): string | undefined => {
    const attribute = known.find((each) => each.getNameNode().getText() === name)
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
  const provider = migration.import('@headwater/react', 'HeadwaterProvider')
  const fields = [`baseUrl: ${baseUrl}`, key && `apiKey: ${key}`].filter(Boolean).join(', ')
  const client = migration.clients.get(fields) ?? insertClient(fields, statement, migration)
  const endOfTag = Node.isJsxSelfClosingElement(element) ? ' />' : '>'
  migration.replace(element, `<${provider} client={${client}}${endOfTag}`)
  return true
}

/** Inserts a client before a statement. Returns its name. */
function insertClient(fields: string, statement: Node, migration: FileMigration): string {
  const createClient = migration.import('@headwater/core', 'createClient')
  const client = migration.createName('headwaterClient')
  migration.clients.set(fields, client)
  // Without a semicolon, it would continue in a statement that begins as an operator does.
  const end = /^[[(`<]|;$/.test(statement.getText()) ? ';' : ''
  migration.insert(
    startWithComments(statement),
    `const ${client} = ${createClient}({ ${fields} })${end}\n\n`,
  )
  return client
}

/** The start of a statement, or of the comments before it that no blank line separates from it. */
function startWithComments(statement: Node): number {
  const text = statement.getSourceFile().getFullText()
  let start = statement.getStart()
  for (const comment of statement.getLeadingCommentRanges().toReversed()) {
    if (/\n\s*\n/.test(text.slice(comment.getEnd(), start))) {
      break
    }
    start = comment.getPos()
  }
  return start
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
