import { type Hex, numberToHex, padHex } from 'viem'
import { expect } from 'vitest'
import { toHex } from '../src/store/hex.ts'
import type { Store } from '../src/store/Store.ts'

interface Chain {
  readonly chainId: number
  /** A node that still has the state of the indexed block. */
  /** Those of whose transfers no ledger can be made are left out. */
  readonly oddTokens?: readonly { readonly address: string }[]
  readonly rpc: { batch(calls: [string, unknown[]][]): Promise<unknown[]> }
}

/**
 * Expects every amount in the store to be what `balanceOf` answers at the indexed block: for each holder and each token,
 * also where the store has no row.
 *
 * @returns how many amounts were not zero.
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
  const rows = await db
    .selectFrom('balances')
    .select(['holder', 'token', 'amount'])
    .where('chain_id', '=', chainId)
    .where('standard', '=', 20)
    .execute()
  const amounts = new Map(
    rows.map(({ holder, token, amount }) => [`${toHex(holder)} ${toHex(token)}`, BigInt(amount)]),
  )
  const holders = [...new Set(rows.map(({ holder }) => toHex(holder)))]
  const odd = new Set(oddTokens.map(({ address }) => address))
  const tokens = [...new Set(rows.map(({ token }) => toHex(token)))].filter(
    (token) => !odd.has(token),
  )
  const pairs = tokens.flatMap((token) => holders.map((holder) => ({ token, holder })))
  const answers = await rpc.batch(
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
  const onChain = pairs.map((pair, index) => ({ ...pair, amount: BigInt(answers[index] as Hex) }))
  expect(stored).toEqual(onChain)
  return stored.filter(({ amount }) => amount > 0n).length
}
