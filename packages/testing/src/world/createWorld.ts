import { createCollections, createOwned } from './createCollectibles.ts'
import { createTokens } from './createTokens.ts'
import type { FakeChain } from './FakeChain.ts'
import type { WorldToken } from './FakeToken.ts'
import { addressOf, hash } from './hash.ts'
import { Ledger } from './Ledger.ts'
import { Prices } from './Prices.ts'
import { type WalletDraft, walletDrafts } from './wallets.ts'
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

/** The newest world as it began: to make one takes many times longer than to copy it, and most tests begin with the same. */
let begun: World | undefined

/** Makes the world of a seed. */
export function createWorld(origin: Origin): World {
  const { seed, chains, now } = origin
  if (begun?.seed !== seed || begun.chains !== chains || begun.now !== now) {
    begun = begin(origin)
  }
  return { ...begun, prices: new Prices(seed), ledger: begun.ledger.copy() }
}

function begin({ seed, chains, now }: Origin): World {
  const tokens = createTokens(seed, chains, now)
  const bySymbol = new Map(tokens.map((token) => [symbolKey(token), token]))
  const collections = createCollections(seed, chains)
  const ledger = new Ledger<WorldToken>()
  const give = (token: WorldToken, wallet: string, whole: number) => {
    const drawn = hash(`${wallet}/${token.chainId}/${token.address}`)
    const unit = 10n ** BigInt(token.decimals ?? 18)
    // No round number, as amounts are not: up to a hundredth of a token more.
    const crumbs = BigInt(drawn) % (unit / 100n + 1n)
    ledger.set(token, wallet, BigInt(whole) * unit + crumbs, now - 7200 - (drawn % 40_000_000))
  }

  const drafts: [string, WalletDraft][] = Object.entries(walletDrafts)
  const wallets = drafts.map(([name, draft]) => {
    const address = addressOf(`${seed}/wallet/${name}`)
    return { name, address, about: draft.about, draft }
  })
  const collectibles = wallets.flatMap(({ address, draft }) => {
    for (const [index, amounts] of (draft.holds ?? []).entries()) {
      for (const [symbol, whole] of Object.entries(amounts)) {
        const token = bySymbol.get(`${chains[index]?.id}/${symbol}`)
        if (token) {
          give(token, address, whole)
        }
      }
    }
    for (const token of tokens) {
      if (token.kind === draft.every) {
        give(token, address, 1 + (hash(token.address) % 5000))
      }
    }
    return createOwned(address, draft.collectibles ?? 0, collections, chains, now)
  })
  const held = bySymbol.get(`${chains[0]?.id}/CROWD`)
  for (let index = 0; held && ledger.holdersOf(held).size < crowd; index++) {
    give(held, addressOf(`${seed}/crowd/${index}`), 1 + (hash(`${seed}/${index}`) % 900))
  }

  const block = 20_000_000
  const prices = new Prices(seed)
  return { seed, chains, tokens, prices, ledger, collections, collectibles, wallets, now, block }
}

function symbolKey({ chainId, address, symbol }: WorldToken): string {
  return `${chainId}/${address === 'native' ? address : symbol}`
}
