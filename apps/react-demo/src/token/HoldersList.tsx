import { useCallback } from 'react'
import type { Holder, Token } from '@headwater/core'
import { useFormats } from '../hooks/useFormats.ts'
import { useMedia } from '../hooks/useMedia.ts'
import { useVirtualRows } from '../hooks/useVirtualRows.ts'
import { HolderRow } from './HolderRow.tsx'

interface HoldersListProps {
  holders: readonly Holder[]
  /** Whether the list is complete. */
  isComplete: boolean
  facts: Token | undefined
}

export function HoldersList({ holders, isComplete, facts }: HoldersListProps) {
  const formats = useFormats()
  const isNarrow = useMedia('(max-width: 44rem)')
  const keyOf = useCallback((index: number) => holders[index]!.wallet_address, [holders])
  const { body, rows, style, measure } = useVirtualRows(holders.length, isNarrow ? 68 : 45, keyOf)

  return (
    <div
      role="table"
      aria-labelledby="holders"
      aria-rowcount={isComplete ? holders.length + 1 : -1}
      data-testid="holders-list"
    >
      <div role="rowgroup">
        <div role="row" className="holder head" aria-rowindex={1}>
          <span role="columnheader" className="rank">
            #
          </span>
          <span role="columnheader" className="wallet">
            Wallet
          </span>
          <span role="columnheader" className="amount">
            Amount
          </span>
          <span role="columnheader" className="share">
            Share
          </span>
          <span role="columnheader" className="since">
            Since
          </span>
        </div>
      </div>
      <div role="rowgroup" ref={body} style={style}>
        {rows.map(({ index, key }) => (
          <HolderRow
            key={key}
            holder={holders[index]!}
            index={index}
            decimals={facts?.decimals}
            supply={facts?.total_supply}
            formats={formats}
            measure={measure}
          />
        ))}
      </div>
    </div>
  )
}
