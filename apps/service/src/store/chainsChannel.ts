/** The channel of notifications about changes of the chains (see migration 0010Roles). */
export const chainsChannel = 'headwater_chains'
