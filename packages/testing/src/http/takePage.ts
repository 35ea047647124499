import { type OperationName, operations } from '@headwater/contract'
import type { FaultBook } from '../faults/FaultBook.ts'
import { reordered } from '../faults/spoil.ts'
import type { Row } from '../operations/Generator.ts'
import { compareKeys } from '../operations/SortKey.ts'
import { readCursor, writeCursor } from './cursors.ts'

/** The page of a listing that a request asks for. */
interface Page {
  readonly rows: readonly Row[]
  /** Cursor of the next page; undefined on the last. */
  readonly next: string | undefined
}

/** Parameters that change neither which rows there are nor their order. */
const looks = new Set(['offset', 'limit', 'historicalPrices', 'metadata'])

/**
 * Takes a page of rows by the declared limits. A cursor holds the place of the last row and not a count: a row that does
 * not change while others come and go is on exactly one page.
 */
export function takePage(
  rows: readonly Row[],
  name: OperationName,
  parameters: object,
  chainIds: readonly number[],
  faults: FaultBook,
): Page {
  const operation = operations[name]
  const paging = 'paging' in operation ? operation.paging : undefined
  if (!paging) {
    return { rows, next: undefined }
  }
  const { limit: asked, offset } = parameters as { limit?: number; offset?: string }
  const limit = Math.min(asked ?? paging.limit.default, paging.limit.maximum)
  const filters = Object.entries(parameters as Record<string, unknown>)
    .filter(([parameter]) => !looks.has(parameter) && parameter !== 'chainIds')
    .map(([parameter, value]) => [
      parameter,
      typeof value === 'string' ? value.toLowerCase() : value,
    ])
  const scope = [name, chainIds, filters]

  const sorted = rows.toSorted((a, b) => compareKeys(a.key, b.key))
  const known = offset === undefined ? undefined : readCursor(scope, offset)
  const after = known && !faults.take(name, 'deadCursor') ? known : undefined
  const start = after ? sorted.findIndex(({ key }) => compareKeys(key, after) > 0) : 0
  const rest = start < 0 ? [] : sorted.slice(start)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const isMoved = after !== undefined && faults.take(name, 'reorder') !== undefined
  return {
    rows: isMoved ? reordered(page, sorted[start - 1]) : page,
    next: last && rest.length > limit ? writeCursor(scope, last.key) : undefined,
  }
}
