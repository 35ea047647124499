import type { BalancesSnapshot, Portfolio } from '@headwater/core'
import { changeText, directionOf, focusScreen, freshnessText, trustText } from '@headwater/demo-kit'
import { useFormats } from '../hooks/useFormats.ts'
import { ChainBreakdown } from './ChainBreakdown.tsx'

interface WorthSummaryProps {
  address: string
  portfolio: Portfolio | undefined
  balances: BalancesSnapshot
}

/** The total value of a wallet, its change in a day, its completeness and its chains. */
export function WorthSummary({ address, portfolio, balances }: WorthSummaryProps) {
  const formats = useFormats()
  const change = portfolio?.changes.find(({ offset_hours: hours }) => hours === 24)
  const isPending = balances.status === 'pending' && address !== ''

  return (
    <header className="summary">
      <h1 id="wallet" ref={focusScreen} tabIndex={-1}>
        {address || 'No wallet'}
      </h1>
      <p className="updated" data-live={balances.status === 'success'} data-testid="updated">
        {freshnessText(balances, formats)}
      </p>
      <p className="total">
        <span className="visually-hidden">Total value: </span>
        {isPending ? (
          <span className="bone" />
        ) : (
          <span data-testid="total-value">{formats.usd(portfolio?.value_usd)}</span>
        )}
      </p>
      <p
        className="total-change"
        data-testid="total-change"
        data-direction={directionOf(0, change?.change_usd)}
      >
        {changeText(change, formats)}
      </p>
      <p className="trust" data-testid="portfolio-trust">
        {portfolio ? trustText(portfolio, formats) : '\u00a0'}
      </p>
      <ChainBreakdown chains={portfolio?.chains} formats={formats} />
    </header>
  )
}
