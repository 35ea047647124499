import { QueryClient } from '@tanstack/query-core'
import { type Client, type ClientOptions, createClient } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import { createFakeTime } from './createFakeTime.ts'
import type { Driver, MountedPage, Page } from './Driver.ts'
import { setOnline, setVisible } from './pageState.ts'
import { recordErrors } from './recordErrors.ts'
import type { Shown, Stage } from './Stage.ts'
import { trackReading } from './trackReading.ts'
import type { View } from './View.ts'

/** A stage that can be closed. */
export interface OpenStage extends Stage {
  /**
   * Unmounts everything and destroys all clients.
   *
   * @throws {Error} when the framework reported an error, or a timer is pending.
   */
  readonly close: () => Promise<void>
}

/** The text and value of one render. */
interface Rendering {
  readonly text: string
  readonly value: unknown
}

/** Creates the stage of one scenario. */
export function createStage(driver: Driver): OpenStage {
  const recorder = recordErrors()
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
    begin: (target: HTMLElement, page: Page) => MountedPage,
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
    let mounted: MountedPage
    try {
      mounted = begin(target, pageOf(views))
    } catch (error) {
      target.remove()
      // Frameworks also log errors that they throw.
      recorder.clear()
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
    serverEntry: driver.serverEntry,
    createServerClient: createWith(driver.serverEntry.createClient, true),
    mount: (client, ...views) => show(driver.mount, client, '', views),
    mountTwice: (client, ...views) => show(driver.mountTwice, client, '', views),
    hydrate: (html, client, ...views) => show(driver.hydrate, client, html, views),
    renderToString: (client, ...views) => driver.serverEntry.renderToString({ client, views }),
    setVisible,
    setOnline,
    async close() {
      // While components are mounted, so that their listeners receive the events.
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
      const errors = [...recorder.stop(), ...timers.map((timer) => `pending: ${timer}`)]
      if (errors.length > 0) {
        throw new Error(errors.join('\n'))
      }
    },
  }
}

/** A view that records its renders. */
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
