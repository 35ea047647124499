import type { SpamSignal } from '@headwater/contract'
import type { MediaLinks } from '../media/MediaLinks.ts'
import type { ChainToken } from '../operations/pricedTokens/ChainToken.ts'
import { getQuoteTokens } from '../pricing/getQuoteTokens.ts'
import type { Provider } from './loadLargestProvider.ts'
import { hasConfusables, hasUrl } from './lookalikes.ts'

/** An account with this percentage of the shares of a pool can withdraw its liquidity alone. */
const solePercent = 95n

/** The provider of a pool with the most shares, and all shares. */
export interface PoolShares {
  readonly largest: Provider
  readonly total: bigint
}

/**
 * Signs of spam of a token. Listed tokens and those of the configuration have none.
 *
 * @param shares - of the pool that prices it, where they are known.
 */
export async function describeSpam(
  token: ChainToken,
  shares: PoolShares | undefined,
  links: Pick<MediaLinks, 'isListed' | 'findCopied'>,
): Promise<SpamSignal[]> {
  const { chain, address, symbol = '', name = '' } = token
  const isTrusted =
    address === 'native' ||
    getQuoteTokens(chain).has(address) ||
    chain.tokens.includes(address) ||
    links.isListed(chain.id, address)
  if (isTrusted) {
    return []
  }
  const signals: SpamSignal[] = []
  const texts = [symbol, name]
  const copied = await links.findCopied(chain.id, { symbol, name })
  if (copied !== undefined) {
    signals.push({ code: 'COPIED_NAME', address: copied })
  }
  if (texts.some(hasUrl)) {
    signals.push({ code: 'URL' })
  }
  if (texts.some(hasConfusables)) {
    signals.push({ code: 'CONFUSABLE_CHARACTERS' })
  }
  if (shares && shares.largest.amount * 100n >= shares.total * solePercent) {
    signals.push({ code: 'SOLE_PROVIDER', address: shares.largest.account })
  }
  return signals
}
