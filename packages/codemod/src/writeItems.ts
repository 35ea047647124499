import type { Node } from 'ts-morph'
import type { Write } from './FileMigration.ts'

/** The comments before an item of a list, and those after it in its line. */
interface Comments {
  readonly before: string
  readonly after: string
}

/** An item of an object or a pattern. */
export interface Item extends Partial<Comments> {
  readonly write: Write
}

/** Comments that end the line of the item before. */
const endOfLine = /^[ \t]*(\/\/.*|\/\*.*?\*\/[ \t]*)?\r?\n/

/** Reads the comments of the items of a list. */
export function readComments(list: Node, items: readonly Node[]): Comments[] {
  const text = list.getSourceFile().getFullText()
  const readGap = (node: Node) => text.slice(node.getPos(), node.getStart())
  return items.map((item, index) => {
    const before = index === 0 ? readGap(item) : readGap(item).replace(endOfLine, '')
    const next = items[index + 1]
    const after = next ? (endOfLine.exec(readGap(next))?.[0] ?? '') : readGap(list.getLastToken())
    return { before: before.trim(), after: after.trim() }
  })
}

/** Writes an object or a pattern: in a line, unless it has comments. */
export function writeItems(items: readonly Item[], render: (node: Node) => string): string {
  if (!items.some(({ before, after }) => before || after)) {
    return `{ ${items.map(({ write }) => write(render)).join(', ')} }`
  }
  const lines = items.map(({ before, write, after }, index) => {
    const comma = index < items.length - 1 ? ',' : ''
    return `${before ? `${before}\n` : ''}${write(render)}${comma}${after ? ` ${after}` : ''}\n`
  })
  return `{\n${lines.join('')}}`
}
