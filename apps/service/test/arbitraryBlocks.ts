import fc from 'fast-check'
import { type Hex, padHex } from 'viem'
import type { FakeEvent } from './FakeChain.ts'
import {
  consecutiveTransfer,
  itemTransfer,
  liquidityChanged,
  nftSold,
  nftTransfer,
  poolCreated,
  priceSet,
  venueEvent,
} from './fakeEvents.ts'
import { testAddress, toSameKey } from './seedChain.ts'

/** The contracts and holders in the events of arbitrary blocks. */
export const arbitraryWorld = {
  /** Each emits events of ERC20 and of NFTs, because a contract can implement both. */
  contracts: [1, 2, 3].map((number) => testAddress(0x100 + number)),
  /** The first contract. */
  weth: testAddress(0x101),
  factory: testAddress(0x200),
  marketplace: testAddress(0x400),
  /** The first one is the zero address; an index finds the last two by the same key. */
  holders: [...[0, 1, 2].map(testAddress), toSameKey(testAddress(2))],
} as const
const { contracts, factory, marketplace, holders } = arbitraryWorld
const zero = testAddress(0)

const contract = fc.constantFrom(...contracts)
const holder = fc.constantFrom(...holders)
const pool = fc.constantFrom(...[1, 2].map((number) => testAddress(0x300 + number)))
const amount = fc.oneof(fc.bigInt(0n, 5n), fc.bigInt(0n, 2n ** 256n - 1n))
const tokenId = fc.constantFrom(0n, 1n, 2n ** 256n - 1n)
const move = fc.record({ from: holder, to: holder })
const ticks = fc.constantFrom(
  { tickLower: -600, tickUpper: 600 },
  { tickLower: 0, tickUpper: 60 },
  { tickLower: -887_220, tickUpper: 887_220 },
)

/** Pools of Uniswap V4 are in the contract that creates them. */
const poolId = fc.constantFrom(...[1, 2].map((number) => padHex(testAddress(number), { size: 32 })))
const sqrtPrice = fc.bigInt(2n ** 94n, 2n ** 98n)
const created = fc.tuple(fc.constantFrom(factory, testAddress(0x201)), pool, contract, contract)

/** Creations of pools by other factories than those of Uniswap V2 and V3, and the events that only their pools emit. */
const venueContent: fc.Arbitrary<FakeEvent> = fc.oneof(
  created.map(([from, address, token0, token1]) =>
    venueEvent(
      from,
      'PoolCreated(address,address,bool,address,uint256)',
      [token0, token1, BigInt(token0) % 2n],
      [address, 1],
    ),
  ),
  created.map(([from, address, token0, token1]) =>
    venueEvent(from, 'PoolCreated(address,address,int24,address)', [token0, token1, 60], [address]),
  ),
  created.map(([from, address, token0, token1]) =>
    venueEvent(from, 'Pool(address,address,address)', [token0, token1], [address]),
  ),
  fc
    .tuple(pool, amount, amount)
    .map(([address, ...reserves]) => venueEvent(address, 'Sync(uint256,uint256)', [], reserves)),
  fc
    .tuple(poolId, fc.constantFrom(zero, ...contracts), contract, sqrtPrice)
    .map(([id, token0, token1, price]) =>
      venueEvent(
        factory,
        'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
        [id, token0, token1],
        [3000, 60, 0, price, 0],
      ),
    ),
  fc
    .tuple(fc.constantFrom(factory, testAddress(0x201)), poolId, sqrtPrice)
    .map(([manager, id, price]) =>
      venueEvent(
        manager,
        'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)',
        [id, manager],
        [-1, 1, price, 1, 0, 3000],
      ),
    ),
  fc
    .tuple(poolId, ticks, fc.bigInt(0n, 10n ** 20n))
    .map(([id, { tickLower, tickUpper }, change]) =>
      venueEvent(
        factory,
        'ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)',
        [id, factory],
        [tickLower, tickUpper, change, 0],
      ),
    ),
)

const content: fc.Arbitrary<FakeEvent> = fc.oneof(
  { weight: 4, arbitrary: venueContent },
  {
    weight: 6,
    arbitrary: fc
      .record({ token: contract, move, amount })
      .map(({ token, move, amount }) => ({ type: 'transfer', token, ...move, amount }) as const),
  },
  fc.record({
    type: fc.constantFrom('deposit', 'withdrawal'),
    token: contract,
    account: holder,
    amount,
  }),
  { weight: 3, arbitrary: fc.tuple(contract, move, tokenId).map((args) => nftTransfer(...args)) },
  fc
    .tuple(contract, move, fc.nat(3), fc.constantFrom(0n, 2n, 2n ** 200n))
    .map(([token, ends, first, more]) =>
      consecutiveTransfer(token, ends, BigInt(first), BigInt(first) + more),
    ),
  {
    weight: 3,
    arbitrary: fc
      .tuple(contract, move, fc.array(fc.record({ tokenId, amount }), { maxLength: 3 }))
      .map((args) => itemTransfer(...args)),
  },
  fc.record({
    type: fc.constant('pair'),
    factory: fc.constantFrom(factory, testAddress(0x201)),
    token0: contract,
    token1: contract,
    pool,
  }),
  fc.record({ type: fc.constant('sync'), pool, reserve0: amount, reserve1: amount }),
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(factory, testAddress(0x201)), pool, contract, contract)
      .map((args) => poolCreated(...args)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(pool, fc.constantFrom('swap', 'initialize'), fc.bigInt(2n ** 94n, 2n ** 98n))
      .map((args) => priceSet(...args)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(pool, ticks, fc.bigInt(0n, 10n ** 20n))
      .map((args) => liquidityChanged(...args)),
  },
  fc
    .tuple(fc.constantFrom(marketplace, testAddress(0x401)), contract, tokenId, amount)
    .map((args) => nftSold(...args)),
)

const event: fc.Arbitrary<FakeEvent> = fc
  .record(
    { content, sender: fc.constantFrom(...(holders.slice(1) as Hex[])), together: fc.boolean() },
    { requiredKeys: ['content', 'together'] },
  )
  .map(({ content, sender, together }) => ({
    ...content,
    ...(sender && { sender }),
    ...(together && { inSameTransaction: true }),
  }))

/** Blocks of a fake chain with every kind of event that is indexed. */
export function arbitraryBlocks(minLength: number, maxLength: number) {
  return fc.array(fc.array(event, { maxLength: 5 }), { minLength, maxLength })
}
