import type { ReactNode } from 'react'
import type { Token } from '@headwater/core'
import { spamText } from '@headwater/demo-kit'
import { useFormats } from '../hooks/useFormats.ts'

interface TokenFactsProps {
  facts: Token | undefined
  isPending: boolean
}

/** Facts of a token other than its price. */
export function TokenFacts({ facts, isPending }: TokenFactsProps) {
  const { amount, shortUsd } = useFormats()
  const bone = <span className="bone" />
  const show = (text: ReactNode) => (isPending ? bone : text)
  const { total_supply: supply, decimals } = facts ?? {}
  const spam = spamText(facts)
  return (
    <dl className="figures">
      <div>
        <dt>Liquidity</dt>
        <dd data-testid="token-liquidity">{show(shortUsd(facts?.pool_size))}</dd>
      </div>
      <div>
        <dt>Fully diluted value</dt>
        <dd data-testid="token-fdv">{show(shortUsd(facts?.fully_diluted_value))}</dd>
      </div>
      <div className="wide">
        <dt>Supply</dt>
        <dd className="digits" data-testid="token-supply">
          {show(supply === undefined ? '—' : amount(supply, decimals))}
        </dd>
      </div>
      {spam && (
        <div className="wide">
          <dt>Signs of spam</dt>
          <dd data-testid="token-spam">{spam}</dd>
        </div>
      )}
    </dl>
  )
}
