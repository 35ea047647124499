import { type Identifier, Node, type SourceFile } from 'ts-morph'

/** What the codemod did not migrate, or what behaves differently afterwards. */
export interface Note {
  /** Line in the original file. */
  readonly line: number
  readonly message: string
}

/** Writes a new text. `render` returns the new text of a node that it keeps, with the edits in it. */
export type Write = (render: (node: Node) => string) => string

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string | Write
}

/** The edits and notes of a file. Edits refer to the original text, so that all else keeps its format. */
export class FileMigration {
  readonly file: SourceFile
  readonly notes: Note[] = []
  /** Names of the clients that were inserted, by their options. */
  readonly clients = new Map<string, string>()
  readonly #edits: Edit[] = []
  /** Local names by module and exported name. */
  readonly #imports = new Map<string, Map<string, string>>()
  readonly #names: Set<string>
  /** The comments by position, less those that have a note. */
  #comments: Map<number, string> | undefined

  constructor(file: SourceFile) {
    this.file = file
    this.#names = new Set(file.getDescendants().flatMap((node) => getName(node) ?? []))
  }

  /** The references to a declaration in the file, less the declaration. */
  findUses(name: Identifier): Node[] {
    return name
      .findReferencesAsNodes()
      .filter((node) => node.getSourceFile() === this.file && node.getStart() !== name.getStart())
  }

  /** @param text - Replaces the edits in the node, unless it renders the nodes that it keeps. */
  replace(node: Node, text: string | Write): void {
    this.#edits.push({ start: node.getStart(), end: node.getEnd(), text })
  }

  insert(position: number, text: string): void {
    this.#edits.push({ start: position, end: position, text })
  }

  /** The top-level statement of a node. */
  statementOf(node: Node): Node {
    return [node, ...node.getAncestors()].find((each) => each.getParent() === this.file) ?? node
  }

  note(node: Node, message: string): void {
    this.notes.push({ line: node.getStartLineNumber(), message })
  }

  /** Imports a name, unless the file does. Returns its local name, which the file does not contain yet. */
  import(module: string, name: string): string {
    const own = this.file
      .getImportDeclarations()
      .filter((each) => each.getModuleSpecifierValue() === module && !each.isTypeOnly())
      .flatMap((each) => each.getNamedImports())
      .find((each) => each.getName() === name && !each.isTypeOnly())
    if (own) {
      return (own.getAliasNode() ?? own.getNameNode()).getText()
    }
    const names = this.#imports.get(module) ?? new Map<string, string>()
    this.#imports.set(module, names)
    const local = names.get(name) ?? this.createName(name)
    names.set(name, local)
    return local
  }

  /** Writes declarations of what is imported. */
  writeImports(): string {
    const specifiers = (names: ReadonlyMap<string, string>) =>
      [...names]
        .map(([name, local]) => (local === name ? name : `${name} as ${local}`))
        .sort()
        .join(', ')
    return [...this.#imports]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([module, names]) => `import { ${specifiers(names)} } from '${module}'`)
      .join('\n')
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
    return this.#render(0, this.file.getFullText().length)
  }

  /** The new text of a range, from the outermost edits in it. */
  #render(from: number, to: number, outer?: Edit): string {
    const text = this.file.getFullText()
    // Insertions are before what they precede, and edits before those in them.
    const edits = this.#edits
      .filter((edit) => edit !== outer && edit.start >= from && edit.end <= to)
      .sort(
        (a, b) =>
          a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start) || b.end - a.end,
      )
    let rendered = ''
    let position = from
    for (const edit of edits) {
      if (edit.start < position) {
        continue
      }
      const own =
        typeof edit.text === 'string'
          ? edit.text
          : edit.text((node) => this.#render(node.getStart(), node.getEnd(), edit))
      this.#noteRemovedComments(edit, own)
      rendered += text.slice(position, edit.start) + own
      position = edit.end
    }
    return rendered + text.slice(position, to)
  }

  /** Notes the comments of a range that its new text does not contain. */
  #noteRemovedComments({ start, end }: Edit, text: string): void {
    this.#comments ??= findComments(this.file)
    for (const [position, comment] of this.#comments) {
      if (position >= start && position < end && !text.includes(comment)) {
        this.#comments.delete(position)
        const { line } = this.file.getLineAndColumnAtPos(position)
        const message = 'A comment was removed: it was within code that was rewritten.'
        this.notes.push({ line, message })
      }
    }
  }
}

function findComments(file: SourceFile): Map<number, string> {
  const comments = file
    .getDescendants()
    .filter((node) => !Node.isJsxText(node))
    .flatMap((node) => [...node.getLeadingCommentRanges(), ...node.getTrailingCommentRanges()])
  return new Map(comments.map((comment) => [comment.getPos(), comment.getText()]))
}

/** The text of an identifier, unless it is a property of an object. */
function getName(node: Node): string | undefined {
  if (!Node.isIdentifier(node)) {
    return undefined
  }
  const parent = node.getParent()
  const isProperty =
    (Node.isPropertyAccessExpression(parent) || Node.isPropertyAssignment(parent)) &&
    parent.getNameNode() === node
  return isProperty ? undefined : node.getText()
}
