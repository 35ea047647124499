import { Node, type PropertyAccessExpression } from 'ts-morph'
import type { FileMigration } from './FileMigration.ts'

/**
 * Migrates a use of `data`, which was a response and is the list of its rows.
 *
 * @param data - An expression: `data` or `result.data`.
 * @param hasNextPage - Returns an expression, and adds it to what is destructured.
 */
export function migrateData(data: Node, hasNextPage: () => string, migration: FileMigration): void {
  const whole = Node.isNonNullExpression(data.getParent()) ? data.getParentOrThrow() : data
  const access = whole.getParent()
  if (Node.isPropertyAccessExpression(access) && access.getExpression() === whole) {
    const property = access.getName()
    if (property === 'balances') {
      migrateRows(whole, access, migration)
    } else if (property === 'next_offset') {
      migration.replace(access, hasNextPage())
      if (!isCondition(access)) {
        migration.note(access, '`next_offset` is `hasNextPage`, a boolean.')
      }
    } else {
      migration.note(
        access,
        `\`data.${property}\`: \`data\` is now the list of rows. \`warnings\` and \`errors\` are beside it.`,
      )
    }
  } else if (!isCondition(whole)) {
    migration.note(whole, '`data` is now the list of rows, and undefined instead of null.')
  }
}

/** `data.balances` becomes `data`. */
function migrateRows(data: Node, access: PropertyAccessExpression, migration: FileMigration): void {
  const parent = access.getParent()
  if (!access.hasQuestionDotToken()) {
    migration.replace(access, data.getText())
  } else if (Node.isNonNullExpression(parent)) {
    // In `data?.balances!.length`, the chain continues after the assertion.
    migration.replace(parent, data.getText() + (optionalChainAfter(parent) || '!'))
  } else {
    migration.replace(access, data.getText() + optionalChainAfter(access))
  }
}

/** The end of `data?` in `data?.balances.map(…)`, which becomes `data?.map(…)`. */
function optionalChainAfter(rows: Node): string {
  const next = rows.getParent()
  const continues =
    (Node.isPropertyAccessExpression(next) || Node.isElementAccessExpression(next)) &&
    next.getExpression() === rows &&
    !next.hasQuestionDotToken()
  if (!continues) {
    return ''
  }
  return Node.isPropertyAccessExpression(next) ? '?' : '?.'
}

/** Whether only the presence of a value matters: in `!data`, `data && …`, `if (data || …)`, and dependencies of a hook. */
function isCondition(node: Node): boolean {
  const parent = node.getParent()
  if (Node.isBinaryExpression(parent)) {
    const operator = parent.getOperatorToken().getText()
    const isLeftOfAnd = operator === '&&' && parent.getLeft() === node
    // Otherwise, the value may be that of the whole expression.
    return isLeftOfAnd || (/^(&&|\|\|)$/.test(operator) && isCondition(parent))
  }
  return (
    (Node.isParenthesizedExpression(parent) && isCondition(parent)) ||
    Node.isPrefixUnaryExpression(parent) ||
    Node.isIfStatement(parent) ||
    (Node.isArrayLiteralExpression(parent) && isDependencies(parent)) ||
    (Node.isConditionalExpression(parent) && parent.getCondition() === node)
  )
}

/** Whether a list is that of the dependencies of a hook: `useMemo(…, [data])`. */
function isDependencies(list: Node): boolean {
  const call = list.getParent()
  return (
    Node.isCallExpression(call) &&
    call.getArguments().indexOf(list) > 0 &&
    /^(\w+\.)?use[A-Z]/.test(call.getExpression().getText())
  )
}
