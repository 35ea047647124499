/** The tables whose rows change, each with where the images of its rows are kept, by key and values beside the chain. */
export const undoTables = [
  {
    images: 'undo_balances',
    table: 'balances',
    key: ['holder', 'token', 'standard'],
    values: ['amount', 'first_in_block', 'initiated_block'],
  },
  {
    images: 'undo_collectible_balances',
    table: 'collectible_balances',
    key: ['holder', 'contract', 'token_id'],
    values: ['amount', 'last_in_block'],
  },
  {
    images: 'undo_pool_positions',
    table: 'pool_positions',
    key: ['pool', 'tick_lower', 'tick_upper'],
    values: ['liquidity'],
  },
] as const
