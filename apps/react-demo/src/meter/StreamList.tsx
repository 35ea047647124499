import { skipToken } from '@headwater/core'
import { chartHours, describeStreams, intervals, type Link } from '@headwater/demo-kit'
import { useClient, usePrice } from '@headwater/react'

/** The streams of the screen: source and cost of each. */
export function StreamList({ link }: { link: Link }) {
  // The same stream as on the token screen, which costs no additional requests.
  const { data: tick } = usePrice(
    link.screen === 'token' ? { chainId: link.chainId, address: link.token } : skipToken,
    { refetchInterval: intervals.price, historicalPrices: chartHours },
  )
  return (
    <ul className="lines">
      {describeStreams(link, useClient(), tick?.source).map(({ shows, source, costs }) => (
        <li key={shows} data-testid="meter-stream">
          <span>{shows}</span>
          <span className="muted">
            {source}, {costs}
          </span>
        </li>
      ))}
    </ul>
  )
}
