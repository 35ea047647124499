import { flushSync, hydrate, mount, tick, unmount } from 'svelte'
import type { Driver, MountedPage, Page, ServerEntry } from '../Driver.ts'
import SveltePage from './SveltePage.svelte'

/** The driver of Svelte. With `isRune`, components read `store.current` instead of `$store`. */
export function createSvelteDriver(isRune: boolean, serverEntry: ServerEntry): Driver {
  /** Mounts a page. */
  function show(
    target: HTMLElement,
    page: Page,
    create: typeof mount | typeof hydrate,
  ): MountedPage {
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
    serverEntry,
  }
}
