import { isDeepStrictEqual } from 'node:util'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  zeroAddress,
} from 'viem'
import { expect } from 'vitest'
import type { Store } from '../../src/store/Store.ts'
import { readRows, type StoredRows } from './readRows.ts'
import type { Counted, CountedChain, Recount } from './Recount.ts'

/** A chain whose contracts are called. */
export interface WorldChain extends CountedChain {
  readonly chainId: number
  /** Tokens whose balances do not follow from their transfers. */
  readonly oddTokens: ReadonlySet<string>
}

const abi = parseAbi([
  'function balanceOf(address holder) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function ownerOf(uint256 id) view returns (address)',
  'function balanceOfBatch(address[] holders, uint256[] ids) view returns (uint256[])',
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 time)',
  'function slot0() view returns (uint160 root, int24 tick, uint16 a, uint16 b, uint16 c, uint8 d, bool e)',
  'function liquidity() view returns (uint128)',
])

/**
 * Expects every row of a store to match the chain at the block of the store, by a recount of the logs and by calls to the
 * contracts.
 *
 * @returns the compared rows.
 */
export async function expectChainTruth(
  store: Store,
  chain: WorldChain,
  recount: Recount,
): Promise<StoredRows> {
  const rows = await readRows(store, chain.chainId)
  const counted = await recount.upTo(rows.block)
  const { poolStates } = rows
  // Odd tokens are also classified by their calls.
  for (const [address, token] of counted.tokens) {
    const { standard } = rows.tokens.get(address) ?? {}
    if (standard !== undefined && isOdd(chain, address)) {
      token.standard = standard
    }
  }
  expect(differences(rows, counted)).toEqual({ block: rows.block })
  await expectBalances(rows, chain)
  await expectOwners(rows, chain)
  await expectItems(rows, chain)
  expect([...poolStates.keys()].sort()).toEqual([...rows.pools.keys()].sort())
  await expectPools(rows, chain)
  return rows
}

/** The rows in which a store and a recount differ; a diff of the whole tables is too long to read. */
function differences(rows: Counted, counted: Counted): Record<string, unknown> {
  const tables = [
    'balances',
    'items',
    'owners',
    'collectibles',
    'tokens',
    'pools',
    'positions',
  ] as const
  const found: Record<string, unknown> = { block: counted.block }
  for (const table of tables) {
    const [stored, expected] = [rows[table], counted[table]] as Map<string, unknown>[]
    for (const key of new Set([...(stored?.keys() ?? []), ...(expected?.keys() ?? [])])) {
      const actual = stored?.get(key)
      const shouldBe = expected?.get(key)
      if (!isDeepStrictEqual(actual, shouldBe)) {
        found[`${table} ${key}`] = { actual, expected: shouldBe }
      }
    }
  }
  if (!isDeepStrictEqual(rows.sales, counted.sales)) {
    found['sales'] = { actual: rows.sales, expected: counted.sales }
  }
  return found
}

/** `balanceOf` of every holder and every ERC20 token, and `totalSupply`. */
async function expectBalances(rows: StoredRows, chain: WorldChain): Promise<void> {
  const keys = [...rows.balances.keys()].map((key) => key.split(' ') as [string, string, string])
  const erc20 = keys.filter(([, token, standard]) => standard === '20' && !isOdd(chain, token))
  const tokens = [...new Set(erc20.map(([, token]) => token))]
  const holders = [...new Set(erc20.map(([holder]) => holder)), zeroAddress]
  const pairs = tokens.flatMap((token) => holders.map((holder) => ({ token, holder })))
  const results = await callContracts<bigint>(
    chain,
    rows.block,
    pairs.map(({ token, holder }) => ({ to: token, functionName: 'balanceOf', args: [holder] })),
  )
  const amountOf = ({ token, holder }: { token: string; holder: string }) =>
    rows.balances.get(`${holder} ${token} 20`)?.amount ?? 0n
  const held = pairs.map((pair, index) => ({ ...pair, amount: results[index] }))
  const nonZeroHolders = held.filter(({ holder }) => holder !== zeroAddress)
  expect(
    nonZeroHolders.map(({ token, holder }) => ({
      token,
      holder,
      amount: amountOf({ token, holder }),
    })),
  ).toEqual(nonZeroHolders)
  const supplies = await callContracts<bigint>(
    chain,
    rows.block,
    tokens.map((to) => ({ to, functionName: 'totalSupply' })),
  )
  // Tokens at the zero address that were not burned have no row but are part of the supply.
  const sums = tokens.map((token) =>
    held
      .filter((pair) => pair.token === token)
      .reduce(
        (sum, { holder, amount = 0n }) =>
          sum + (holder === zeroAddress ? amount : amountOf({ token, holder })),
        0n,
      ),
  )
  expect(tokens.map((token, index) => [token, sums[index]])).toEqual(
    tokens.map((token, index) => [token, supplies[index]]),
  )
}

/** `ownerOf` of every ERC721 with an owner, and `balanceOf` of every current or previous owner. */
async function expectOwners(rows: StoredRows, chain: WorldChain): Promise<void> {
  const isErc721 = (contract: string) =>
    rows.tokens.get(contract)?.standard === 721 && !isOdd(chain, contract)
  const owned = [...rows.items]
    .map(([key, { amount }]) => ({ ...itemOf(key), amount }))
    .filter(({ contract, amount }) => isErc721(contract) && amount !== 0n)
  const owners = await callContracts<Address>(
    chain,
    rows.block,
    owned.map(({ contract, id }) => ({ to: contract, functionName: 'ownerOf', args: [id] })),
  )
  expect(owned).toEqual(
    owned.map(({ contract, id }, index) => {
      return { holder: owners[index]?.toLowerCase(), contract, id, amount: 1n }
    }),
  )
  const counts = [...rows.balances]
    .map(([key, { amount }]) => ({ key: key.split(' ') as [string, string, string], amount }))
    .filter(({ key: [, token, standard] }) => standard === '721' && !isOdd(chain, token))
  const results = await callContracts<bigint>(
    chain,
    rows.block,
    counts.map(({ key: [holder, to] }) => ({ to, functionName: 'balanceOf', args: [holder] })),
  )
  expect(counts.map(({ amount }) => amount)).toEqual(results)
}

/** `balanceOfBatch` of every current or previous owner of an ERC1155. */
async function expectItems(rows: StoredRows, chain: WorldChain): Promise<void> {
  const contracts = [...rows.tokens]
    .filter(([address, { standard }]) => standard === 1155 && !isOdd(chain, address))
    .map(([address]) => address)
  for (const contract of contracts) {
    const items = [...rows.items]
      .map(([key, { amount }]) => ({ ...itemOf(key), amount }))
      .filter((item) => item.contract === contract)
    const [amounts] = await callContracts<readonly bigint[]>(chain, rows.block, [
      {
        to: contract,
        functionName: 'balanceOfBatch',
        args: [items.map(({ holder }) => holder), items.map(({ id }) => id)],
      },
    ])
    expect(items).toEqual(items.map((item, index) => ({ ...item, amount: amounts?.[index] })))
  }
}

/** Reserves of Uniswap V2; price and liquidity in range of V3. */
async function expectPools(rows: StoredRows, chain: WorldChain): Promise<void> {
  const of = (kind: string) =>
    [...rows.pools].filter(([, pool]) => pool.kind === kind).map(([address]) => address)
  const pairs = of('uniswap-v2')
  const reserves = await callContracts<readonly [bigint, bigint, number]>(
    chain,
    rows.block,
    pairs.map((to) => ({ to, functionName: 'getReserves' })),
  )
  expect(pairs.map((address) => rows.poolStates.get(address))).toEqual(
    reserves.map(([reserve0, reserve1]) => ({ reserve0, reserve1, sqrtPrice: undefined })),
  )
  const pools = of('uniswap-v3')
  const slots = await callContracts<readonly [bigint, number]>(
    chain,
    rows.block,
    pools.map((to) => ({ to, functionName: 'slot0' })),
  )
  const liquidity = await callContracts<bigint>(
    chain,
    rows.block,
    pools.map((to) => ({ to, functionName: 'liquidity' })),
  )
  for (const [index, address] of pools.entries()) {
    const state = rows.poolStates.get(address)
    const [root, tick] = slots[index] ?? [0n, 0]
    expect(state?.sqrtPrice).toBe(root)
    const inRange = [...rows.positions]
      .map(([key, amount]) => ({ key: key.split(' '), amount }))
      .filter(({ key: [pool, lower, upper] }) => {
        return pool === address && Number(lower) <= tick && tick < Number(upper)
      })
      .reduce((sum, { amount }) => sum + amount, 0n)
    expect(inRange).toBe(liquidity[index])
    // The reserves are zero if and only if no position covers the price.
    expect((state?.reserve0 ?? 0n) + (state?.reserve1 ?? 0n) > 0n).toBe(inRange > 0n)
  }
}

interface ContractCall {
  readonly to: string
  readonly functionName: string
  readonly args?: readonly unknown[]
}

/** Calls contracts at a block. */
async function callContracts<Result>(
  { rpc }: WorldChain,
  block: number,
  calls: readonly ContractCall[],
): Promise<Result[]> {
  const results = await rpc.batch(
    calls.map(({ to, functionName, args }) => {
      const data = encodeFunctionData({ abi, functionName, args } as never)
      return ['eth_call', [{ to, data }, numberToHex(block)]]
    }),
  )
  return calls.map(({ functionName }, index) => {
    const data = results[index] as Hex
    return decodeFunctionResult({ abi, functionName, data } as never) as Result
  })
}

function itemOf(key: string): { holder: string; contract: string; id: bigint } {
  const [holder = '', contract = '', id = '0'] = key.split(' ')
  return { holder, contract, id: BigInt(id) }
}

function isOdd({ oddTokens }: WorldChain, token: string): boolean {
  return oddTokens.has(token)
}
