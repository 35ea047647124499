/** The channel of notifications about changes of the chains (see migration 0001Initial). */
export const chainsChannel = 'headwater_chains'
