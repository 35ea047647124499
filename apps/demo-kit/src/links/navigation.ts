import { BehaviorSubject } from 'rxjs'
import type { Link } from './Link.ts'
import { readLink } from './readLink.ts'
import { writeLink } from './writeLink.ts'

const read = () => readLink(globalThis.location?.search ?? '')

/** The current link, updated by `openLink` and by the browser's back and forward buttons. */
export const link$ = new BehaviorSubject(read())
const first = link$.value

globalThis.addEventListener?.('popstate', () => link$.next(read()))

/** The URL of the current link with some fields changed. */
export function hrefOf(change: Partial<Link>): string {
  return writeLink({ ...link$.value, ...change }, location.search)
}

/** Navigates without a page load, and adds a history entry. */
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

/** Whether a click navigates in this page, and not in a new tab or window. */
export function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !(metaKey || ctrlKey || shiftKey || altKey)
}

/** The screen whose heading had the focus last, or the first one after a page load, whose heading does not get it. */
let focused = toKey(first)

function toKey({ screen, address, chainId, token, tokenId }: Link): string {
  return [screen, address, chainId, token, tokenId].join('/')
}

/**
 * Focuses the heading of a screen when it appears, except on the first screen after a page load. A screen that appears again, as
 * with the client of another connection, leaves the focus on the element that has it.
 */
export function focusScreen(heading: HTMLElement | null): void {
  const isNew = toKey(link$.value) !== focused
  const isLost = link$.value !== first && document.activeElement === document.body
  if (heading && (isNew || isLost)) {
    focused = toKey(link$.value)
    heading.focus({ preventScroll: true })
  }
}
