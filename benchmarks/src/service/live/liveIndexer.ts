// Commits blocks on demand in a process of its own, as in the separate roles.
import { openStore } from '../../../../apps/service/src/store/openStore.ts'
import type { StoreLocation } from '../../../../apps/service/src/store/Store.ts'
import { moveOnMessage } from './moveOnMessage.ts'

process.once('message', ({ location }: { location: StoreLocation }) => {
  void openStore(location).then((store) => {
    moveOnMessage(store)
    process.send?.('ready')
  })
})
