import type { Validator } from './createValidator.ts'

/** Counts the chains that `chainIds` selects. Only the service resolves tags, so a client's count is an estimate. */
export type CountChains = (chainIds: readonly (number | string)[] | undefined) => number

/**
 * One operation of the API as data: everything that the client, the service and the fake service need, except its JSON
 * Schemas. The schemas are in `schemas.ts`, so that browsers do not download them.
 */
export interface Operation<Name extends string, TParameters, TResponse, TItem> {
  /** Name, e.g. `balances`. */
  readonly name: Name
  /** Path template; `{address}` is the parameter `address`. All other parameters are query parameters. */
  readonly path: string
  /** Names of the query parameters, in camelCase. On the wire they are snake_case; see {@link wireName}. */
  readonly queryParameters: readonly (keyof TParameters & string)[]
  /**
   * How many chains a request selects: `one` takes exactly one numeric id, as `chainId` in the path or as `chainIds` in
   * the query; `many` takes ids and tags.
   */
  readonly chains: 'one' | 'many'
  /** Compute units that one successful request costs. Specification 8. */
  readonly cost: (parameters: TParameters, countChains: CountChains) => number
  /** Field of the response that holds the items. */
  readonly itemsField: keyof TResponse & string
  /** Returns the id of an item, unique in its listing. */
  readonly getItemId: (item: TItem) => string
  /** Page sizes, for an operation with cursor pagination. A larger `limit` is clamped to the maximum. */
  readonly pagination?: { readonly limit: { readonly default: number; readonly maximum: number } }
  readonly isParameters: Validator<TParameters>
  /** Validates a response without its items, which are validated one by one. */
  readonly isResponse: Validator<TResponse>
  readonly isItem: Validator<TItem>
}
