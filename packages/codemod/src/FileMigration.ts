import type { Identifier, Node, SourceFile } from 'ts-morph'

/** What the codemod did not migrate, or what behaves differently afterwards. */
export interface Note {
  /** Line in the original file. */
  readonly line: number
  readonly message: string
}

/** The edits and notes of a file. Edits refer to the original text, so that all else keeps its format. */
export class FileMigration {
  readonly file: SourceFile
  readonly notes: Note[] = []
  readonly #edits: { start: number; end: number; text: string }[] = []
  readonly #imports = new Map<string, Set<string>>()
  readonly #names: Set<string>

  constructor(file: SourceFile) {
    this.file = file
    this.#names = new Set(file.getDescendants().flatMap((node) => identifierText(node) ?? []))
  }

  /** The references to a declaration in the file, less the declaration. */
  findUses(name: Identifier): Node[] {
    return name
      .findReferencesAsNodes()
      .filter((node) => node.getSourceFile() === this.file && node.getStart() !== name.getStart())
  }

  replace(node: Node, text: string): void {
    this.#edits.push({ start: node.getStart(), end: node.getEnd(), text })
  }

  insert(position: number, text: string): void {
    this.#edits.push({ start: position, end: position, text })
  }

  /** Inserts statements before the top-level statement of a node. */
  insertBeforeStatementOf(node: Node, text: string): void {
    const statement = [node, ...node.getAncestors()].find((each) => each.getParent() === this.file)
    this.insert((statement ?? node).getStart(), text)
  }

  note(node: Node, message: string): void {
    this.notes.push({ line: node.getStartLineNumber(), message })
  }

  import(module: string, name: string): void {
    const names = this.#imports.get(module) ?? new Set()
    this.#imports.set(module, names.add(name))
  }

  /** Writes declarations of what was imported since the last call. */
  takeImports(): string {
    const declarations = [...this.#imports]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([module, names]) => `import { ${[...names].sort().join(', ')} } from '${module}'`)
    this.#imports.clear()
    return declarations.join('\n')
  }

  /** A name that the file does not contain yet. */
  createName(wanted: string): string {
    let name = wanted
    for (let index = 2; this.#names.has(name); index++) {
      name = `${wanted}${index}`
    }
    this.#names.add(name)
    return name
  }

  /** The new text. */
  apply(): string {
    let text = this.file.getFullText()
    for (const edit of this.#edits.sort((a, b) => b.start - a.start || b.end - a.end)) {
      text = text.slice(0, edit.start) + edit.text + text.slice(edit.end)
    }
    return text
  }
}

function identifierText(node: Node): string | undefined {
  return node.getKindName() === 'Identifier' ? node.getText() : undefined
}
