import { memo, type Ref } from 'react'
import type { Holder } from '@headwater/core'
import { type Formats, shareText } from '@headwater/demo-kit'
import { ScreenLink } from '../shell/ScreenLink.tsx'

interface HolderRowProps {
  holder: Holder
  index: number
  decimals: number | undefined
  supply: string | undefined
  formats: Formats
  measure: Ref<HTMLDivElement>
}

/** Memoized: a holder keeps its object identity while it is unchanged. */
export const HolderRow = memo(function HolderRow(props: HolderRowProps) {
  const { holder, index, decimals, supply, formats, measure } = props
  const { wallet_address: wallet, balance, first_acquired: since } = holder
  return (
    <div
      ref={measure}
      role="row"
      className="holder"
      aria-rowindex={index + 2}
      data-index={index}
      data-testid="holder-row"
      data-rank={index + 1}
      data-address={wallet}
    >
      <span role="cell" className="rank">
        {formats.count(index + 1)}
      </span>
      <span role="cell" className="wallet">
        <ScreenLink to={{ screen: 'portfolio', address: wallet }}>{wallet}</ScreenLink>
      </span>
      <span role="cell" className="amount">
        {formats.amount(balance, decimals)}
      </span>
      <span role="cell" className="share">
        {shareText(balance, supply, formats)}
      </span>
      <span role="cell" className="since">
        {formats.date(since)}
      </span>
    </div>
  )
})
