// Listings on an HTTP server that fails after the first page.
import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { operationExamples } from '../../test/operations.ts'
import { sharedServer } from '../../test/sharedServer.ts'
import { respondWith } from '../../test/startServer.ts'
import { type Client } from '../client/Client.ts'

const { server, create } = await sharedServer()
let client: Client
beforeEach(() => {
  client = create()
})

describe.each(operationExamples.filter(({ paginate }) => paginate))(
  'a listing of $name',
  ({ parameters: defaults, createResponse, createItem, malformedItem, ...example }) => {
    const parameters = { ...defaults, limit: undefined, offset: undefined }
    const watch = () => example.watch(client, parameters)
    const items = (...indexes: number[]) => indexes.map(createItem)
    const page = (next: string | undefined, ...entries: object[]) =>
      respondWith({ ...createResponse(...entries), ...(next && { next_offset: next }) })
    type Responder = ReturnType<typeof page>
    /** Responds by cursor. */
    const serve = (pages: Readonly<Record<string, Responder>>) =>
      server.use((request, response: ServerResponse) => {
        const cursor = new URL(request.url ?? '', server.baseUrl).searchParams.get('offset') ?? ''
        pages[cursor]?.(request, response)
      })
    const read = async () => {
      const stream = watch()
      const subscription = stream.subscribe()
      await stream.getSnapshot().fetchAll()
      subscription.unsubscribe()
      return stream.getSnapshot()
    }

    it('ends when an expired cursor returns the first page', async () => {
      const first = page('a', ...items(1, 2))
      serve({ '': first, a: page('expired', ...items(3)), expired: first })
      const snapshot = await read()
      expect(snapshot).toMatchObject({ status: 'success', hasNextPage: false })
      expect(snapshot.data).toHaveLength(3)
      expect(snapshot.warnings).toMatchObject([{ code: 'LISTING_LOOPS' }])
      expect(server.requests).toHaveLength(3)
    })

    it('ends when cursors repeat without new rows', async () => {
      let count = 0
      server.use((request, response) => {
        page(`cursor${++count}`, ...items(1, 2))(request, response)
      })
      expect(await read()).toMatchObject({ hasNextPage: false, data: { length: 2 } })
      expect(server.requests).toHaveLength(2)
    })

    it('keeps its rows when the units are used up, and continues when there are more', async () => {
      const rejection = respondWith({ error: 'No units.' }, { status: 402 })
      serve({ '': page('a', ...items(1)), a: rejection })
      const stream = watch()
      const subscription = stream.subscribe()
      await stream.getSnapshot().fetchAll()
      expect(stream.getSnapshot()).toMatchObject({
        status: 'error',
        error: { status: 402 },
        data: { length: 1 },
        hasNextPage: true,
      })
      serve({ '': page('a', ...items(1)), a: page(undefined, ...items(2)) })
      await stream.getSnapshot().fetchNextPage()
      expect(stream.getSnapshot()).toMatchObject({
        status: 'success',
        error: null,
        data: { length: 2 },
        hasNextPage: false,
      })
      subscription.unsubscribe()
    })

    it('collects the warnings of all pages', async () => {
      const [bad] = items(9)
      serve({
        '': page('a', ...items(1), { ...bad, ...malformedItem }),
        a: page(undefined, ...items(2, 3), null as never),
      })
      const snapshot = await read()
      expect(snapshot.data).toHaveLength(3)
      expect(snapshot.warnings.map(({ message }) => message.slice(0, 6))).toEqual([
        '1 of 2',
        '1 of 3',
      ])
    })
  },
)
