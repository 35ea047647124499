import { broadcastClient, type Client } from '@headwater/core'
import {
  persistQueryClientRestore,
  persistQueryClientSubscribe,
} from '@tanstack/query-persist-client-core'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'

// #region persist
/** Shows the amounts of the last visit until the first responses. Await it before anything is rendered. */
export async function persistClient({ queryClient }: Client) {
  const persister = createSyncStoragePersister({ storage: localStorage })
  const { queries, ...others } = queryClient.getDefaultOptions()
  // Longer than TanStack's 5 minutes. A new `buster` discards what another version of the app persisted.
  queryClient.setDefaultOptions({ ...others, queries: { ...queries, gcTime: 24 * 3_600_000 } })
  const options = { queryClient, persister, buster: '1' }
  await persistQueryClientRestore(options)
  return persistQueryClientSubscribe(options)
}
// #endregion persist

// #region tabs
/** One tab polls for all tabs of the app. Call it where the client is created. */
export const shareAcrossTabs = (client: Client) => broadcastClient(client)
// #endregion tabs
