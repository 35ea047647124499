/** How many chains a request's `chainIds` name. Tags are known to the service, so the answer may be an estimate to a client. */
export type CountChains = (chainIds: readonly (number | string)[] | undefined) => number

/**
 * One operation of the API as data: what the client, the service, the fake service and the documentation need to know
 * beside its schemas (which live apart, so that they do not travel into browsers).
 */
export interface Operation<Name extends string, Parameters, Response, Item = never> {
  /** The one noun of the operation, the same through every layer. */
  readonly name: Name
  /** Path template; `{address}` is the parameter `address`. All other parameters travel in the query. */
  readonly path: string
  /** Names of the parameters (camelCase; on the wire they are snake_case) that travel in the query. */
  readonly query: readonly (keyof Parameters & string)[]
  /**
   * Of how many chains one request answers: `one` takes exactly one numeric id, in the path as `chainId` or in the query
   * as `chainIds`; `many` takes ids and tags.
   */
  readonly chains: 'one' | 'many'
  /** Compute units that one answered request costs. Specification 8. */
  readonly cost: (parameters: Parameters, countChains: CountChains) => number
  /** How it lists, for an operation that lists. */
  readonly list?: OperationList<Parameters, Response, Item>
}

/** How an operation lists: where its items are and what tells one from another. */
export interface OperationList<Parameters, Response, Item> {
  /** Field of the response that holds the items. */
  readonly items: keyof Response & string
  /** Parameter that takes the cursor which the response's `next_offset` held. */
  readonly cursor: keyof Parameters & string
  /** Page size when `limit` is not given, and the largest one; a larger `limit` is reduced. */
  readonly limit: { readonly default: number; readonly maximum: number }
  /** What tells one item from all others of the same listing. */
  readonly identity: (item: Item) => string
}
