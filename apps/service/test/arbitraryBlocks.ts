import fc from 'fast-check'
import type { Hex } from 'viem'
import type { FakeEvent } from './FakeChain.ts'
import {
  consecutiveTransfer,
  itemTransfer,
  liquidityChanged,
  nftSold,
  nftTransfer,
  poolCreated,
  priceSet,
} from './fakeEvents.ts'
import { testAddress } from './seedChain.ts'

/** The contracts and holders in the events of arbitrary blocks. */
export const arbitraryWorld = {
  /** Each emits events of ERC20 and of NFTs, because a contract can implement both. */
  contracts: [1, 2, 3].map((number) => testAddress(0x100 + number)),
  /** The first contract. */
  weth: testAddress(0x101),
  factory: testAddress(0x200),
  marketplace: testAddress(0x400),
  /** The first one is the zero address. */
  holders: [0, 1, 2, 3].map(testAddress),
} as const
const { contracts, factory, marketplace, holders } = arbitraryWorld

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

const content: fc.Arbitrary<FakeEvent> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ token: contract, move, amount })
      .map(({ token, move, amount }) => ({ type: 'transfer', token, ...move, amount }) as const),
  },
  fc.record({
    type: fc.constantFrom('deposit', 'withdrawal'),
    ...{ token: contract, account: holder, amount },
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
    ...{ token0: contract, token1: contract, pool },
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
