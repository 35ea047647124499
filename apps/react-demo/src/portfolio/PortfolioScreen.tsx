import { balancesParameters, describeError, intervals, type Link } from '@headwater/demo-kit'
import { useBalances, usePortfolio } from '@headwater/react'
import { ProblemNotice } from '../shell/ProblemNotice.tsx'
import { BalancesSection } from './BalancesSection.tsx'
import { BalancesSkeleton } from './BalancesSkeleton.tsx'
import { WorthSummary } from './WorthSummary.tsx'

/** What a wallet holds and what it is worth. Table and total ask the same, so they live on one poll. */
export function PortfolioScreen({ link }: { link: Link }) {
  const parameters = balancesParameters(link)
  const options = { enabled: link.address !== '', refetchInterval: intervals.balances }
  const balances = useBalances(parameters, options)
  const portfolio = usePortfolio(parameters, options)
  const { status, data, error, refetch } = balances
  const problem = error && describeError(error)

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
            <p className="empty">Enter a wallet address to see what it holds.</p>
          ))}
        {data?.length === 0 && (
          <div className="empty" data-testid="state-empty">
            <strong>This wallet is empty.</strong>
            <p>It holds no token on these chains.</p>
          </div>
        )}
        {data && data.length > 0 && <BalancesSection balances={balances} rows={data} />}
      </section>
      {/*
        Told once a state, not once a poll: the total would interrupt every two seconds. And outside of the section, as
        what is in a busy one may not be told at all.
      */}
      <p className="visually-hidden" role="status">
        {status === 'pending' && link.address && 'Loading balances.'}
        {problem?.title}
        {status === 'success' && `${data.length} tokens, updating by themselves.`}
      </p>
    </>
  )
}
