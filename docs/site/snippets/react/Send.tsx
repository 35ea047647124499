import { type TokenBalanceParameters, tokenBalanceQueryOptions } from '@headwater/core'
import { useClient, useTokenBalance, useWaitForChange } from '@headwater/react'
import { createPublicClient, http } from 'viem'
import { mainnet } from 'viem/chains'

const node = createPublicClient({ chain: mainnet, transport: http() })

interface SendProps {
  address: string
  /** Sends the transaction by the wallet, such as wagmi's `sendTransactionAsync`. */
  send: () => Promise<`0x${string}`>
}

export function Send({ address, send }: SendProps) {
  const client = useClient()
  const ether: TokenBalanceParameters = { address, tokenAddress: 'native', chainIds: [1] }
  const balance = useTokenBalance(ether)
  const { status, waitForChange } = useWaitForChange()

  const submit = async () => {
    const hash = await send()
    const query = tokenBalanceQueryOptions(client, ether)
    await waitForChange(query, { transaction: { hash, client: node } })
  }
  return (
    <>
      <p>{balance.data?.balances[0]?.amount} wei</p>
      <button onClick={() => void submit()} disabled={status === 'pending'}>
        Send
      </button>
      {status === 'pending' && <p>Waiting for the block …</p>}
      {status === 'changed' && <p>Your balance is up to date.</p>}
      {status === 'reverted' && <p>The transaction failed.</p>}
    </>
  )
}
