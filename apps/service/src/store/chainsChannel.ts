/** What the database notifies of when chains have changed (see migration 0010Roles). */
export const chainsChannel = 'headwater_chains'
