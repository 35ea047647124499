import { createCollections, createOwned } from './createCollectibles.ts'
import { createTokens } from './createTokens.ts'
import type { FakeChain } from './FakeChain.ts'
import type { WorldToken } from './FakeToken.ts'
import { addressOf, hash } from './hash.ts'
import { Ledger } from './Ledger.ts'
import { Prices } from './Prices.ts'
import { walletDrafts } from './wallets.ts'
import type { World } from './World.ts'

/** How many hold the token `CROWD`. */
const crowd = 2000

/** What decides a world: equal origins make equal worlds. */
export interface Origin {
  readonly seed: string
  readonly chains: readonly FakeChain[]
  /** In seconds. */
  readonly now: number
}

/** Makes the world of a seed. */
export function createWorld({ seed, chains, now }: Origin): World {
  const tokens = createTokens(seed, chains, now)
  const collections = createCollections(seed, chains)
  const ledger = new Ledger<WorldToken>()
  const past = (what: string) => now - 7200 - (hash(`${seed}/${what}`) % 40_000_000)
  const give = (token: WorldToken, wallet: string, whole: number) => {
    const { decimals = 18 } = token
    const crumbs =
      BigInt(hash(`${wallet}/${token.address}`)) % 10n ** BigInt(Math.max(0, decimals - 2))
    const amount = BigInt(whole) * 10n ** BigInt(decimals) + crumbs
    ledger.set(token, wallet, amount, past(`${wallet}/${token.address}`))
  }

  const drafts: [string, (typeof walletDrafts)[keyof typeof walletDrafts]][] =
    Object.entries(walletDrafts)
  const wallets = drafts.map(([name, { about }]) => ({
    name,
    address: addressOf(`${seed}/wallet/${name}`),
    about,
  }))
  const collectibles = drafts.flatMap(([, draft], index) => {
    const { address } = wallets[index] as (typeof wallets)[number]
    if ('holds' in draft)
      for (const [at, amounts] of draft.holds.entries())
        for (const [symbol, whole] of Object.entries(amounts))
          for (const token of tokens)
            if (token.chainId === chains[at]?.id && [token.address, token.symbol].includes(symbol))
              give(token, address, whole)
    if ('every' in draft)
      for (const token of tokens)
        if (token.kind === draft.every) give(token, address, 1 + (hash(token.address) % 5000))
    return 'collectibles' in draft
      ? createOwned(address, draft.collectibles, collections, chains, now)
      : []
  })
  for (const token of tokens.filter(({ symbol }) => symbol === 'CROWD'))
    for (let index = ledger.holdersOf(token).size; index < crowd; index++)
      give(token, addressOf(`${seed}/crowd/${index}`), 1 + (hash(`${seed}/${index}`) % 900))

  const block = 20_000_000
  const prices = new Prices(seed)
  return { seed, chains, tokens, prices, ledger, collections, collectibles, wallets, now, block }
}
