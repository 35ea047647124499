import { type Balance, parseAmount } from '@headwater/core'
import { type Address, erc20Abi, isAddress } from 'viem'
import { useSendTransaction, useWriteContract } from 'wagmi'

/** Returns a function that sends a part of a row of `useBalances`, such as '0.5'. */
export function useTransfer() {
  const { mutateAsync: sendTransaction } = useSendTransaction()
  const { mutateAsync: writeContract } = useWriteContract()
  return ({ address, chain_id: chainId, decimals }: Balance, to: Address, text: string) => {
    const amount = parseAmount(text, decimals ?? 0)
    // That of the native asset is `native`.
    if (!isAddress(address)) return sendTransaction({ to, value: amount, chainId })
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [to, amount] } as const
    return writeContract({ ...transfer, address, chainId })
  }
}
