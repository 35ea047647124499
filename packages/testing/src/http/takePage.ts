import { type OperationName, operations } from '@headwater/contract'
import { reordered } from '../faults/corrupt.ts'
import type { FaultBook } from '../faults/FaultBook.ts'
import type { Row } from '../operations/Generator.ts'
import { compareKeys } from '../operations/SortKey.ts'
import { readCursor, writeCursor } from './cursors.ts'

/** The requested page of a listing. */
interface Page {
  readonly rows: readonly Row[]
  /** Cursor of the next page; undefined on the last. */
  readonly next: string | undefined
}

/** Parameters that affect neither the rows nor their order. */
const ignoredParameters = new Set(['offset', 'limit', 'historicalPrices', 'metadata'])

/**
 * Selects a page of rows by the declared limits. A cursor contains the key of the last row and not an index: a row that
 * stays the same while others are added and removed is on exactly one page.
 */
export function takePage(
  rows: readonly Row[],
  name: OperationName,
  parameters: object,
  chainIds: readonly number[],
  faults: FaultBook,
): Page {
  const operation = operations[name]
  const pagination = 'pagination' in operation ? operation.pagination : undefined
  if (!pagination) {
    return { rows, next: undefined }
  }
  const { limit: requested, offset } = parameters as { limit?: number; offset?: string }
  const limit = Math.min(requested ?? pagination.limit.default, pagination.limit.maximum)
  const filters = Object.entries(parameters as Record<string, unknown>)
    .filter(
      ([parameter, value]) =>
        // The default of a parameter is the same listing.
        !ignoredParameters.has(parameter) && parameter !== 'chainIds' && value !== false,
    )
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
