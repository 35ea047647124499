import { chartHours, describeStreams, intervals, type Link } from '@headwater/demo-kit'
import { useClient, usePrice } from '@headwater/react'

/** What each part of the screen lives on. */
export function StreamList({ link }: { link: Link }) {
  const isToken = link.screen === 'token'
  // The very stream of the token screen: to look at it costs nothing.
  const { data: tick } = usePrice(
    { chainId: link.chainId, address: link.token },
    { enabled: isToken, refetchInterval: intervals.price, historicalPrices: chartHours },
  )
  return (
    <ul className="lines">
      {describeStreams(link, useClient(), tick?.source).map(({ shows, answeredBy, costs }) => (
        <li key={shows} data-testid="meter-stream">
          <span>{shows}</span>
          <span className="muted">
            answered by {answeredBy}, {costs}
          </span>
        </li>
      ))}
    </ul>
  )
}
