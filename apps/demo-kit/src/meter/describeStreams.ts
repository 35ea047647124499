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

/** Display names of the operations. */
export const operationNames = {
  balances: 'Balances',
  collectibles: 'Collectibles',
  tokenBalance: 'Single balance',
  tokenHolders: 'Token holders',
  tokenInfo: 'Token info',
} as const satisfies Record<OperationName, string>

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
    const units = estimateUnits('balances', balancesParameters(link), client)
    return [
      line('Balances and prices', 'balances', units, intervals.balances),
      {
        shows: 'Total, chains and changes',
        source: operationNames.balances,
        costs: 'same poll, no units',
      },
    ]
  }
  if (isToken) {
    const units = estimateUnits('tokenInfo', { address: token, chainIds: [chainId] })
    const facts = line('Facts of the token', 'tokenInfo', units, intervals.tokenInfo)
    const price: StreamLine = {
      shows: 'Live price and chart',
      source: priceSource ? operationNames[priceSource] : 'cheapest operation with a price',
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
  const units = estimateUnits('collectibles', collectiblesParameters(link), client)
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
    source: operationNames[operation],
    costs: `${unitsText(units)} every ${interval / 1000} s`,
  }
}

function unitsText(units: number): string {
  return units === 1 ? '1 unit' : `${units} units`
}
