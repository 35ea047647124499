import type { PortfolioChain } from '@headwater/core'
import { chainText, type Formats } from '@headwater/demo-kit'

interface ChainBreakdownProps {
  chains: readonly PortfolioChain[] | undefined
  formats: Formats
}

/** The value per chain, with a bar of shares. */
export function ChainBreakdown({ chains, formats }: ChainBreakdownProps) {
  return (
    <div className="breakdown">
      <div className="bar" aria-hidden="true">
        {chains?.map((chain) => (
          <span key={chain.chain_id} style={{ flexGrow: chain.share }} />
        ))}
      </div>
      {/* The list scrolls if it is long; `tabindex` makes that possible by keyboard. */}
      <ul className="chains" aria-label="Worth by chain" tabIndex={0}>
        {chains?.map((chain) => (
          <li key={chain.chain_id} data-testid="portfolio-chain" data-chain-id={chain.chain_id}>
            <span className="untrusted">{chainText(chain)}</span>
            <strong>{formats.usd(chain.value_usd)}</strong>
            <span className="muted">{formats.share(chain.share)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
