import { decodeFunctionResult, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import type { DevnetChain } from '@headwater/devnet'

const abi = parseAbi([
  'function token0() view returns (address)',
  'function decimals() view returns (uint8)',
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)',
  'function liquidity() view returns (uint128)',
  'function fee() view returns (uint24)',
  'function totalSupply() view returns (uint256)',
  'function tokenByIndex(uint256) view returns (uint256)',
  'function ownerOf(uint256) view returns (address)',
  'function positions(uint256) view returns (uint96, address, address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint128 liquidity, uint256, uint256, uint128, uint128)',
  'struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function decreaseLiquidity(Decrease) returns (uint256 amount0, uint256 amount1)',
])

/** The price of a token in one pool, in whole tokens. */
interface Quote {
  readonly token: string
  readonly by: string
  readonly pool: string
  /** The price in the other token. */
  readonly price: number
  /** The available amount of the other token. */
  readonly side: number
}

/** The price of a token in USD, computed from contract calls. */
export interface ChainPrice {
  readonly price: number
  /** Infinity for a stablecoin without a pool. */
  readonly depth: number
  /** The pool of the price; undefined for a stablecoin. */
  readonly pool: string | undefined
}

/**
 * What the depth of a pool may differ by, in USD: the position manager rounds the amounts of each position down, by a unit of a
 * stablecoin with 6 decimals or less.
 */
export const maxRounding = 50 * 1e-6

/**
 * Computes the price of every token of a devnet chain at a block from contract calls, independently of the service: the
 * reserves of V2 pairs, and for V3 pools the amounts that the position manager would pay for each position in range.
 */
export async function readChainPrices(
  chain: DevnetChain,
  block: number,
): Promise<Map<string, ChainPrice>> {
  const quotes = [...(await readPairs(chain, block)), ...(await readConcentrated(chain, block))]
  const { stablecoins, wrappedNative } = chain.config
  const found = new Map<string, ChainPrice>()
  for (const address of stablecoins) {
    found.set(address.toLowerCase(), { price: 1, depth: Infinity, pool: undefined })
  }
  const best = (of: readonly Quote[]) => {
    const offers = of.flatMap(({ price, side, by, pool }) => {
      const quote = found.get(by)
      if (!quote || side === 0) {
        return []
      }
      const leg = side * quote.price
      return { price: price * quote.price, depth: Math.min(leg, quote.depth), leg, pool }
    })
    return offers.sort(
      (a, b) => b.depth - a.depth || b.leg - a.leg || (a.pool < b.pool ? -1 : 1),
    )[0]
  }
  const native = wrappedNative.toLowerCase()
  const tokens = new Set(quotes.map(({ token }) => token))
  const others = [...tokens].filter((token) => token !== native && !found.has(token))
  // Stablecoins price the wrapped native asset; together they price all other tokens.
  const anchors = [...found.keys()]
  for (const [token, by] of [
    [native, anchors],
    ...others.map((token) => [token, [...anchors, native]] as const),
  ] as const) {
    const offer = best(quotes.filter((quote) => quote.token === token && by.includes(quote.by)))
    if (offer) {
      found.set(token, offer)
    }
  }
  for (const token of anchors) {
    const offer = best(
      quotes.filter((quote) => quote.token === token && [...anchors, native].includes(quote.by)),
    )
    // The liquidity of a stablecoin itself does not limit the route.
    if (offer) {
      found.set(token, { price: 1, depth: offer.depth, pool: undefined })
    }
  }
  return found
}

/** Calls contracts at a block in one batch; null if the contract does not exist yet. */
function reader({ rpc }: DevnetChain, block: number) {
  return async (
    calls: readonly { to: string; name: string; args?: readonly unknown[]; from?: string }[],
  ) => {
    const results = await rpc.batch(
      calls.map(({ to, name, args = [], from }) => {
        const data = encodeFunctionData({ abi, functionName: name, args } as never)
        return ['eth_call', [{ to, data, ...(from && { from }) }, numberToHex(block)]] as const
      }),
    )
    return results.map((data, index) =>
      data === '0x'
        ? null
        : (decodeFunctionResult({
            abi,
            functionName: calls[index]?.name,
            data: data as Hex,
          } as never) as unknown),
    )
  }
}

async function readPairs(chain: DevnetChain, block: number): Promise<Quote[]> {
  const read = reader(chain, block)
  const quotes: Quote[] = []
  for (const { address, base, quote } of chain.pools) {
    const [reserves, token0] = await read([
      { to: address, name: 'getReserves' },
      { to: address, name: 'token0' },
    ])
    if (!reserves) {
      continue
    }
    const [units0, units1] = reserves as [bigint, bigint]
    const is0 = String(token0).toLowerCase() === base.address.toLowerCase()
    const [a, b] = is0 ? [base, quote] : [quote, base]
    const side0 = whole(units0, a.decimals)
    const side1 = whole(units1, b.decimals)
    if (units0 > 0n && units1 > 0n) {
      quotes.push(...bothWays(address, a.address, b.address, side1 / side0, side0, side1))
    }
  }
  return quotes
}

async function readConcentrated(chain: DevnetChain, block: number): Promise<Quote[]> {
  const read = reader(chain, block)
  const manager = await findManager(chain)
  const [count] = manager ? await read([{ to: manager, name: 'totalSupply' }]) : []
  if (!manager || !count) {
    return []
  }
  const indexes = Array.from({ length: Number(count) }, (_, index) => BigInt(index))
  const ids = await read(
    indexes.map((index) => ({ to: manager, name: 'tokenByIndex', args: [index] })),
  )
  const owners = await read(ids.map((id) => ({ to: manager, name: 'ownerOf', args: [id] })))
  const positions = (
    await read(ids.map((id) => ({ to: manager, name: 'positions', args: [id] })))
  ).map((position, index) => {
    const [, , token0, token1, fee, tickLower, tickUpper, liquidity] = position as [
      ...[bigint, string, string, string, number, number, number, bigint],
    ]
    return {
      id: ids[index],
      owner: String(owners[index]),
      token0,
      token1,
      fee,
      tickLower,
      tickUpper,
      liquidity,
    }
  })
  const quotes: Quote[] = []
  for (const { address, base, quote } of chain.concentratedPools) {
    const [slot0, token0, fee, liquidity] = await read(
      ['slot0', 'token0', 'fee', 'liquidity'].map((name) => ({ to: address, name })),
    )
    if (!slot0) {
      continue
    }
    const [root, tick] = slot0 as [bigint, number]
    const is0 = String(token0).toLowerCase() === base.address.toLowerCase()
    const [a, b] = is0 ? [base, quote] : [quote, base]
    const inRange = positions.filter(
      (position) =>
        position.token0.toLowerCase() === a.address.toLowerCase() &&
        position.token1.toLowerCase() === b.address.toLowerCase() &&
        position.fee === fee &&
        position.liquidity > 0n &&
        position.tickLower <= tick &&
        tick < position.tickUpper,
    )
    // All liquidity of the devnet belongs to positions of the manager.
    const sum = inRange.reduce((sum, position) => sum + position.liquidity, 0n)
    if (sum !== liquidity) {
      throw new Error(`${address}: ${sum} in range, not ${String(liquidity)}`)
    }
    const paid = (await read(
      inRange.map(({ id, liquidity, owner }) => ({
        to: manager,
        name: 'decreaseLiquidity',
        from: owner,
        args: [
          { tokenId: id, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: 2n ** 256n - 1n },
        ],
      })),
    )) as [bigint, bigint][]
    const side0 = whole(
      paid.reduce((sum, [amount]) => sum + amount, 0n),
      a.decimals,
    )
    const side1 = whole(
      paid.reduce((sum, [, amount]) => sum + amount, 0n),
      b.decimals,
    )
    const price = (Number(root) / 2 ** 96) ** 2 * 10 ** (a.decimals - b.decimals)
    quotes.push(...bothWays(address, a.address, b.address, price, side0, side1))
  }
  return quotes
}

/** The contract that minted the first position of the first V3 pool. */
async function findManager({ rpc, concentratedPools }: DevnetChain): Promise<string | undefined> {
  const mint = '0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde'
  const [log] = await rpc.call<{ topics: Hex[] }[]>('eth_getLogs', {
    fromBlock: '0x0',
    toBlock: 'latest',
    topics: [mint],
    address: concentratedPools.map(({ address }) => address),
  })
  return log?.topics[1] && `0x${log.topics[1].slice(26)}`
}

/** Whether one side is worth less than a thousandth of the other; such a pool does not price that token. */
function bothWays(
  ...[pool, a, b, price, side0, side1]: [string, string, string, number, number, number]
): Quote[] {
  const token0 = a.toLowerCase()
  const token1 = b.toLowerCase()
  return [
    { token: token0, by: token1, pool, price, side: side1, own: side0 },
    { token: token1, by: token0, pool, price: 1 / price, side: side0, own: side1 },
  ].filter(({ own, price, side }) => own * price * 1000 >= side)
}

function whole(units: bigint, decimals: number): number {
  return Number(units) / 10 ** decimals
}
