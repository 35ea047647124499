/** The demo files that the page shows: paths without the extension, the same in each demo. */
export const screens = [
  { id: 'portfolio', title: 'Portfolio', file: 'portfolio/PortfolioScreen' },
  { id: 'balances', title: 'Balances table', file: 'portfolio/BalancesTable' },
  { id: 'token', title: 'Token', file: 'token/TokenScreen' },
  { id: 'holders', title: 'Holders', file: 'token/HoldersSection' },
  { id: 'collectibles', title: 'Collectibles', file: 'collectibles/CollectiblesScreen' },
  { id: 'meter', title: 'Meter', file: 'meter/Meter' },
] as const
