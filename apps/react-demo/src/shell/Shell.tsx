import { type ReactNode, useEffect, useState } from 'react'
import { type Config, link$, titleOf } from '@headwater/demo-kit'
import { CollectibleScreen } from '../collectibles/CollectibleScreen.tsx'
import { CollectiblesScreen } from '../collectibles/CollectiblesScreen.tsx'
import { useValue } from '../hooks/useValue.ts'
import { Meter } from '../meter/Meter.tsx'
import { PortfolioScreen } from '../portfolio/PortfolioScreen.tsx'
import { TokenScreen } from '../token/TokenScreen.tsx'
import { Masthead } from './Masthead.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { WalletPicker } from './WalletPicker.tsx'

interface ShellProps {
  config: Config
  /** Footer of every screen. */
  children: ReactNode
}

/** The frame of every screen and the screen that the URL selects. */
export function Shell({ config, children }: ShellProps) {
  const linked = useValue(link$)
  const link = { ...linked, address: linked.address || (config.wallets[0]?.address ?? '') }
  const { screen, chainId, token, tokenId, address } = link
  const [isMeterOpen, setMeterOpen] = useState(false)
  useEffect(() => {
    document.title = titleOf(screen)
  }, [screen])

  return (
    <div className="page" data-meter={isMeterOpen}>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Masthead
        screen={screen}
        isMeterOpen={isMeterOpen}
        onToggleMeter={() => setMeterOpen(!isMeterOpen)}
      />
      {isMeterOpen && <Meter link={link} />}
      <main className="content" id="content" tabIndex={-1}>
        {(screen === 'portfolio' || screen === 'collectibles') && (
          <WalletPicker config={config} link={link} />
        )}
        {screen === 'portfolio' && <PortfolioScreen key={address} link={link} />}
        {screen === 'token' && <TokenScreen key={`${chainId}/${token}`} link={link} />}
        {screen === 'collectibles' && <CollectiblesScreen key={address} link={link} />}
        {screen === 'collectible' && (
          <CollectibleScreen key={`${chainId}/${token}/${tokenId}`} link={link} />
        )}
      </main>
      <footer className="foot">{children}</footer>
      <OfflineBanner />
    </div>
  )
}
