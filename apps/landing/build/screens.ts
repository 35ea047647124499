/** What is shown of the demos: the same file of each, by its path without the ending. */
export const screens = [
  { id: 'portfolio', title: 'Portfolio', file: 'portfolio/PortfolioScreen' },
  { id: 'balances', title: 'Balances table', file: 'portfolio/BalancesTable' },
  { id: 'token', title: 'Token', file: 'token/TokenScreen' },
  { id: 'holders', title: 'Holders', file: 'token/HoldersSection' },
  { id: 'collectibles', title: 'Collectibles', file: 'collectibles/CollectiblesScreen' },
  { id: 'meter', title: 'Meter', file: 'meter/Meter' },
] as const

/** The frameworks, and how a file of theirs ends. */
export const frameworks = [
  { id: 'react', title: 'React', ending: 'tsx' },
  { id: 'vue', title: 'Vue', ending: 'vue' },
  { id: 'svelte', title: 'Svelte', ending: 'svelte' },
] as const
