import { memo, type Ref } from 'react'
import { type Balance, getPriceChange } from '@headwater/core'
import {
  chainText,
  contractText,
  directionOf,
  type Formats,
  shownText,
  symbolText,
} from '@headwater/demo-kit'
import { ScreenLink } from '../shell/ScreenLink.tsx'
import { TokenLogo } from '../shell/TokenLogo.tsx'
import { LivePrice } from './LivePrice.tsx'
import { Sparkline } from './Sparkline.tsx'

interface BalanceRowProps {
  balance: Balance
  index: number
  formats: Formats
  measure: Ref<HTMLDivElement>
}

/** Memoized: a balance keeps its object identity while it is unchanged. */
export const BalanceRow = memo(function BalanceRow({
  balance,
  index,
  formats,
  measure,
}: BalanceRowProps) {
  const { chain_id: chainId, address } = balance
  const symbol = symbolText(balance)
  const change = getPriceChange(balance, 24)
  return (
    <div
      ref={measure}
      role="row"
      className="balance"
      aria-rowindex={index + 2}
      data-index={index}
      data-testid="balance-row"
      data-chain-id={chainId}
      data-address={address}
      data-amount={balance.amount}
    >
      <div role="cell" className="token">
        <TokenLogo
          chainId={chainId}
          address={address}
          symbol={symbol}
          hasLogo={balance.token_metadata?.logo !== undefined}
        />
        <div className="names">
          <span className="headline">
            <ScreenLink
              to={{ screen: 'token', chainId, token: address }}
              className="untrusted"
              data-testid="token-link"
            >
              {symbol}
            </ScreenLink>
            {balance.low_liquidity && (
              <span
                className="badge"
                data-testid="low-liquidity"
                title="Less than 10,000 USD of liquidity: the price is unreliable, and the total excludes this token."
              >
                low liquidity
              </span>
            )}
          </span>
          <span className="origin">
            <span className="untrusted">{shownText(balance.name)}</span>
            <span className="untrusted">{chainText(balance)}</span>
            {address !== 'native' && (
              <span className="contract" title={address}>
                {contractText(address)}
              </span>
            )}
          </span>
        </div>
      </div>
      <div role="cell" className="trend">
        <Sparkline item={balance} />
      </div>
      <div role="cell" className="price" data-testid="balance-price">
        <LivePrice price={balance.price_usd} formats={formats} />
      </div>
      <div
        role="cell"
        className="change"
        data-testid="balance-change"
        data-direction={directionOf(0, change)}
      >
        {formats.change(change)}
      </div>
      <div role="cell" className="amount" data-testid="balance-amount">
        {formats.amount(balance.amount, balance.decimals)}
      </div>
      <div role="cell" className="value" data-testid="balance-value">
        {formats.usd(balance.value_usd)}
      </div>
    </div>
  )
})
