import { type Client, estimateUnits, type OperationName, type PriceSource } from '@headwater/core'
import { balancesParameters, collectiblesParameters } from '../balances/walletParameters.ts'
import type { Link } from '../links/Link.ts'
import { intervals } from './intervals.ts'

/** A stream of the screen: its source and its cost. */
export interface StreamLine {
  readonly shows: string
  readonly source: string
  /** Units per response and the polling interval, unless a budget slows it down. */
  readonly costs: string
}

/** The display name of an operation: `tokenInfo` is `Token info`. */
export function operationText(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words[0]!.toUpperCase() + words.slice(1)
}

/**
 * Lists the streams of a screen with the source and the cost of each.
 *
 * @param priceSource - Operation whose response contained the current price of the token screen.
 */
export function describeStreams(
  link: Link,
  client: Client,
  priceSource?: PriceSource,
): readonly StreamLine[] {
  const { address, chainId, token } = link
  const isToken = link.screen === 'token'
  if (link.screen === 'portfolio') {
    const units = estimateUnits('balances', { ...balancesParameters(link), address }, client)
    return [
      line('Balances and prices', 'balances', units, intervals.balances),
      {
        shows: 'Total, chains and changes',
        source: operationText('balances'),
        costs: 'same poll, no units',
      },
    ]
  }
  if (isToken) {
    const units = estimateUnits('tokenInfo', { address: token, chainIds: [chainId] })
    const facts = line('Facts of the token', 'tokenInfo', units, intervals.tokenInfo)
    const price: StreamLine = {
      shows: 'Live price and chart',
      source: priceSource ? operationText(priceSource) : 'cheapest operation with a price',
      costs: `at most ${unitsText(2)} every ${intervals.price / 1000} s`,
    }
    if (token === 'native') {
      return [facts, price]
    }
    const page = estimateUnits('tokenHolders', { chainId, address: token })
    return [facts, price, line('Holders', 'tokenHolders', page, intervals.holders)]
  }
  if (!address) {
    return []
  }
  const units = estimateUnits('collectibles', { ...collectiblesParameters(link), address }, client)
  return [line('Collectibles', 'collectibles', units, intervals.collectibles)]
}

function line(
  shows: string,
  operation: OperationName,
  units: number,
  interval: number,
): StreamLine {
  return {
    shows,
    source: operationText(operation),
    costs: `${unitsText(units)} every ${interval / 1000} s`,
  }
}

function unitsText(units: number): string {
  return units === 1 ? '1 unit' : `${units} units`
}
