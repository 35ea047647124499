import { type Client, estimateUnits, type OperationName, type PriceSource } from '@headwater/core'
import { balancesParameters, collectiblesParameters } from '../balances/walletParameters.ts'
import type { Link } from '../links/Link.ts'
import { intervals } from './intervals.ts'

/** One stream of the screen, and what it lives on. */
export interface StreamLine {
  readonly shows: string
  readonly answeredBy: string
  /** What one answer costs and how often it is asked for, unless a budget slows it. */
  readonly costs: string
}

/** The names of the operations as people say them. */
export const operationNames: Record<OperationName, string> = {
  balances: 'Balances',
  collectibles: 'Collectibles',
  tokenBalance: 'Single balance',
  tokenHolders: 'Token holders',
  tokenInfo: 'Token info',
}

/**
 * Lists the streams of a screen: what each shows, which operation answers it, what that costs.
 *
 * @param priceSource - What told the price of the token screen last.
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
        answeredBy: operationNames.balances,
        costs: 'same poll, no units',
      },
    ]
  }
  if (isToken) {
    const units = estimateUnits('tokenInfo', { address: token, chainIds: [chainId] })
    const facts = line('Facts of the token', 'tokenInfo', units, intervals.tokenInfo)
    const price: StreamLine = {
      shows: 'Live price and chart',
      answeredBy: priceSource ? operationNames[priceSource] : 'the cheapest that tells it',
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
    answeredBy: operationNames[operation],
    costs: `${unitsText(units)} every ${interval / 1000} s`,
  }
}

function unitsText(units: number): string {
  return units === 1 ? '1 unit' : `${units} units`
}
