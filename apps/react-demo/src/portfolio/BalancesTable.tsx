import { useCallback } from 'react'
import type { Balance } from '@headwater/core'
import type { Arrangement, BalanceColumn } from '@headwater/demo-kit'
import { useFormats } from '../hooks/useFormats.ts'
import { useMedia } from '../hooks/useMedia.ts'
import { useVirtualRows } from '../hooks/useVirtualRows.ts'
import { BalanceRow } from './BalanceRow.tsx'
import { BalancesHead } from './BalancesHead.tsx'

interface BalancesTableProps {
  rows: readonly Balance[]
  /** Whether the list is complete. */
  isComplete: boolean
  arrangement: Arrangement
  onSort: (column: BalanceColumn) => void
}

/** A virtualized table: only the visible rows and some around them are rendered. */
export function BalancesTable({ rows, isComplete, arrangement, onSort }: BalancesTableProps) {
  const formats = useFormats()
  const isNarrow = useMedia('(max-width: 44rem)')
  const keyOf = useCallback(
    (index: number) => `${rows[index]!.chain_id}/${rows[index]!.address}`,
    [rows],
  )
  const {
    body,
    rows: shown,
    style,
    measure,
  } = useVirtualRows(rows.length, isNarrow ? 123 : 60, keyOf)

  return (
    <div
      role="table"
      className="table"
      aria-labelledby="wallet"
      aria-rowcount={isComplete ? rows.length + 1 : -1}
      data-testid="balances-table"
    >
      <BalancesHead arrangement={arrangement} onSort={onSort} />
      <div role="rowgroup" ref={body} style={style}>
        {shown.map(({ index, key }) => (
          <BalanceRow
            key={key}
            balance={rows[index]!}
            index={index}
            formats={formats}
            measure={measure}
          />
        ))}
      </div>
    </div>
  )
}
