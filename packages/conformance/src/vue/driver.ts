import { createApp, createSSRApp, nextTick } from 'vue'
import type { Driver, MountedPage, Page } from '../Driver.ts'
import { createVuePage } from './createVuePage.ts'
import { serverEntry } from './server.ts?server'

/** Mounts a page. */
function show(target: HTMLElement, page: Page, create: typeof createApp): MountedPage {
  const { app, views } = createVuePage(create, page)
  app.mount(target)
  return {
    update: (next) => void (views.value = next.views),
    unmount: () => app.unmount(),
  }
}

export const driver: Driver = {
  mount: (target, page) => show(target, page, createApp),
  mountTwice(target, page) {
    show(target, page, createApp).unmount()
    return show(target, page, createApp)
  },
  hydrate: (target, page) => show(target, page, createSSRApp),
  flush: nextTick,
  serverEntry,
}
