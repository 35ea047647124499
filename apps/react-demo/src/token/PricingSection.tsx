import type { Token } from '@headwater/core'
import { contractText, describePricing, type PricingPool } from '@headwater/demo-kit'
import { useFormats } from '../hooks/useFormats.ts'

/** How the price of a token is found: its route to USD, and the pools that do not price it. */
export function PricingSection({ facts }: { facts: Token | undefined }) {
  const pricing = describePricing(facts, useFormats())
  return (
    <section className="card" aria-labelledby="pricing">
      <details className="pricing">
        <summary>
          <h2 id="pricing">Pricing</h2>
          <span className="muted" data-testid="pricing-summary">
            {pricing?.summary}
          </span>
        </summary>
        {pricing && pricing.route.length > 0 && (
          <PoolList pools={pricing.route} testId="pricing-route" />
        )}
        {pricing && pricing.rejected.length > 0 && (
          <>
            <h3>Pools that do not price it</h3>
            <PoolList pools={pricing.rejected} testId="pricing-rejected" />
          </>
        )}
      </details>
    </section>
  )
}

function PoolList({ pools, testId }: { pools: readonly PricingPool[]; testId: string }) {
  return (
    <ol className="pools" data-testid={testId}>
      {pools.map(({ key, address, venue, pair, age, detail }) => (
        <li key={key}>
          <span className="venue">{venue}</span>
          <span className="pair">{pair}</span>
          <span className="muted" title={address}>
            {contractText(address)} {age}
          </span>
          <span className="detail">{detail}</span>
        </li>
      ))}
    </ol>
  )
}
