import { createClient, type Client, type ClientOptions } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import { QueryClient } from '@tanstack/query-core'
import { install } from '@sinonjs/fake-timers'

import type { Driver, Mounted, Page } from './Driver.ts'
import type { Shown, Stage } from './Stage.ts'
import type { View } from './View.ts'

/** The stage of a scenario, and what ends it. */
export interface OpenStage extends Stage {
  /**
   * Unmounts everything and destroys all clients.
   *
   * @throws Error when the framework complained about something, or when something goes on.
   */
  readonly close: () => Promise<void>
}

/** Sets a stage for one scenario. */
export function createStage(driver: Driver): OpenStage {
  // Frameworks keep their own way of scheduling; what is due later is ours.
  const clock = install({
    now: Date.UTC(2026, 0, 1),
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  })
  const complaints = listenForComplaints()
  const service = createFakeService()
  const clients: Client[] = []
  const queryClients: QueryClient[] = []
  const pages = new Set<() => void>()

  const createWith =
    (create: typeof createClient, ssr: boolean) => (options?: Partial<ClientOptions>) => {
      const client = create({
        baseUrl: service.url,
        apiKey: service.key,
        fetch: service.fetch,
        ssr,
        ...options,
      })
      clients.push(client)
      return client
    }

  const pass = async (milliseconds: number) => {
    await clock.tickAsync(milliseconds)
    // What was shown may begin something, whose answer is to be shown as well.
    for (let round = 0; round < 3; round++) {
      await driver.flush()
      await clock.tickAsync(0)
    }
    await driver.flush()
  }

  const showWith =
    (begin: (target: HTMLElement, page: Page) => Mounted) =>
    async (client: Client | undefined, html: string, views: readonly (View | null)[]) => {
      const target = document.createElement('main')
      target.innerHTML = html
      document.body.append(target)
      const records: { text: string; value: unknown }[][] = []
      const pageOf = (views: readonly (View | null)[]): Page => ({
        ...(client && { client }),
        views: views.map((view, place) => view && recording(view, (records[place] ??= []))),
      })
      let mounted: Mounted
      try {
        mounted = begin(target, pageOf(views))
      } catch (error) {
        // What a framework says beside an error that it throws.
        complaints.forget()
        throw error
      }
      const unmount = () => {
        if (!pages.delete(unmount)) return
        mounted.unmount()
        target.remove()
      }
      pages.add(unmount)
      await pass(0)
      const shown: Shown = {
        text: (place = 0) =>
          target.querySelector(`[data-view="${place}"]`)?.textContent ?? undefined,
        rendered: (place = 0) => records[place]?.map(({ text }) => text) ?? [],
        value: (_stream, place = 0) => records[place]?.at(-1)?.value as never,
        async update(...next) {
          mounted.update(pageOf(next))
          await pass(0)
        },
        async unmount() {
          unmount()
          await pass(0)
        },
      }
      return shown
    }

  const mount = showWith(driver.mount)
  const mountTwice = showWith(driver.mountTwice)
  const hydrate = showWith(driver.hydrate)

  return {
    service,
    pass,
    createClient: createWith(createClient, false),
    createQueryClient() {
      const queryClient = new QueryClient()
      queryClients.push(queryClient)
      return queryClient
    },
    server: driver.server,
    createServerClient: createWith(driver.server.createClient, true),
    mount: (client, ...views) => mount(client, '', views),
    mountTwice: (client, ...views) => mountTwice(client, '', views),
    hydrate: (html, client, ...views) => hydrate(client, html, views),
    renderToString: (client, ...views) => driver.server.renderToString({ client, views }),
    setVisible,
    setOnline,
    async close() {
      // Only who is still listened to hears of it.
      setVisible(true)
      setOnline(true)
      for (const unmount of pages) unmount()
      await pass(1000)
      for (const client of clients) client.destroy()
      for (const queryClient of queryClients) queryClient.clear()
      await pass(0)
      const timers = Object.values((clock as { timers?: Record<string, Timer> }).timers ?? {})
      clock.uninstall()
      const heard = complaints.stop()
      if (heard.length > 0) throw new Error(`There were complaints:\n${heard.join('\n')}`)
      if (timers.length > 0) {
        throw new Error(`Timers are left behind:\n${timers.map(describeTimer).join('\n')}`)
      }
    },
  }
}

/** A view that puts down what it writes. */
function recording(view: View, record: { text: string; value: unknown }[]): View {
  return {
    ...view,
    write: (value) => {
      const text = view.write(value)
      record.push({ text, value })
      return text
    },
  }
}

/** Keeps what is said on the console, where frameworks tell of what they can mend but nobody should do. */
function listenForComplaints(): { forget: () => void; stop: () => string[] } {
  const heard: string[] = []
  const { error, warn } = console
  console.error = console.warn = (...words: unknown[]) =>
    heard.push(words.map((word) => (word instanceof Error ? word.stack : String(word))).join(' '))
  return {
    forget: () => void heard.splice(0),
    stop() {
      Object.assign(console, { error, warn })
      return heard
    },
  }
}

function setVisible(isVisible: boolean): void {
  const visibilityState = isVisible ? 'visible' : 'hidden'
  if (document.visibilityState === visibilityState) return
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibilityState })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}

function setOnline(isOnline: boolean): void {
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
}

interface Timer {
  readonly delay?: number
  readonly error?: Error
}

const describeTimer = ({ delay, error }: Timer) => `of ${delay} ms, set ${error?.stack}`
