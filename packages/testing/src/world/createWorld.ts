import { createCollections, createOwned } from './createCollectibles.ts'
import { createTokens, manyHoldersSymbol } from './createTokens.ts'
import type { FakeChain } from './FakeChain.ts'
import type { WorldToken } from './FakeToken.ts'
import { addressOf, hash } from './hash.ts'
import { Ledger } from './Ledger.ts'
import { Prices } from './Prices.ts'
import { type WalletDraft, walletDrafts } from './wallets.ts'
import type { World } from './World.ts'

/** Number of holders of the token `manyHoldersSymbol`. */
const holderCount = 2000

/** The parameters of a world: equal origins create equal worlds. */
export interface Origin {
  readonly seed: string
  readonly chains: readonly FakeChain[]
  /** In seconds. */
  readonly now: number
}

/** The initial state of the last world. A copy is much faster than a new world, and most tests use the same one. */
let initial: World | undefined

/** Creates the world of an origin. */
export function createWorld(origin: Origin): World {
  const { seed, chains, now } = origin
  if (initial?.seed !== seed || initial.chains !== chains || initial.now !== now) {
    initial = createInitial(origin)
  }
  return { ...initial, prices: new Prices(seed), ledger: initial.ledger.copy() }
}

function createInitial({ seed, chains, now }: Origin): World {
  const tokens = createTokens(seed, chains, now)
  const bySymbol = new Map(tokens.map((token) => [symbolKey(token), token]))
  const collections = createCollections(seed, chains)
  const ledger = new Ledger<WorldToken>()
  const give = (token: WorldToken, wallet: string, whole: number) => {
    const drawn = hash(`${wallet}/${token.chainId}/${token.address}`)
    const unit = 10n ** BigInt(token.decimals ?? 18)
    // Up to a hundredth of a token more, as real amounts are not round.
    const fractional = BigInt(drawn) % (unit / 100n + 1n)
    ledger.set(token, wallet, BigInt(whole) * unit + fractional, now - 7200 - (drawn % 40_000_000))
  }

  const drafts: [string, WalletDraft][] = Object.entries(walletDrafts)
  const wallets = drafts.map(([name, draft]) => {
    const { address = addressOf(`${seed}/wallet/${name}`), description } = draft
    return { name, address, description, draft }
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
  const held = bySymbol.get(`${chains[0]?.id}/${manyHoldersSymbol}`)
  for (let index = 0; held && ledger.holdersOf(held).size < holderCount; index++) {
    give(held, addressOf(`${seed}/crowd/${index}`), 1 + (hash(`${seed}/${index}`) % 900))
  }

  const block = 20_000_000
  const prices = new Prices(seed)
  return { seed, chains, tokens, prices, ledger, collections, collectibles, wallets, now, block }
}

function symbolKey({ chainId, address, symbol }: WorldToken): string {
  return `${chainId}/${address === 'native' ? address : symbol}`
}
