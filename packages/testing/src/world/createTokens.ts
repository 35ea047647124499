import type { FakeChain } from './FakeChain.ts'
import type { WorldToken } from './FakeToken.ts'
import { addressOf, fraction } from './hash.ts'

type Draft = Partial<Omit<WorldToken, 'chain' | 'chainId'>>

const hour = 3600
const nativeUsd: Readonly<Record<string, number>> = { ETH: 2500, POL: 0.42, BNB: 600 }

/** Well-formed tokens, on every chain. */
const majors: readonly Draft[] = [
  { symbol: 'USDC', name: 'USD Coin', decimals: 6, usd: 1, swing: 0.001, poolSize: 48_000_000 },
  { symbol: 'WETH', name: 'Wrapped Ether', decimals: 18, usd: 2500, poolSize: 92_000_000 },
  { symbol: 'WBTC', name: 'Wrapped Bitcoin', decimals: 8, usd: 64_000, poolSize: 31_000_000 },
  { symbol: 'LINK', name: 'Chainlink', decimals: 18, usd: 14.5, swing: 0.1, poolSize: 3_200_000 },
]

/** Tokens with different defects, on the first chain. */
const malformed: readonly (Draft & { label: string })[] = [
  { label: 'no decimals', symbol: 'NODEC', name: 'Without decimals' },
  { label: 'no price', symbol: 'NOPRICE', name: 'In no pool', decimals: 18 },
  { label: 'no texts', decimals: 18, usd: 0.02, poolSize: 25_000 },
  {
    label: 'whole',
    symbol: 'WHOLE',
    name: 'Not divisible',
    decimals: 0,
    usd: 12,
    poolSize: 60_000,
  },
  { label: 'fine', symbol: 'FINE', name: 'Divisible', decimals: 36, usd: 3e-9, poolSize: 14_000 },
  { label: 'markup', symbol: '<b>BOLD</b>', name: '<script>alert(1)</script>', decimals: 18 },
  { label: 'long', symbol: 'LONG', name: 'Long '.repeat(52).slice(0, 256), decimals: 18 },
  {
    label: 'script',
    symbol: '\u202eNOMAR',
    name: '🦄 مرحبا',
    decimals: 9,
    usd: 1,
    poolSize: 11_000,
  },
]

/** Tokens with unreliable prices, on the first chain. */
const illiquid: readonly Draft[] = [
  { symbol: 'THIN', name: 'Thinly traded', decimals: 18, usd: 3.1, poolSize: 4_200 },
  { symbol: 'SPAM', name: 'Claim at example.org', decimals: 18, usd: 900, poolSize: 35 },
]

/** Symbol of the token with many holders. */
export const manyHoldersSymbol = 'CROWD'

/** Number of plain tokens on the first chain, for a wallet with more than one page. */
const plainTokens = 1200

/** The tokens of a world, determined by the seed. */
export function createTokens(
  seed: string,
  chains: readonly FakeChain[],
  now: number,
): WorldToken[] {
  const make = (chain: FakeChain, label: string, draft: Draft): WorldToken => ({
    chain,
    chainId: chain.id,
    address: addressOf(`${seed}/token/${chain.id}/${label}`),
    swing: 0.05,
    wave: label,
    isListed: false,
    kind: 'usual',
    ...draft,
  })
  const everywhere = chains.flatMap((chain) => {
    const { symbol } = chain
    const usd = nativeUsd[symbol] ?? 10
    const native = { address: 'native', symbol, name: symbol, decimals: 18, poolSize: 92_000_000 }
    return [
      make(chain, symbol, { ...native, usd, isListed: true }),
      ...majors.map((draft) => {
        const label = String(draft.symbol)
        return make(chain, label, { wave: label.replace('WETH', 'ETH'), isListed: true, ...draft })
      }),
    ]
  })
  const [first] = chains
  if (!first) {
    throw new RangeError('At least one chain is required')
  }
  const recent = { decimals: 18, usd: 0.7, poolSize: 80_000, pricedSince: now - 30 * hour }
  return [
    ...everywhere,
    ...malformed.map(({ label, ...draft }) => make(first, label, { ...draft, kind: 'ugly' })),
    ...illiquid.map((draft) => make(first, String(draft.symbol), draft)),
    make(first, 'NEW', { symbol: 'NEW', name: 'Priced for 30 hours', ...recent }),
    make(first, manyHoldersSymbol, {
      symbol: manyHoldersSymbol,
      name: 'Many hold it',
      decimals: 18,
      usd: 0.3,
      poolSize: 9e5,
    }),
    ...Array.from({ length: plainTokens }, (_, index) => {
      const label = `T${String(index + 1).padStart(4, '0')}`
      const name = `Token ${index + 1}`
      const draft = { kind: 'plain', symbol: label, name, decimals: 18 } as const
      // One in five has no pool.
      if (index % 5 === 4) {
        return make(first, label, draft)
      }
      const usd = Number((0.001 * 10 ** (5 * fraction(`${seed}/usd/${label}`))).toPrecision(4))
      return make(first, label, { ...draft, usd, poolSize: 20_000 + 100 * index })
    }),
  ]
}
