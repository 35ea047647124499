import type { ItemOf, OperationName, ParametersOf } from '@headwater/contract'
import type { FakeChain } from '../world/FakeChain.ts'
import type { World } from '../world/World.ts'
import type { SortKey } from './SortKey.ts'

/** State that rows are generated from. */
export interface RowContext {
  readonly world: World
  /** The chains that the request selects, sorted by id. */
  readonly chains: readonly FakeChain[]
  /** Base URL of links, without a trailing slash. */
  readonly baseUrl: string
}

/** A row of a response. */
export interface Row<Item = object> {
  readonly key: SortKey
  /** Creates the item; called only for rows of the returned page. */
  readonly item: () => Item
}

/** Everything about an operation of the fake service that its declaration does not define. */
export interface Generator<Name extends OperationName> {
  /** All rows that match the parameters, in any order, regardless of paging. */
  readonly rows: (
    parameters: ParametersOf<Name>,
    context: RowContext,
  ) => readonly Row<ItemOf<Name>>[]
  /** Fields of the response that repeat the request. */
  readonly requestFields: (parameters: ParametersOf<Name>) => object
}
