import type { Cursors } from './createCursors.ts'

/** The part of a listing that a request selects. */
export interface PageSelection<Key> {
  /** Most entries of the page. Handlers load one more, to know whether another page follows. */
  readonly limit: number
  /** Key of the last entry of the previous page; undefined for the first page. */
  readonly after: Key | undefined
  /** Drops the entry above the limit and returns the cursor of the next page, if there is one. */
  readonly finish: <Entry>(
    loaded: readonly Entry[],
    keyOf: (entry: Entry) => Key,
  ) => { readonly entries: readonly Entry[]; readonly nextOffset: string | undefined }
}

/**
 * Reads the paging parameters of a request. A cursor of another listing selects the first page.
 *
 * @param filters - what identifies the listing among all of the operation.
 */
export function selectPage<Key>(
  operation: {
    readonly name: string
    readonly pagination: { readonly limit: { readonly default: number; readonly maximum: number } }
  },
  filters: readonly unknown[],
  parameters: { readonly limit?: number | undefined; readonly offset?: string | undefined },
  cursors: Cursors,
): PageSelection<Key> {
  const { default: defaultLimit, maximum } = operation.pagination.limit
  const limit = Math.min(parameters.limit ?? defaultLimit, maximum)
  const scope = [operation.name, ...filters]
  return {
    limit,
    after: parameters.offset
      ? (cursors.read(scope, parameters.offset) as Key | undefined)
      : undefined,
    finish(loaded, keyOf) {
      const entries = loaded.slice(0, limit)
      const last = entries.at(-1)
      const nextOffset =
        last !== undefined && loaded.length > limit ? cursors.write(scope, keyOf(last)) : undefined
      return { entries, nextOffset }
    },
  }
}
