import { setTimeout } from 'node:timers/promises'
import type { Demo } from './Demo.ts'

/** How long the page may take for each part of its description. */
const partTimeoutMs = 5_000

/** The state of a page whose test failed: what it shows, and whether it responds, renders frames and waits for responses. */
export async function describePage(demo: Demo): Promise<string> {
  const [content, frame] = await Promise.all([
    inTime(demo.page.evaluate(readContent)),
    inTime(demo.page.evaluate(nextFrame)),
  ])
  const requests = [...demo.pendingRequests].map((request) => request.url())
  return [
    `page ${demo.page.url()}`,
    ...(content ?? ['does not respond: its main thread is busy, or it crashed']),
    ...(frame ? [] : [`rendered no frame within ${partTimeoutMs} ms`]),
    ...demo.pageErrors.map((error) => `error: ${error}`),
    ...requests.map((url) => `pending request: ${url}`),
  ].join('\n  ')
}

/** The result, or undefined if it fails or takes too long. Evaluations have no timeout of their own. */
async function inTime<T>(result: Promise<T>): Promise<T | undefined> {
  return Promise.race([result.catch(() => undefined), setTimeout(partTimeoutMs, undefined)])
}

/** Runs in the page. */
function readContent(): string[] {
  const textOf = (element: HTMLElement) =>
    `${element.dataset.testid}: ${element.innerText.replaceAll(/\s+/g, ' ').slice(0, 200)}`
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
  const tables = all('[aria-rowcount]').map((table) => {
    const rows = [...table.querySelectorAll('[aria-rowindex]')]
    const last = rows.at(-1)?.getAttribute('aria-rowindex')
    return `${table.dataset.testid}: ${rows.length} rendered rows up to row ${last} of ${table.getAttribute('aria-rowcount')}`
  })
  return [
    `${document.visibilityState}, ${navigator.onLine ? 'online' : 'offline'}`,
    `scrolled to ${scrollY} of ${document.documentElement.scrollHeight - innerHeight}`,
    ...tables,
    ...all(
      '[data-testid^=state-], [data-testid$=-end], [data-testid$=-count], [data-testid=updated], [data-testid=offline-banner], [data-testid=meter], [data-testid=devtools-stream]',
    ).map(textOf),
    ...all('.end').map(({ dataset }) => `has more: ${dataset.more}`),
    ...window.layoutShifts.map((shift) => `layout shift: ${shift}`),
  ]
}

/** Runs in the page. Resolves when it renders a frame, also with a fake clock, which replaces `requestAnimationFrame`. */
export function nextFrame(): Promise<boolean> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(() => {
      observer.disconnect()
      resolve(true)
    })
    observer.observe(document.documentElement)
  })
}
