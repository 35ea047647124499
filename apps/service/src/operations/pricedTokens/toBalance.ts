import {
  type Balance,
  type BalancesParameters,
  LOW_LIQUIDITY_USD,
  type TokenMetadata,
} from '@headwater/contract'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import type { Links } from '../Handler.ts'
import { describePools } from './describePools.ts'
import type { FindAuditedBlock } from './loadAuditedBlocks.ts'
import { historicalPrices, type PricedHolding, type PricedToken } from './priceToken.ts'

/** The optional fields of a request for balances, and what they are filled from. */
interface Extras {
  readonly historicalPrices: BalancesParameters['historicalPrices'] | undefined
  readonly metadata: BalancesParameters['metadata'] | undefined
  /** Price books with the requested hours, by chain id. */
  readonly books: ReadonlyMap<number, PriceBook> | undefined
  /** The price books of the head, by chain id. */
  readonly current: ReadonlyMap<number, PriceBook> | undefined
  /** Undefined if `metadata` does not contain `audit`. */
  readonly findAuditedBlock: FindAuditedBlock | undefined
  readonly links: Pick<Links, 'logo' | 'homePage'>
}

/** Converts a holding to an entry of the response. Unknown values are omitted. */
export function toBalance(holding: PricedHolding, extras: Extras): Balance {
  const { token, amount, price, value } = holding
  const { chain, alias, symbol, name, decimals } = token
  const address = alias ?? token.address
  // In the order of the specification. Assigning a thousand entries is five times as fast as spreading them.
  const balance: Balance = { chain: chain.name, chain_id: chain.id, address, amount: `${amount}` }
  if (symbol !== undefined) {
    balance.symbol = symbol
  }
  if (name !== undefined) {
    balance.name = name
  }
  if (decimals !== undefined) {
    balance.decimals = decimals
  }
  if (price && value !== undefined) {
    balance.price_usd = price.usd
    balance.value_usd = value
    if (price.poolSize !== undefined) {
      balance.pool_size = price.poolSize
      balance.low_liquidity = price.poolSize < LOW_LIQUIDITY_USD
    }
  }
  if (extras.historicalPrices) {
    const book = extras.books?.get(chain.id)
    balance.historical_prices = historicalPrices(token, extras.historicalPrices, book)
  }
  if (extras.metadata) {
    balance.token_metadata = toMetadata(holding, extras.metadata, extras)
  }
  return balance
}

function toMetadata(
  { token, price }: PricedToken,
  fields: NonNullable<BalancesParameters['metadata']>,
  { links, current, findAuditedBlock }: Pick<Extras, 'links' | 'current' | 'findAuditedBlock'>,
): TokenMetadata {
  const metadata: TokenMetadata = {}
  const logo = fields.includes('logo') ? links.logo(token.chain.id, token.address) : undefined
  if (logo !== undefined) {
    metadata.logo = logo
  }
  const url = fields.includes('url') ? links.homePage(token.chain.id, token.address) : undefined
  if (url !== undefined) {
    metadata.url = url
  }
  if (fields.includes('pools')) {
    const { chain, address } = token
    const priced = address === 'native' ? (chain.wrappedNative ?? address) : address
    const rejected = current?.get(chain.id)?.rejected.get(priced) ?? []
    Object.assign(metadata, describePools(priced, price?.route, rejected))
  }
  const auditedBlock = findAuditedBlock?.(token)
  if (auditedBlock !== undefined) {
    metadata.audited_block = auditedBlock
  }
  return metadata
}
