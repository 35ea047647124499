import type { Copy } from './copyInto.ts'

/** Where the embedded database is: a folder of its own, or memory that begins as the image in a file. */
export type PGliteSource = { readonly dataDir: string } | { readonly image: string }

/** What the thread of the embedded database is asked; it answers in the order of the questions. */
export type PGliteQuestion =
  | { readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly copy: Copy }
  | { readonly close: true }

/** What a statement gave. */
export interface PGliteResult {
  readonly rows: unknown[]
  readonly affectedRows: number | undefined
}

/** Tells beside the answers that chains have changed. */
export interface PGliteNotification {
  readonly chainsChanged: true
}

/** The answer to the oldest question that has none. `fields` are the database's own, such as `code` and `constraint`. */
export type PGliteAnswer =
  PGliteResult | { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }
