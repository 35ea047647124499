import { flushSync, hydrate, mount, tick, unmount } from 'svelte'

import type { Driver, Mounted, Page } from '../Driver.ts'
import { server } from './server.ts?server'
import SveltePage from './SveltePage.svelte'

/** Shows a page, and whatever it becomes. */
function show(target: HTMLElement, page: Page, create: typeof mount | typeof hydrate): Mounted {
  const component = create(SveltePage, { target, props: { page } })
  flushSync()
  return {
    update: (next) => flushSync(() => component.update(next)),
    unmount: () => void unmount(component),
  }
}

export const driver: Driver = {
  mount: (target, page) => show(target, page, mount),
  mountTwice(target, page) {
    show(target, page, mount).unmount()
    return show(target, page, mount)
  },
  hydrate: (target, page) => show(target, page, hydrate),
  flush: tick,
  server,
}
