import { manyHoldersSymbol } from './createTokens.ts'

/** The initial state of a wallet. Amounts are in whole tokens, unlike those of the ledger. */
export interface WalletDraft {
  /** The test case that it represents. */
  readonly description: string
  /** In lower case. By default one that the seed determines. */
  readonly address?: string
  /** Whole tokens by symbol, per chain in their order. */
  readonly holds?: readonly Readonly<Record<string, number>>[]
  /** Every token of a kind on the first chain. */
  readonly every?: 'ugly' | 'plain'
  /** Number of NFTs. */
  readonly collectibles?: number
}

/**
 * The wallets of a fake service, by name. Two have the addresses of vitalik.eth and nick.eth, which created apps and examples
 * show, so that their pages are not empty with a fake service.
 */
export const walletDrafts = {
  everyday: {
    description: 'A few tokens on two chains, some NFTs. Its amounts change as blocks pass.',
    address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
    holds: [
      { native: 2, USDC: 1500, WETH: 1, LINK: 80, NEW: 40 },
      { native: 1, USDC: 250 },
    ],
    collectibles: 4,
  },
  empty: { description: 'Nothing at all.' },
  whale: {
    description: 'More than 1,000 tokens on one chain and 2,600 NFTs: two pages of each.',
    holds: [{ native: 900, USDC: 5_000_000, WBTC: 70, [manyHoldersSymbol]: 1_000_000 }],
    every: 'plain',
    collectibles: 2600,
  },
  multichain: {
    description: 'The same few tokens on every chain, test chains included.',
    address: '0xb8c2c29ee19d8307cb7255e1cd9cbde883a267d5',
    holds: Array.from({ length: 16 }, (_, index) => ({ native: index + 1, USDC: 100, WETH: 1 })),
    collectibles: 2,
  },
  ugly: {
    description: 'Tokens without decimals, texts or price; with markup, long or strange texts.',
    holds: [{ native: 1 }],
    every: 'ugly',
  },
  lowLiquidity: {
    description: 'One token with low liquidity, one spam token, and a native asset.',
    holds: [{ native: 1, THIN: 5000, SPAM: 1_000_000 }],
  },
  collector: {
    description: '620 NFTs on two chains, ERC721 and ERC1155.',
    holds: [{ native: 1 }],
    collectibles: 620,
  },
} as const satisfies Record<string, WalletDraft>

/**
 * The wallets that every fake service has.
 *
 * @example
 * import { createFakeService, type WalletName } from '@headwater/testing'
 * const addressOf = (name: WalletName) => createFakeService().wallet(name).address
 */
export type WalletName = keyof typeof walletDrafts
