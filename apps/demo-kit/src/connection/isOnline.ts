import { onlineManager } from '@tanstack/query-core'
import { BehaviorSubject } from 'rxjs'

/** Whether the browser has a network, as the client's polling sees it. */
export const isOnline$ = new BehaviorSubject(onlineManager.isOnline())
onlineManager.subscribe((isOnline) => isOnline$.next(isOnline))
