import { type CallExpression, Node, type ObjectLiteralElementLike } from 'ts-morph'
import type { FileMigration, Write } from './FileMigration.ts'
import { type Item, readComments, writeItems } from './writeItems.ts'

/** Returns a function that writes the arguments of `useBalances` from those of `useTokenBalances`. */
export function writeArguments(call: CallExpression, migration: FileMigration): Write {
  const [address, parameters, other] = call.getArguments()
  const [comments] = readComments(call, call.getArguments())
  const fields: Item[] = [{ write: writeAddress(address), ...comments }]
  const options: Item[] = []
  if (Node.isObjectLiteralExpression(parameters)) {
    const properties = parameters.getProperties()
    const commentsOfProperties = readComments(parameters, properties)
    for (const [index, property] of properties.entries()) {
      const [field, option] = writeProperty(property, migration)
      fields.push(...(field ? [{ write: field, ...commentsOfProperties[index] }] : []))
      options.push(...(option ? [{ write: option, ...commentsOfProperties[index] }] : []))
    }
  } else if (parameters) {
    fields.push({ write: (render) => `...${render(parameters)}` })
    migration.note(
      parameters,
      '`chainIds` and `metadata` of these parameters must be arrays; `limit` is the option `pageSize`.',
    )
  }
  if (other) {
    migration.note(other, 'The arguments after the second one were removed.')
  }
  return (render) =>
    [fields, ...(options.length > 0 ? [options] : [])]
      .map((items) => writeItems(items, render))
      .join(', ')
}

/** An address that is not known yet was an empty string, and is undefined. */
function writeAddress(address: Node | undefined): Write {
  const inner = withoutWrappers(address)
  // `0x` was not an address either, for which the hook sent no request.
  if (Node.isBinaryExpression(inner) && /^(['"`])(0x)?\1$/.test(inner.getRight().getText())) {
    return writeAddress(inner.getLeft())
  }
  if (inner !== address && inner && mayBeEmpty(inner)) {
    return writeAddress(inner)
  }
  if (!address) {
    return () => 'address: undefined'
  }
  if (mayBeEmpty(address)) {
    return Node.isIdentifier(address)
      ? (render) => `address: ${render(address)} || undefined`
      : (render) => `address: (${render(address)}) || undefined`
  }
  return (render) => {
    const text = render(address)
    return text === 'address' ? 'address' : `address: ${text}`
  }
}

/** An expression without parentheses and assertions of types around it. */
function withoutWrappers(node: Node | undefined): Node | undefined {
  return Node.isParenthesizedExpression(node) ||
    Node.isAsExpression(node) ||
    Node.isSatisfiesExpression(node) ||
    Node.isNonNullExpression(node)
    ? withoutWrappers(node.getExpression())
    : node
}

const isEmptyText = (node: Node) => /^(['"`])\1$/.test(node.getText())

/** Whether an expression has the value `''` in this file: that of a condition, the first one of a variable, or a default. */
function mayBeEmpty(address: Node): boolean {
  if (Node.isConditionalExpression(address)) {
    return [address.getWhenTrue(), address.getWhenFalse()].some(isEmptyText)
  }
  return (
    Node.isIdentifier(address) &&
    address.getDefinitionNodes().some((definition) => {
      const value = [definition, ...definition.getAncestors()]
        .filter((each) => Node.isInitializerExpressionGetable(each))
        .map((each) => each.getInitializer())
        .find((each) => each !== undefined)
      const first = Node.isCallExpression(value) ? value.getArguments()[0] : value
      return first !== undefined && isEmptyText(first)
    })
  )
}

/** Returns the parameter and the option that a property becomes. */
function writeProperty(
  property: ObjectLiteralElementLike,
  migration: FileMigration,
): [field?: Write | undefined, option?: Write | undefined] {
  if (!Node.isPropertyAssignment(property) && !Node.isShorthandPropertyAssignment(property)) {
    migration.note(property, 'Check these parameters: `chainIds` and `metadata` must be arrays.')
    return [(render) => render(property)]
  }
  const name = property.getName().replace(/^(['"])(.*)\1$/, '$2')
  const value = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined
  switch (name) {
    case 'filters':
    case 'excludeSpamTokens':
      return [(render) => render(property)]
    case 'chainIds':
    case 'metadata': {
      if (Node.isStringLiteral(value) || Node.isNoSubstitutionTemplateLiteral(value)) {
        const items = value
          .getLiteralValue()
          .split(/[\s,]+/)
          .filter(Boolean)
        if (items.includes('all')) {
          migration.note(
            property,
            '`all` was removed: without `chainIds`, requests are of all chains with the tag `default`.',
          )
          return []
        }
        return items.length > 0 ? [() => `${name}: ${writeList(items)}`] : []
      }
      migration.note(property, `\`${name}\` is an array, not a comma-separated string.`)
      return [(render) => render(property)]
    }
    case 'limit':
      return [undefined, (render) => `pageSize: ${value ? render(value) : name}`]
    case 'offset':
      migration.note(property, '`offset` was removed: `fetchNextPage` reads the following pages.')
      return []
    default:
      migration.note(property, `\`${name}\` was removed: it has no equivalent.`)
      return []
  }
}

/** `[1, 8453, 'mainnet']` */
function writeList(items: readonly string[]): string {
  return `[${items.map((item) => (/^\d+$/.test(item) ? item : `'${item}'`)).join(', ')}]`
}
