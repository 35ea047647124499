/** A search is not started: the API key that requests it has as many in progress as the configuration allows. */
export class SearchLimitError extends Error {
  override readonly name = 'SearchLimitError'

  /**
   * @param option - the limit in the configuration.
   * @param limit - its value.
   */
  constructor(option: 'walletsPerKey' | 'tokensPerKey', limit: number) {
    super(`The API key has ${limit} searches in progress, as many as searches.${option} allows`)
  }
}
