import {
  collectibleKey,
  collectiblesParameters,
  contractText,
  describeError,
  focusScreen,
  intervals,
  type Link,
  warningText,
} from '@headwater/demo-kit'
import { useCollectibles } from '@headwater/react'
import { useFormats } from '../hooks/useFormats.ts'
import { EndOfList } from '../shell/EndOfList.tsx'
import { ProblemNotice } from '../shell/ProblemNotice.tsx'
import { CollectibleCard } from './CollectibleCard.tsx'
import { GallerySkeleton } from './GallerySkeleton.tsx'

/** The collectibles of a wallet, the newest first, with infinite scrolling. */
export function CollectiblesScreen({ link }: { link: Link }) {
  const formats = useFormats()
  const { count } = formats
  const collectibles = useCollectibles(collectiblesParameters(link), {
    pageSize: 48,
    refetchInterval: intervals.collectibles,
  })
  const { status, data, error, hasNextPage, refetch } = collectibles
  const problem = error && describeError(error)
  const note = warningText({ ...collectibles, hasNextPage: false }, formats)

  return (
    <section className="card" aria-labelledby="collectibles" aria-busy={status === 'pending'}>
      <header className="section-header">
        <h1 id="collectibles" ref={focusScreen} tabIndex={-1}>
          Collectibles
        </h1>
        <p className="muted" title={link.address}>
          {data && (hasNextPage ? `the newest ${count(data.length)}` : count(data.length))} of{' '}
          {contractText(link.address) || 'no wallet'}
        </p>
      </header>
      {problem && <ProblemNotice problem={problem} isFloating={Boolean(data)} onRetry={refetch} />}
      {status === 'pending' &&
        (link.address ? (
          <GallerySkeleton />
        ) : (
          <p className="empty">Enter a wallet address to show its collectibles.</p>
        ))}
      {data?.length === 0 && (
        <div className="empty" data-testid="state-empty">
          <strong>No collectibles.</strong>
          <p>This wallet owns no collectibles on these chains.</p>
        </div>
      )}
      {data && data.length > 0 && (
        <ul className="gallery" data-testid="gallery">
          {data.map((collectible) => (
            <CollectibleCard
              key={collectibleKey(collectible)}
              collectible={collectible}
              address={link.address}
            />
          ))}
        </ul>
      )}
      <EndOfList count={data?.length ?? 0} list={collectibles} />
      {data && data.length > 0 && !hasNextPage && (
        <p className="note" data-testid="gallery-end">
          End of the list.
        </p>
      )}
      {note && <p className="note">{note}</p>}
      <p className="visually-hidden" role="status">
        {problem?.title}
      </p>
    </section>
  )
}
