import type { Screen } from '@headwater/demo-kit'
import { MeterToggle } from '../meter/MeterToggle.tsx'
import { LocaleSelect } from './LocaleSelect.tsx'
import { ScreenLink } from './ScreenLink.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

interface MastheadProps {
  screen: Screen
  isMeterOpen: boolean
  onToggleMeter: () => void
}

export function Masthead({ screen, isMeterOpen, onToggleMeter }: MastheadProps) {
  const isPortfolio = screen === 'portfolio' || screen === 'token'
  return (
    <header className="masthead">
      <p className="brand">
        Headwater <span className="framework">React</span>
      </p>
      <nav aria-label="Screens">
        <ScreenLink
          to={{ screen: 'portfolio' }}
          data-testid="nav-portfolio"
          aria-current={isPortfolio ? 'page' : undefined}
        >
          Portfolio
        </ScreenLink>
        <ScreenLink
          to={{ screen: 'collectibles' }}
          data-testid="nav-collectibles"
          aria-current={isPortfolio ? undefined : 'page'}
        >
          Collectibles
        </ScreenLink>
      </nav>
      <div className="tools">
        <LocaleSelect />
        <ThemeToggle />
        <MeterToggle isOpen={isMeterOpen} onToggle={onToggleMeter} />
      </div>
    </header>
  )
}
