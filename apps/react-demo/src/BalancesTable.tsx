import type { Balance } from '@headwater/core'
import { amountText, usdText } from '@headwater/demo-kit'
import { TableHead } from './TableHead.tsx'

export function BalancesTable({ balances }: { balances: Balance[] }) {
  return (
    <table data-testid="balances-table">
      <TableHead />
      <tbody>
        {balances.map((balance) => (
          <BalanceRow key={`${balance.chain_id}/${balance.address}`} balance={balance} />
        ))}
      </tbody>
    </table>
  )
}

function BalanceRow({ balance }: { balance: Balance }) {
  const { chain_id: chainId, chain = `Chain ${chainId}`, address, symbol, name } = balance
  return (
    <tr
      data-testid="balance-row"
      data-chain-id={chainId}
      data-address={address}
      data-amount={balance.amount}
    >
      <td className="token">
        <span className="headline">
          <span className="untrusted">{symbol || address}</span>
          {balance.low_liquidity && (
            <span className="badge" title="The pool behind the price holds less than 10,000 USD.">
              low liquidity
            </span>
          )}
        </span>
        <span className="untrusted name">{name}</span>
      </td>
      <td className="chain">{chain}</td>
      <td className="amount number" data-testid="balance-amount">
        {amountText(balance)}
      </td>
      <td className="price number" data-testid="balance-price">
        {usdText(balance.price_usd)}
      </td>
      <td className="value number" data-testid="balance-value">
        {usdText(balance.value_usd)}
      </td>
    </tr>
  )
}
