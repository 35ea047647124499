import { type SeededChain, testAddress } from './seedChain.ts'
import { testTokens } from './testChainConfig.ts'

/** The holder of the balance. */
export const wallet = testAddress(0xab)

/** The path that returns it. */
export const balancePath = `/v1/evm/balances/${wallet}?filters=erc20`

/** A minimal chain: one wallet holds five units of one token. Block 5 is the head. */
export const oneBalanceChain = {
  chainId: 7,
  blocks: { 0: 1_700_000_000, 5: 1_700_000_005 },
  tokens: [{ address: testTokens.usd, decimals: 6 }],
  balances: [{ holder: wallet, token: testTokens.usd, amount: 5n }],
} satisfies SeededChain
