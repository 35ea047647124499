import { totalValue, type BalancesSnapshot } from '@headwater/core'
import { describeError, freshnessText, noteText, usdText } from '@headwater/demo-kit'
import { BalancesTable } from './BalancesTable.tsx'
import { ProblemNotice } from './ProblemNotice.tsx'
import { SkeletonTable } from './SkeletonTable.tsx'

interface BalancesCardProps {
  address: string
  balances: BalancesSnapshot
}

/** A wallet's total and tokens, in whatever state they are. */
export function BalancesCard({ address, balances }: BalancesCardProps) {
  const { status, data, error, refetch } = balances
  const problem = error && describeError(error)
  const note = data && noteText(balances)
  const isPending = status === 'pending'

  return (
    <>
      <section className="wallet" aria-labelledby="wallet-title" aria-busy={isPending}>
        <header className="summary">
          <h2 id="wallet-title">{address || 'No address'}</h2>
          <p className="total">
            <span className="visually-hidden">Total value: </span>
            {isPending ? (
              <span className="bone" />
            ) : (
              <span data-testid="total-value">{data ? usdText(totalValue(data)) : '—'}</span>
            )}
          </p>
          <p className="updated" data-live={status === 'success'} data-testid="updated">
            {freshnessText(balances)}
          </p>
        </header>
        {problem && <ProblemNotice problem={problem} onRetry={refetch} />}
        {isPending && <SkeletonTable />}
        {data?.length === 0 && (
          <div className="empty" data-testid="state-empty">
            <strong>This wallet is empty.</strong>
            <p>It holds no token on the chains that the service indexes.</p>
          </div>
        )}
        {data && data.length > 0 && <BalancesTable balances={data} />}
        {note && <p className="note">{note}</p>}
      </section>
      {/*
        Told once a state, not once a poll: the total would interrupt every two seconds. And outside of the section, as
        what is in a busy one may not be told at all.
      */}
      <p className="visually-hidden" role="status">
        {isPending && 'Loading balances.'}
        {problem?.title}
        {status === 'success' && `${data.length} tokens, updating by themselves.`}
      </p>
    </>
  )
}
