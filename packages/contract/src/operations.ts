import { balances } from './balances/operation.ts'
import { collectibles } from './collectibles/operation.ts'
import type { Validator } from './createValidator.ts'
import type { Operation } from './Operation.ts'
import { tokenBalance } from './tokenBalance/operation.ts'
import { tokenHolders } from './tokenHolders/operation.ts'
import { tokenInfo } from './tokenInfo/operation.ts'

/**
 * All operations of the API, by name. The only list of them: every other registry derives from it, or is typed as
 * `Record<OperationName, …>`.
 *
 * @example
 * import { operations } from '@headwater/contract'
 * const paths = Object.values(operations).map(({ path }) => path)
 */
export const operations = { tokenInfo, tokenHolders, balances, tokenBalance, collectibles } as const

/** By themselves, so that bundlers drop those that an app does not use. */
export { balances, collectibles, tokenBalance, tokenHolders, tokenInfo }

type Operations = typeof operations

/**
 * Name of an operation.
 *
 * @example
 * import { type OperationName, operations } from '@headwater/contract'
 * const names = Object.keys(operations) as OperationName[]
 */
export type OperationName = keyof Operations

/**
 * Parameters of an operation.
 *
 * @example
 * import type { ParametersOf } from '@headwater/contract'
 * const parameters: ParametersOf<'tokenInfo'> = { address: 'native', chainIds: [1] }
 */
export type ParametersOf<Name extends OperationName> = Validated<Operations[Name]['isParameters']>

/**
 * Response of an operation.
 *
 * @example
 * import type { ResponseOf } from '@headwater/contract'
 * const isLastPage = (page: ResponseOf<'tokenHolders'>) => !page.next_offset
 */
export type ResponseOf<Name extends OperationName> = Validated<Operations[Name]['isResponse']>

/**
 * Item in the response of an operation.
 *
 * @example
 * import type { ItemOf } from '@headwater/contract'
 * const symbol = (item: ItemOf<'balances'>) => item.symbol
 */
export type ItemOf<Name extends OperationName> = Validated<Operations[Name]['isItem']>

type Validated<V> = V extends Validator<infer T> ? T : never

/**
 * An operation with any types.
 *
 * @example
 * import { type AnyOperation, operations } from '@headwater/contract'
 * const paths = Object.values(operations as Record<string, AnyOperation>).map(({ path }) => path)
 */
export type AnyOperation<TParameters = never, TResponse = object, TItem = never> = Operation<
  OperationName,
  TParameters,
  TResponse,
  TItem
>

/**
 * An operation with cursor pagination.
 *
 * @example
 * import type { ListOperation } from '@headwater/contract'
 * const maxLimit = ({ pagination }: ListOperation<never, object, never>) => pagination.limit.maximum
 */
export type ListOperation<TParameters, TResponse, TItem> = AnyOperation<
  TParameters,
  TResponse,
  TItem
> &
  Required<Pick<AnyOperation<TParameters, TResponse, TItem>, 'pagination'>>
