import { onlineManager } from '@tanstack/query-core'
import { BehaviorSubject } from 'rxjs'

/** Whether the browser has a network, and the client polls. */
export const isOnline$ = new BehaviorSubject(isOnline())

const update = () => isOnline$.next(isOnline())
onlineManager.subscribe(update)
// The manager starts online, also in a page that is opened offline.
globalThis.addEventListener?.('online', update)

function isOnline(): boolean {
  return onlineManager.isOnline() && (globalThis.navigator?.onLine ?? true)
}
