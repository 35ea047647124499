import { BalancesHead } from './BalancesHead.tsx'

const rows = Array.from({ length: 12 }, (_, row) => row)
const columns = ['token', 'trend', 'price', 'change', 'amount', 'value']

/** Placeholder of toolbar and table in their final size, which prevents layout shifts. */
export function BalancesSkeleton() {
  return (
    <div className="table" data-testid="state-loading" aria-hidden="true" inert>
      <div className="toolbar">
        <input type="search" placeholder="Search tokens" disabled />
        <label className="check">
          <input type="checkbox" disabled /> Hide small
        </label>
        <label className="check">
          <input type="checkbox" disabled /> Hide spam
        </label>
        <span className="count" />
      </div>
      <BalancesHead />
      {rows.map((row) => (
        <div key={row} className="balance">
          {columns.map((column) => (
            <div key={column} className={column}>
              <span className="bone" />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
