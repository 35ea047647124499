import { type CallExpression, type Identifier, Node, type ObjectBindingPattern } from 'ts-morph'
import type { FileMigration, Write } from './FileMigration.ts'
import { migrateData } from './migrateData.ts'
import { writeArguments } from './writeArguments.ts'
import { type Item, readComments, writeItems } from './writeItems.ts'

/** `useTokenBalances(address, parameters)` becomes `useBalances({ address, …parameters })`, with the use of its result. */
export function migrateBalancesHook(use: Node, migration: FileMigration): boolean {
  const call = use.getParent()
  if (!Node.isCallExpression(call) || call.getExpression() !== use) {
    migration.note(use, 'The hook is not called here: use `useBalances`.')
    return false
  }
  if (call.getArguments().some((argument) => Node.isSpreadElement(argument))) {
    migration.note(call, 'The arguments are spread here: use `useBalances` with an object.')
    return false
  }
  const name = migration.import('@headwater/react', 'useBalances')
  const write = writeArguments(call, migration)
  migration.replace(call, (render) => `${name}(${write(render)})`)
  migrateResult(call, migration)
  return true
}

function migrateResult(call: CallExpression, migration: FileMigration): void {
  const name = getDeclaredName(call)
  if (Node.isObjectBindingPattern(name)) {
    migratePattern(name, migration)
  } else if (Node.isIdentifier(name)) {
    for (const reference of migration.findUses(name)) {
      migrateReference(reference, migration)
    }
  } else {
    migration.note(call, 'Assign the result to a variable: `data` is now the list of rows.')
  }
}

/** The name or the pattern of the variable whose initial value an expression is. */
function getDeclaredName(value: Node): Node | undefined {
  const parent = value.getParent()
  return Node.isVariableDeclaration(parent) ? parent.getNameNode() : undefined
}

const noPages = 'has no equivalent: `fetchNextPage` adds the rows of the next page to those before.'
const resultAsWhole = 'The result of the hook is used as a whole: `data` is now the list of rows.'
const addsRows = '`fetchNextPage` adds the rows of the next page, and does not replace the rows.'

/** `const { data, isLoading, … } = …` */
function migratePattern(pattern: ObjectBindingPattern, migration: FileMigration): void {
  const statement = pattern.getFirstAncestor((node) => Node.isVariableStatement(node))
  const items: Item[] = []
  let hasNextPage: string | undefined
  const nameOfHasNextPage = () => {
    if (hasNextPage === undefined) {
      hasNextPage = migration.createName('hasNextPage')
      const text = alias('hasNextPage', hasNextPage)
      items.push({ write: () => text })
    }
    return hasNextPage
  }
  const elements = pattern.getElements()
  const comments = readComments(pattern, elements)
  for (const [index, element] of elements.entries()) {
    const push = (write: Write) => items.push({ write, ...comments[index] })
    const keep = () => push((render) => render(element))
    const property = element.getPropertyNameNode()?.getText() ?? element.getName()
    const local = element.getNameNode()
    if (element.getDotDotDotToken()) {
      migration.note(element, resultAsWhole)
      keep()
    } else if (!Node.isIdentifier(local) || element.getInitializer()) {
      migration.note(
        element,
        `\`${property}\` is destructured or has a default: \`data\` is now the list of rows.`,
      )
      keep()
    } else if (property === 'data') {
      keep()
      for (const reference of migration.findUses(local)) {
        migrateData(reference, nameOfHasNextPage, migration)
      }
    } else if (property === 'isLoading') {
      const status = migration.createName('status')
      const fetchStatus = migration.createName('fetchStatus')
      push(() => `${alias('status', status)}, ${alias('fetchStatus', fetchStatus)}`)
      const text = isLoading(status, fetchStatus)
      if (statement?.getDeclarations().length === 1) {
        insertAfter(statement, `const ${local.getText()} = ${text}`, migration)
      } else {
        // The other declarations may use it.
        replaceUses(local, `(${text})`, migration)
      }
    } else if (property === 'nextPage') {
      push(() => alias('fetchNextPage', local.getText()))
      migration.note(element, addsRows)
    } else if (property === 'nextOffset') {
      hasNextPage = local.getText()
      push(() => alias('hasNextPage', local.getText()))
      migration.note(element, '`nextOffset` is `hasNextPage`, a boolean.')
    } else {
      keep()
      if (property !== 'error') {
        migration.note(element, `\`${property}\` ${noPages}`)
      }
    }
  }
  migration.replace(pattern, (render) => writeItems(items, render))
}

/** `result.data`, `result.isLoading`, …, and `const { data, … } = result` */
function migrateReference(reference: Node, migration: FileMigration): void {
  const name = getDeclaredName(reference)
  if (Node.isObjectBindingPattern(name)) {
    migratePattern(name, migration)
    return
  }
  const access = reference.getParent()
  const result = reference.getText()
  if (!Node.isPropertyAccessExpression(access) || access.getExpression() !== reference) {
    migration.note(reference, resultAsWhole)
    return
  }
  const property = access.getName()
  if (property === 'data') {
    migrateData(access, () => `${result}.hasNextPage`, migration)
  } else if (property === 'isLoading') {
    migration.replace(access, `(${isLoading(`${result}.status`, `${result}.fetchStatus`)})`)
  } else if (property === 'nextPage') {
    migration.replace(access, `${result}.fetchNextPage`)
    migration.note(access, addsRows)
  } else if (property === 'nextOffset') {
    migration.replace(access, `${result}.hasNextPage`)
    migration.note(access, '`nextOffset` is `hasNextPage`, a boolean.')
  } else if (property !== 'error') {
    migration.note(access, `\`${property}\` ${noPages}`)
  }
}

const alias = (property: string, local: string) =>
  property === local ? property : `${property}: ${local}`

/** A snapshot without an address is pending, and not fetching. */
const isLoading = (status: string, fetchStatus: string) =>
  `${status} === 'pending' && ${fetchStatus} !== 'idle'`

/** Replaces the uses of a variable by an expression. */
function replaceUses(variable: Identifier, text: string, migration: FileMigration): void {
  for (const use of migration.findUses(variable)) {
    const isShorthand = Node.isShorthandPropertyAssignment(use.getParent())
    migration.replace(use, isShorthand ? `${use.getText()}: ${text}` : text)
  }
}

/** Inserts a statement in a line of its own, after the comments behind the one before, and with its indentation and end. */
function insertAfter(statement: Node, text: string, migration: FileMigration): void {
  const file = migration.file.getFullText()
  const position = statement.getTrailingCommentRanges().at(-1)?.getEnd() ?? statement.getEnd()
  const before = file.slice(statement.getStartLinePos(), statement.getStart())
  const newLine = `\n${before.replace(/[^\t]/g, ' ')}`
  const rest = file.slice(position).split('\n', 1)[0] ?? ''
  const end = statement.getText().endsWith(';') ? ';' : ''
  migration.insert(position, newLine + text + end + (rest.trim() ? newLine : ''))
}
