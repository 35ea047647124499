import {
  addressQueryFilter,
  type TokenBalanceParameters,
  tokenBalanceQueryOptions,
} from '@headwater/core'
import { useBalances, useClient, useWaitForChange } from '@headwater/react'
import { useConnection, usePublicClient, useSendTransaction } from 'wagmi'

export function Wallet() {
  const { address, chainId = 1 } = useConnection()
  // Nothing is requested while `address` is undefined.
  const { data } = useBalances({ address })
  const { mutateAsync: sendTransaction } = useSendTransaction()
  const node = usePublicClient()
  const client = useClient()
  const { status, waitForChange } = useWaitForChange()

  if (!address) return <p>Connect a wallet.</p>
  const send = async () => {
    const hash = await sendTransaction({ to: address, value: 1n })
    const native: TokenBalanceParameters = { address, tokenAddress: 'native', chainIds: [chainId] }
    const query = tokenBalanceQueryOptions(client, native)
    await waitForChange(query, node && { transaction: { hash, client: node } })
    // The list of tokens is another query.
    await client.queryClient.invalidateQueries(addressQueryFilter(client, address))
  }
  return (
    <button onClick={() => void send()}>
      {data?.length} tokens, {status}
    </button>
  )
}
