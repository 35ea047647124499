import { QueryClient } from '@tanstack/query-core'
import { type Client, type ClientOptions, createClient } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import { createFakeTime } from './createFakeTime.ts'
import type { Driver, Mounted, Page } from './Driver.ts'
import { listenForComplaints } from './listenForComplaints.ts'
import { setOnline, setVisible } from './pageState.ts'
import type { Shown, Stage } from './Stage.ts'
import { trackReading } from './trackReading.ts'
import type { View } from './View.ts'

/** The stage of a scenario, and what ends it. */
export interface OpenStage extends Stage {
  /**
   * Unmounts everything and destroys all clients.
   *
   * @throws {Error} when the framework complained about something, or when something goes on.
   */
  readonly close: () => Promise<void>
}

/** What a component wrote, and of what. */
interface Rendering {
  readonly text: string
  readonly value: unknown
}

/** Sets a stage for one scenario. */
export function createStage(driver: Driver): OpenStage {
  const complaints = listenForComplaints()
  const service = createFakeService()
  const { fetch, whenRead } = trackReading(service.fetch)
  const time = createFakeTime(async () => {
    await whenRead()
    await driver.flush()
  })
  const clients: Client[] = []
  const queryClients: QueryClient[] = []
  const pages = new Set<() => void>()

  const createWith =
    (create: typeof createClient, ssr: boolean) =>
    (options?: Partial<ClientOptions>): Client => {
      const { url: baseUrl, key: apiKey } = service
      const client = create({ baseUrl, apiKey, fetch, ssr, ...options })
      clients.push(client)
      return client
    }

  const show = async (
    begin: (target: HTMLElement, page: Page) => Mounted,
    client: Client | undefined,
    html: string,
    views: readonly View[],
  ): Promise<Shown> => {
    const target = document.createElement('main')
    target.innerHTML = html
    document.body.append(target)
    const records: Rendering[][] = []
    const pageOf = (now: readonly (View | null)[]): Page => ({
      ...(client && { client }),
      views: now.map((view, place) => view && recording(view, (records[place] ??= []))),
    })
    let mounted: Mounted
    try {
      mounted = begin(target, pageOf(views))
    } catch (error) {
      target.remove()
      // What a framework says beside an error that it throws.
      complaints.forget()
      throw error
    }
    const unmount = () => {
      if (!pages.delete(unmount)) {
        return
      }
      mounted.unmount()
      target.remove()
    }
    pages.add(unmount)
    await time.pass(0)
    return {
      text: (place = 0) => target.querySelector(`[data-view="${place}"]`)?.textContent ?? undefined,
      rendered: (place = 0) => records[place]?.map(({ text }) => text) ?? [],
      value: (_stream, place = 0) => records[place]?.at(-1)?.value as never,
      async update(...next) {
        mounted.update(pageOf(next))
        await time.pass(0)
      },
      async unmount() {
        unmount()
        await time.pass(0)
      },
    }
  }

  return {
    service,
    pass: time.pass,
    createClient: createWith(createClient, false),
    createQueryClient() {
      const queryClient = new QueryClient()
      queryClients.push(queryClient)
      return queryClient
    },
    server: driver.server,
    createServerClient: createWith(driver.server.createClient, true),
    mount: (client, ...views) => show(driver.mount, client, '', views),
    mountTwice: (client, ...views) => show(driver.mountTwice, client, '', views),
    hydrate: (html, client, ...views) => show(driver.hydrate, client, html, views),
    renderToString: (client, ...views) => driver.server.renderToString({ client, views }),
    setVisible,
    setOnline,
    async close() {
      // Only who is still listened to hears of it.
      setVisible(true)
      setOnline(true)
      for (const unmount of pages) {
        unmount()
      }
      await time.pass(1000)
      for (const client of clients) {
        client.destroy()
      }
      for (const queryClient of queryClients) {
        queryClient.clear()
      }
      await time.pass(0)
      const timers = time.end()
      const heard = complaints.stop()
      const wrong = [...heard, ...timers.map((timer) => `left behind: ${timer}`)]
      if (wrong.length > 0) {
        throw new Error(wrong.join('\n'))
      }
    },
  }
}

/** A view that puts down what it writes. */
function recording(view: View, record: Rendering[]): View {
  return {
    ...view,
    write(value) {
      const text = view.write(value)
      record.push({ text, value })
      return text
    },
  }
}
