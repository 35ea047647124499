import {
  type Client,
  type TokenBalanceParameters,
  tokenBalanceQueryOptions,
  waitForChange,
} from '@headwater/core'
import { createPublicClient, http } from 'viem'
import { mainnet } from 'viem/chains'

const node = createPublicClient({ chain: mainnet, transport: http() })

export async function follow(client: Client, address: string, hash: `0x${string}`) {
  const ether: TokenBalanceParameters = { address, tokenAddress: 'native', chainIds: [1] }
  const query = tokenBalanceQueryOptions(client, ether)
  const result = await waitForChange(client, query, {
    transaction: { hash, client: node },
  })
  return result.reason === 'changed' ? result.data.balances[0]?.amount : result.reason
}
