import type { Copy } from './copyInto.ts'

/** Location of the embedded database: a folder, or memory that is initialized from an image file. */
export type PGliteSource = { readonly dataDir: string } | { readonly image: string }

/** A request to the thread of the embedded database. Responses arrive in the order of the requests. */
export type PGliteRequest =
  | ({ readonly sql: string; readonly parameters: readonly unknown[] } & TransactionStart)
  | ({ readonly copy: Copy } & TransactionStart)
  | { readonly close: true }

/** A statement that is run before the one of a request, and starts its transaction. */
interface TransactionStart {
  readonly start?: string | undefined
}

/** The result of a statement. */
export interface PGliteResult {
  readonly rows: unknown[]
  readonly affectedRows: number | undefined
}

/** Notifies, between the responses, of changes of the chains, or that the database failed and must not be used any more. */
export type PGliteNotification = { readonly chainsChanged: true } | { readonly failure: string }

/** The response to the oldest pending request. `fields` are those of a PostgreSQL error, such as `code` and `constraint`. */
export type PGliteResponse =
  PGliteResult | { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }
