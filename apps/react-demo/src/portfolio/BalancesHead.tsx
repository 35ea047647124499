import type { Arrangement, BalanceColumn } from '@headwater/demo-kit'

interface BalancesHeadProps {
  arrangement?: Arrangement
  onSort?: (column: BalanceColumn) => void
}

const columns: readonly { name: string; label: string; sortsBy?: BalanceColumn }[] = [
  { name: 'token', label: 'Token', sortsBy: 'token' },
  { name: 'trend', label: '7 days' },
  { name: 'price', label: 'Price', sortsBy: 'price' },
  { name: 'change', label: '24 h', sortsBy: 'change' },
  { name: 'amount', label: 'Amount' },
  { name: 'value', label: 'Value', sortsBy: 'value' },
]

export function BalancesHead({ arrangement, onSort }: BalancesHeadProps) {
  function orderOf(column: BalanceColumn | undefined) {
    if (!column) {
      return undefined
    }
    if (arrangement?.column !== column) {
      return 'none'
    }
    return arrangement.isDescending ? 'descending' : 'ascending'
  }

  return (
    <div role="rowgroup">
      <div role="row" className="balance head" aria-rowindex={1}>
        {columns.map(({ name, label, sortsBy }) => (
          <div key={name} role="columnheader" className={name} aria-sort={orderOf(sortsBy)}>
            {sortsBy ? (
              <button
                type="button"
                data-testid="balances-sort"
                data-column={sortsBy}
                onClick={() => onSort?.(sortsBy)}
              >
                {label}
              </button>
            ) : (
              label
            )}
          </div>
        ))}
      </div>
    </div>
  )
}
