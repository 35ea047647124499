import { type CallExpression, Node, type ObjectLiteralElementLike } from 'ts-morph'
import type { FileMigration } from './FileMigration.ts'

/** Writes the arguments of `useBalances` from those of `useTokenBalances`. */
export function writeArguments(call: CallExpression, migration: FileMigration): string {
  const [address, parameters] = call.getArguments()
  const fields = [writeAddress(address)]
  const options: string[] = []
  if (Node.isObjectLiteralExpression(parameters)) {
    for (const property of parameters.getProperties()) {
      const [field, option] = writeProperty(property, migration)
      fields.push(...(field ? [field] : []))
      options.push(...(option ? [option] : []))
    }
  } else if (parameters) {
    fields.push(`...${parameters.getText()}`)
    migration.note(
      parameters,
      '`chainIds` and `metadata` of these parameters must be arrays; `limit` is the option `pageSize`.',
    )
  }
  const own = `{ ${fields.join(', ')} }`
  return options.length > 0 ? `${own}, { ${options.join(', ')} }` : own
}

/** An address that is not known yet was an empty string, and is undefined. */
function writeAddress(address: Node | undefined): string {
  if (Node.isBinaryExpression(address) && /^(''|"")$/.test(address.getRight().getText())) {
    return writeAddress(address.getLeft())
  }
  const text = address?.getText() ?? 'undefined'
  return text === 'address' ? 'address' : `address: ${text}`
}

/** Returns the parameter and the option that a property becomes. */
function writeProperty(
  property: ObjectLiteralElementLike,
  migration: FileMigration,
): [field?: string | undefined, option?: string | undefined] {
  if (!Node.isPropertyAssignment(property) && !Node.isShorthandPropertyAssignment(property)) {
    migration.note(property, 'Check these parameters: `chainIds` and `metadata` must be arrays.')
    return [property.getText()]
  }
  const name = property.getName()
  const value = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined
  switch (name) {
    case 'filters':
    case 'excludeSpamTokens':
      return [property.getText()]
    case 'chainIds':
    case 'metadata': {
      if (Node.isStringLiteral(value)) {
        return [`${name}: ${writeList(value.getLiteralValue())}`]
      }
      migration.note(property, `\`${name}\` is an array, not a comma-separated string.`)
      return [property.getText()]
    }
    case 'limit':
      return [undefined, `pageSize: ${value?.getText() ?? name}`]
    case 'offset':
      migration.note(property, '`offset` was removed: `fetchNextPage` reads the following pages.')
      return []
    default:
      migration.note(property, `\`${name}\` was removed: it has no equivalent.`)
      return []
  }
}

/** `1,8453,mainnet` becomes `[1, 8453, 'mainnet']`. */
function writeList(text: string): string {
  const items = text.split(',').map((item) => item.trim())
  return `[${items.map((item) => (/^\d+$/.test(item) ? item : `'${item}'`)).join(', ')}]`
}
