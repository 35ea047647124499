import { sql } from 'kysely'

/**
 * How the rows of balances contain a token of which the amounts are read from the chain, for queries of `tokens`. The transfers of
 * an ERC20 token with indexed amounts have the shape of those of ERC721.
 */
export const ledgerToken = sql<number>`
  case when tokens.events & 3 = 2 then -tokens.id else tokens.id end`
