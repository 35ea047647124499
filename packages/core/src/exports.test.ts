import { expect, it } from 'vitest'
import { operations } from '@headwater/contract'
import * as entry from './index.ts'
import * as inspect from './inspect.ts'

const capitalize = (name: string) => name[0]!.toUpperCase() + name.slice(1)

it('exports the functions of every operation, and what the README lists', () => {
  const functions = Object.entries(operations).flatMap(([name, operation]) => [
    `get${capitalize(name)}`,
    `watch${capitalize(name)}`,
    `${name}QueryOptions`,
    `${name}QueryFilter`,
    // A list of one item needs no paginator.
    ...('pagination' in operation && operation.pagination.limit.maximum > 1
      ? [`paginate${capitalize(name)}`, `${name}InfiniteQueryOptions`]
      : []),
  ])
  expect(Object.keys(entry).sort()).toEqual(
    [
      'BaseError',
      'BudgetError',
      'DestroyedError',
      'HttpError',
      'InvalidParameterError',
      'InvalidResponseError',
      'NetworkError',
      'PriceUnavailableError',
      'SnapshotReader',
      'TimeoutError',
      'UnexpectedError',
      'addressQueryFilter',
      'broadcastClient',
      'createClient',
      'estimateUnits',
      'firstSettled',
      'formatAmount',
      'getAmount',
      'getPriceChange',
      'getTotalValueUsd',
      'getValueUsd',
      'isHeadwaterError',
      'isLowLiquidity',
      'isSameToken',
      'parseAmount',
      'setBudget',
      'skipToken',
      'waitForChange',
      'watchForChange',
      'watchPortfolio',
      'watchPrice',
      'watchPrices',
      ...functions,
    ].sort(),
  )
})

it('exports what devtools read by a separate entry', () => {
  expect(Object.keys(inspect).sort()).toEqual([
    'getBudgetState',
    'getKnownPrices',
    'getPolls',
    'getTabRole',
    'observeRequests',
    'wrapFetch',
  ])
})
