import { environmentManager } from '@tanstack/query-core'

/** A response of an operation. */
export interface BenchResponse {
  readonly items: readonly { readonly address: string; readonly amount: string }[]
}

/**
 * Creates a function that returns a newly parsed response per call.
 *
 * @param changes - Whether all items differ between responses.
 * @param items - Number of items.
 */
export function createResponses(changes: boolean, items: number) {
  // In Node, the cache assumes a server environment and does not poll.
  environmentManager.setIsServer(() => false)
  const textOf = (amount: number) =>
    JSON.stringify({
      items: Array.from({ length: items }, (_, index) => ({
        address: `0x${index}`,
        amount: String(amount),
      })),
    })
  const texts = [0, 1].map(textOf)
  const responses = {
    requests: 0,
    fetchNext: (): Promise<BenchResponse> => {
      responses.requests++
      const text = texts[changes ? responses.requests % 2 : 0]
      return Promise.resolve(JSON.parse(text ?? '') as BenchResponse)
    },
    /** The part of a response that the stream of a number selects. */
    selectFor: (index: number) => (response: BenchResponse) =>
      response.items[index % items]?.amount,
  }
  return responses
}
