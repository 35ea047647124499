import { flushSync, hydrate, mount, tick, unmount } from 'svelte'
import type { Driver, Mounted, Page, Server } from '../Driver.ts'
import SveltePage from './SveltePage.svelte'

/** Drives Svelte. `isRune` says how components read: `store.current`, or `$store`. */
export function createSvelteDriver(isRune: boolean, server: Server): Driver {
  /** Shows a page, and whatever it becomes. */
  function show(target: HTMLElement, page: Page, create: typeof mount | typeof hydrate): Mounted {
    const component = create(SveltePage, { target, props: { page, isRune } })
    flushSync()
    return {
      update: (next) => flushSync(() => component.update(next)),
      unmount: () => void unmount(component),
    }
  }

  return {
    mount: (target, page) => show(target, page, mount),
    mountTwice(target, page) {
      show(target, page, mount).unmount()
      return show(target, page, mount)
    },
    hydrate: (target, page) => show(target, page, hydrate),
    flush: tick,
    server,
  }
}
