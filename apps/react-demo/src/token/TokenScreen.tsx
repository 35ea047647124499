import { chartHours, describeError, intervals, type Link } from '@headwater/demo-kit'
import { usePrice, useTokenInfo } from '@headwater/react'
import { ProblemNotice } from '../shell/ProblemNotice.tsx'
import { HoldersSection } from './HoldersSection.tsx'
import { OffsetChanges } from './OffsetChanges.tsx'
import { PriceSection } from './PriceSection.tsx'
import { PricingSection } from './PricingSection.tsx'
import { TokenFacts } from './TokenFacts.tsx'
import { TokenHeader } from './TokenHeader.tsx'

/** One token: current and past price, facts and holders. */
export function TokenScreen({ link: { chainId, token } }: { link: Link }) {
  const info = useTokenInfo(
    { address: token, chainIds: [chainId], metadata: ['pools', 'spam'] },
    { refetchInterval: intervals.tokenInfo },
  )
  const price = usePrice(
    { chainId, address: token },
    { refetchInterval: intervals.price, historicalPrices: chartHours },
  )
  const facts = info.data?.tokens[0]
  const error = info.error ?? price.error
  const problem = error && describeError(error)

  async function retry() {
    await Promise.all([info.refetch(), price.refetch()])
  }

  return (
    <>
      <section className="card" aria-labelledby="token" aria-busy={info.status === 'pending'}>
        <TokenHeader
          chainId={chainId}
          address={token}
          facts={facts}
          price={price.data?.price_usd}
          isLowLiquidity={price.data?.lowLiquidity ?? false}
          isPending={price.status === 'pending'}
        />
        {problem && <ProblemNotice problem={problem} isFloating={Boolean(facts)} onRetry={retry} />}
        <OffsetChanges changes={price.data?.changes} />
        <PriceSection tick={price.data} />
        <TokenFacts facts={facts} isPending={info.status === 'pending'} />
      </section>
      <PricingSection facts={facts} />
      {token !== 'native' && <HoldersSection chainId={chainId} address={token} facts={facts} />}
      <p className="visually-hidden" role="status">
        {info.status === 'pending' && 'Loading the token.'}
        {problem?.title}
      </p>
    </>
  )
}
