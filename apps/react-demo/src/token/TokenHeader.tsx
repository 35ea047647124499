import type { Token } from '@headwater/core'
import { chainText, focusScreen, shownText, symbolText } from '@headwater/demo-kit'
import { useFormats } from '../hooks/useFormats.ts'
import { LivePrice } from '../portfolio/LivePrice.tsx'
import { TokenLogo } from '../shell/TokenLogo.tsx'

interface TokenHeaderProps {
  chainId: number
  address: string
  facts: Token | undefined
  price: number | undefined
  isLowLiquidity: boolean
  isPending: boolean
}

/** Name and price of a token. */
export function TokenHeader(props: TokenHeaderProps) {
  const { chainId, address, facts, price, isLowLiquidity, isPending } = props
  const formats = useFormats()
  const symbol = symbolText({ ...facts, address })
  return (
    <header className="token-header">
      <TokenLogo
        key={String(facts?.logo !== undefined)}
        chainId={chainId}
        address={address}
        symbol={symbol}
        hasLogo={facts?.logo !== undefined}
      />
      <div className="names">
        <h1 id="token" ref={focusScreen} tabIndex={-1} data-testid="token-title">
          <span className="untrusted">{symbol}</span>
        </h1>
        <p className="origin">
          <span className="untrusted">{shownText(facts?.name)}</span>
          <span className="untrusted">{chainText({ chain_id: chainId, ...facts })}</span>
        </p>
        <p className="contract">{address === 'native' ? 'native asset' : address}</p>
      </div>
      <p className="total">
        <span className="visually-hidden">Price: </span>
        {isPending ? (
          <span className="bone" />
        ) : (
          <span data-testid="token-price">
            <LivePrice price={price} formats={formats} />
          </span>
        )}
        {isLowLiquidity && (
          <span className="badge" data-testid="low-liquidity">
            low liquidity
          </span>
        )}
      </p>
    </header>
  )
}
