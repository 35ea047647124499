import { type Balance, parseAmount } from '@headwater/core'
import { type Address, erc20Abi, getAddress } from 'viem'
import { useSendTransaction, useWriteContract } from 'wagmi'

/** Returns a function that sends a part of a row of `useBalances`, such as '0.5'. */
export function useTransfer() {
  const { mutateAsync: sendTransaction } = useSendTransaction()
  const { mutateAsync: writeContract } = useWriteContract()
  return ({ address, chain_id: chainId, decimals }: Balance, to: Address, text: string) => {
    // Without them, the amount could be any number of smallest units.
    if (decimals === undefined) throw new Error('The decimals of the token are unknown')
    const amount = parseAmount(text, decimals)
    if (address === 'native') return sendTransaction({ to, value: amount, chainId })
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [to, amount] } as const
    return writeContract({ ...transfer, address: getAddress(address), chainId })
  }
}
