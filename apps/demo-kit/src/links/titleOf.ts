import type { Screen } from './Link.ts'

const names: Record<Screen, string> = {
  portfolio: 'Portfolio',
  token: 'Token',
  collectibles: 'Collectibles',
  collectible: 'Collectible',
}

/** The document title. */
export function titleOf(screen: Screen): string {
  return `${names[screen]} · Headwater wallet`
}
