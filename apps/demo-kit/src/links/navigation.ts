import { BehaviorSubject } from 'rxjs'
import type { Link } from './Link.ts'
import { readLink } from './readLink.ts'
import { writeLink } from './writeLink.ts'

const read = () => readLink(globalThis.location?.search ?? '')

/** Where the reader is, and every place they go to, by link or by the browser's buttons. */
export const link$ = new BehaviorSubject(read())
const first = link$.value

globalThis.addEventListener?.('popstate', () => link$.next(read()))

/** The address of a place as seen from here: what is not said of it stays as it is. */
export function hrefOf(change: Partial<Link>): string {
  return writeLink({ ...link$.value, ...change }, location.search)
}

/** Goes to another place in this page, so that the back button leads here again. */
export function openLink(change: Partial<Link>): void {
  const from = link$.value
  const link = { ...from, ...change }
  const href = hrefOf(link)
  if (href !== location.search) {
    history.pushState(null, '', href)
  }
  if (link.screen !== from.screen) {
    scrollTo(0, 0)
  }
  link$.next(link)
}

/** Whether a click on a link is to be answered in this page: not where a new tab or window is asked for. */
export function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !(metaKey || ctrlKey || shiftKey || altKey)
}

/** To be called with a screen's heading when it appears: takes the focus there, unless the page has just been loaded. */
export function focusScreen(heading: HTMLElement | null): void {
  if (link$.value !== first) {
    heading?.focus({ preventScroll: true })
  }
}
