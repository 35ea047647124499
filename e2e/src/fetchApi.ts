import { expect } from 'vitest'
import type { BalancesResponse } from '@headwater/contract'
import type { StackInfo } from './Stack.ts'

type Service = Pick<StackInfo, 'urls' | 'key'>

/** Fetches a path of the API, such as `collectibles/0x…?limit=5`. */
export async function fetchApi<T>(service: Service, path: string) {
  return (await (await request(service, path)).json()) as T
}

/** Fetches the balances of a wallet, as the printed curl command does, with the block number of each chain. */
export async function fetchBalances(service: Service, wallet: string, query = '') {
  const response = await request(service, `balances/${wallet}${query}`)
  const blocks = new Map(
    response.headers
      .get('X-Block-Numbers')!
      .split(',')
      .map((pair) => pair.split('=').map(Number) as [number, number]),
  )
  return { blocks, response: (await response.json()) as BalancesResponse }
}

async function request({ urls, key }: Service, path: string): Promise<Response> {
  const response = await fetch(`${urls.api}/v1/evm/${path}`, {
    headers: { 'X-Service-Api-Key': key },
  })
  if (!response.ok) {
    throw new Error(`${response.status} ${await response.text()}`)
  }
  return response
}

/** Waits until responses are of newer blocks than these, by chain id. */
export async function newerThan(
  stack: StackInfo,
  wallet: string,
  blocks: ReadonlyMap<number, number>,
): Promise<void> {
  const areNewer = async () => {
    const now = (await fetchBalances(stack, wallet)).blocks
    return [...blocks].every(([chainId, block]) => (now.get(chainId) ?? 0) > block)
  }
  await expect.poll(areNewer, { timeout: 120_000, interval: 250 }).toBe(true)
}
