import { useEffect } from 'react'
import {
  collectiblesParameters,
  describeError,
  findCollectible,
  focusScreen,
  intervals,
  type Link,
} from '@headwater/demo-kit'
import { useCollectibles } from '@headwater/react'
import { ProblemNotice } from '../shell/ProblemNotice.tsx'
import { ScreenLink } from '../shell/ScreenLink.tsx'
import { CollectibleDetail } from './CollectibleDetail.tsx'

/** One collectible of a wallet, searched in the pages of its listing, because no operation returns a single one. */
export function CollectibleScreen({ link }: { link: Link }) {
  const { status, data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useCollectibles(collectiblesParameters(link), {
      refetchInterval: intervals.collectibles,
    })
  const collectible = data && findCollectible(data, link)
  const problem = error && describeError(error)
  const isSearching = status === 'pending' || (!collectible && !error && hasNextPage)
  useEffect(() => {
    if (!collectible && status === 'success' && hasNextPage && !isFetchingNextPage) {
      void fetchNextPage()
    }
  }, [collectible, status, hasNextPage, isFetchingNextPage, fetchNextPage])

  return (
    <section className="card" aria-labelledby="collectible" aria-busy={isSearching}>
      <header className="section-header">
        <ScreenLink to={{ screen: 'collectibles' }} data-testid="collectible-back">
          ← All collectibles
        </ScreenLink>
      </header>
      {problem && (
        <ProblemNotice problem={problem} isFloating={Boolean(collectible)} onRetry={refetch} />
      )}
      {collectible && <CollectibleDetail collectible={collectible} />}
      {isSearching && <div className="detail" data-testid="state-loading" aria-hidden="true" />}
      {!collectible && !isSearching && !problem && (
        <div className="empty" data-testid="state-empty">
          <h1 id="collectible" ref={focusScreen} tabIndex={-1}>
            This wallet does not own this collectible.
          </h1>
          <p>It may have been transferred since the link was created.</p>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {isSearching && 'Loading the collectible.'}
        {problem?.title}
      </p>
    </section>
  )
}
