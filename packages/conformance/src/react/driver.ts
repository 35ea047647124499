import { createElement, type ReactElement, StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot, type Root, type RootOptions } from 'react-dom/client'
import type { Driver, MountedPage, Page } from '../Driver.ts'
import { ReactPage } from './ReactPage.ts'
import { serverEntry } from './server.ts?server'

const plain = (page: Page): ReactElement => createElement(ReactPage, { page })
const strict = (page: Page): ReactElement => createElement(StrictMode, null, plain(page))

/** Mounts a page. */
function show(
  page: Page,
  wrap: (page: Page) => ReactElement,
  begin: (content: ReactElement, options: RootOptions) => Root,
): MountedPage {
  // Errors during mounting are thrown; later ones are logged, so that the scenario fails.
  const thrown: unknown[] = []
  let onError = (error: unknown): void => {
    thrown.push(error)
  }
  const root = begin(wrap(page), {
    onUncaughtError: (error) => onError(error),
    onRecoverableError: (error) => console.error(error),
  })
  if (thrown.length > 0) {
    throw thrown[0]
  }
  onError = (error) => console.error(error)
  return {
    update: (next) => flushSync(() => root.render(wrap(next))),
    unmount: () => flushSync(() => root.unmount()),
  }
}

const mountIn =
  (target: HTMLElement) =>
  (content: ReactElement, options: RootOptions): Root => {
    const root = createRoot(target, options)
    flushSync(() => root.render(content))
    return root
  }

export const driver: Driver = {
  mount: (target, page) => show(page, plain, mountIn(target)),
  mountTwice: (target, page) => show(page, strict, mountIn(target)),
  hydrate: (target, page) =>
    show(page, plain, (content, options) => hydrateRoot(target, content, options)),
  // The clock of the stage waits for turns of the event loop, which is when React's scheduler renders.
  flush: async () => {},
  serverEntry,
}
