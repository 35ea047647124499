import { onlineManager } from '@tanstack/query-core'
import { BehaviorSubject } from 'rxjs'

/** Whether the browser has a network, as seen by the client's polling. */
export const isOnline$ = new BehaviorSubject(onlineManager.isOnline())
onlineManager.subscribe((isOnline) => isOnline$.next(isOnline))
