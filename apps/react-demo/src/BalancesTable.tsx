import type { Balance } from '@headwater/core'
import { amountText, contractText, nameText, symbolText, usdText } from '@headwater/demo-kit'
import { TableHead } from './TableHead.tsx'

export function BalancesTable({ balances }: { balances: readonly Balance[] }) {
  return (
    <table role="table" aria-labelledby="wallet-title" data-testid="balances-table">
      <TableHead />
      <tbody role="rowgroup">
        {balances.map((balance) => (
          <BalanceRow key={`${balance.chain_id}/${balance.address}`} balance={balance} />
        ))}
      </tbody>
    </table>
  )
}

function BalanceRow({ balance }: { balance: Balance }) {
  const { chain_id: chainId, chain = `Chain ${chainId}`, address } = balance
  return (
    <tr
      role="row"
      data-testid="balance-row"
      data-chain-id={chainId}
      data-address={address}
      data-amount={balance.amount}
    >
      <td role="cell" className="token">
        <span className="headline">
          <span className="untrusted">{symbolText(balance)}</span>
          {balance.low_liquidity && (
            <span className="badge" title="The pool behind the price holds less than 10,000 USD.">
              low liquidity
            </span>
          )}
        </span>
        <span className="origin">
          <span className="untrusted">{nameText(balance)}</span>
          {address !== 'native' && (
            <span className="contract" title={address}>
              {contractText(address)}
            </span>
          )}
        </span>
      </td>
      <td role="cell" className="chain">
        {chain}
      </td>
      <td role="cell" className="amount number" data-testid="balance-amount">
        {amountText(balance)}
      </td>
      <td role="cell" className="price number" data-testid="balance-price">
        {usdText(balance.price_usd)}
      </td>
      <td role="cell" className="value number" data-testid="balance-value">
        {usdText(balance.value_usd)}
      </td>
    </tr>
  )
}
