import type { Token } from '@headwater/core'
import { describeError, intervals } from '@headwater/demo-kit'
import { useTokenHolders } from '@headwater/react'
import { useFormats } from '../hooks/useFormats.ts'
import { EndOfList } from '../shell/EndOfList.tsx'
import { ProblemNotice } from '../shell/ProblemNotice.tsx'
import { HoldersList } from './HoldersList.tsx'

interface HoldersSectionProps {
  chainId: number
  address: string
  facts: Token | undefined
}

/** The holders of a token, the largest first, with infinite scrolling. */
export function HoldersSection({ chainId, address, facts }: HoldersSectionProps) {
  const { count } = useFormats()
  const holders = useTokenHolders(
    { chainId, address },
    { pageSize: 100, refetchInterval: intervals.holders },
  )
  const { status, data, error, hasNextPage, refetch } = holders
  const problem = error && describeError(error)

  return (
    <>
      <section className="card holders" aria-labelledby="holders" aria-busy={status === 'pending'}>
        <header className="section-header">
          <h2 id="holders">Holders</h2>
          <p className="muted" data-testid="holders-count">
            {data && (hasNextPage ? `the largest ${count(data.length)}` : count(data.length))}
          </p>
        </header>
        {problem && (
          <ProblemNotice
            problem={problem}
            isFloating={Boolean(data)}
            id="holders-problem"
            onRetry={refetch}
          />
        )}
        {data?.length === 0 && (
          <p className="empty" data-testid="state-empty">
            This token has no holders.
          </p>
        )}
        {status === 'pending' && <div className="holders-skeleton" data-testid="state-loading" />}
        {data && data.length > 0 && (
          <HoldersList holders={data} isComplete={!hasNextPage} facts={facts} />
        )}
        <EndOfList count={data?.length ?? 0} list={holders} />
        {data && data.length > 0 && !hasNextPage && (
          <p className="note" data-testid="holders-end">
            End of the list.
          </p>
        )}
      </section>
      <p className="visually-hidden" role="status">
        {problem?.title && `Holders: ${problem.title}`}
      </p>
    </>
  )
}
