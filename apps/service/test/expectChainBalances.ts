import { type Hex, numberToHex, padHex } from 'viem'
import { expect } from 'vitest'
import type { Store } from '../src/store/Store.ts'
import { readLedger } from './readLedger.ts'

interface Chain {
  readonly chainId: number
  /** Tokens whose balances do not follow from their transfers; they are skipped. */
  readonly oddTokens?: readonly { readonly address: string }[]
  /** A node with the state of the indexed block. */
  readonly rpc: { batch(calls: [string, unknown[]][]): Promise<unknown[]> }
}

/**
 * Expects every amount in the store to equal `balanceOf` at the indexed block, for each pair of holder and token,
 * including pairs without a row.
 *
 * @returns the number of amounts above zero.
 */
export async function expectChainBalances(
  { db }: Store,
  { chainId, oddTokens = [], rpc }: Chain,
): Promise<number> {
  const { indexed_block: block } = await db
    .selectFrom('chains')
    .select('indexed_block')
    .where('chain_id', '=', chainId)
    .executeTakeFirstOrThrow()
  const ledger = await readLedger(db, chainId)
  const rows = ledger.filter(({ standard }) => standard === 20)
  const amounts = new Map(
    rows.map(({ holder, token, amount }) => [`${holder} ${token}`, BigInt(amount)]),
  )
  const holders = [...new Set(rows.map(({ holder }) => holder))]
  const odd = new Set(oddTokens.map(({ address }) => address))
  const tokens = [...new Set(rows.map(({ token }) => token))].filter((token) => !odd.has(token))
  const pairs = tokens.flatMap((token) => holders.map((holder) => ({ token, holder })))
  const results = await rpc.batch(
    pairs.map(({ token, holder }) => [
      'eth_call',
      [
        { to: token, data: `0x70a08231${padHex(holder as Hex, { size: 32 }).slice(2)}` },
        numberToHex(block ?? 0),
      ],
    ]),
  )
  const stored = pairs.map(({ token, holder }) => ({
    token,
    holder,
    amount: amounts.get(`${holder} ${token}`) ?? 0n,
  }))
  const onChain = pairs.map((pair, index) => ({ ...pair, amount: BigInt(results[index] as Hex) }))
  expect(stored).toEqual(onChain)
  return stored.filter(({ amount }) => amount > 0n).length
}
