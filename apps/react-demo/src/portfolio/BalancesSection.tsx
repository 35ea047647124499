import { useDeferredValue, useMemo, useState } from 'react'
import type { Balance, BalancesSnapshot } from '@headwater/core'
import { arrangeBalances, type BalanceOrder, settings$, sortBy } from '@headwater/demo-kit'
import { useValue } from '../hooks/useValue.ts'
import { EndOfList } from '../shell/EndOfList.tsx'
import { BalancesTable } from './BalancesTable.tsx'
import { BalancesToolbar } from './BalancesToolbar.tsx'

interface BalancesSectionProps {
  balances: BalancesSnapshot
  rows: readonly Balance[]
  /** What the listing lacks. */
  note: string
}

const byValue: BalanceOrder = { column: 'value', isDescending: true }

/** The balances of a wallet, with search, filters and sorting. */
export function BalancesSection({ balances, rows, note }: BalancesSectionProps) {
  const { hidesSmall, hidesSpam } = useValue(settings$)
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState(byValue)
  // Deferred, so that typing stays responsive with thousands of rows.
  const searched = useDeferredValue(search)
  const arrangement = useMemo(
    () => ({ search: searched, ...order, hidesSmall, hidesSpam }),
    [searched, order, hidesSmall, hidesSpam],
  )
  const shown = useMemo(() => arrangeBalances(rows, arrangement), [rows, arrangement])

  return (
    <>
      <BalancesToolbar
        search={search}
        onSearch={setSearch}
        shown={shown.length}
        all={rows.length}
      />
      <BalancesTable
        rows={shown}
        isComplete={!balances.hasNextPage}
        arrangement={arrangement}
        onSort={(column) => setOrder(sortBy(arrangement, column))}
      />
      {shown.length === 0 && (
        <p className="empty">No token matches. Clear the search or the filters.</p>
      )}
      <EndOfList count={rows.length} list={balances} />
      {note && <p className="note">{note}</p>}
    </>
  )
}
