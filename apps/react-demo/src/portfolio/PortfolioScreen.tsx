import {
  balancesParameters,
  describeError,
  intervals,
  type Link,
  tokensText,
  warningText,
} from '@headwater/demo-kit'
import { useBalances, usePortfolio } from '@headwater/react'
import { useFormats } from '../hooks/useFormats.ts'
import { ProblemNotice } from '../shell/ProblemNotice.tsx'
import { BalancesSection } from './BalancesSection.tsx'
import { BalancesSkeleton } from './BalancesSkeleton.tsx'
import { WorthSummary } from './WorthSummary.tsx'

/** Balances and total value of a wallet. Table and total have the same query, and share its polls. */
export function PortfolioScreen({ link }: { link: Link }) {
  const parameters = balancesParameters(link)
  const options = { refetchInterval: intervals.balances }
  const balances = useBalances(parameters, options)
  const portfolio = usePortfolio(parameters, options)
  const { status, data, error, refetch } = balances
  const problem = error && describeError(error)
  const formats = useFormats()
  const note = warningText(balances, formats)

  return (
    <>
      <section className="card" aria-labelledby="wallet" aria-busy={status === 'pending'}>
        <WorthSummary address={link.address} portfolio={portfolio.data} balances={balances} />
        {problem && (
          <ProblemNotice problem={problem} isFloating={Boolean(data)} onRetry={refetch} />
        )}
        {status === 'pending' &&
          (link.address ? (
            <BalancesSkeleton />
          ) : (
            <p className="empty">Enter a wallet address to show its balances.</p>
          ))}
        {data?.length === 0 && (
          <div className="empty" data-testid="state-empty">
            <strong>{note ? 'No tokens found.' : 'This wallet is empty.'}</strong>
            <p>{note || 'It holds no tokens on these chains.'}</p>
          </div>
        )}
        {data && data.length > 0 && <BalancesSection balances={balances} rows={data} note={note} />}
      </section>
      {/*
        Changes per status and not per poll, which would interrupt a screen reader every two seconds. Outside of the
        section, because screen readers may ignore live regions inside busy ones.
      */}
      <p className="visually-hidden" role="status">
        {status === 'pending' && link.address && 'Loading balances.'}
        {problem?.title}
        {status === 'success' && `${tokensText(data.length, formats)}, updated automatically.`}
      </p>
    </>
  )
}
