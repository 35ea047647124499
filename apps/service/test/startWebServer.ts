import { createServer } from 'node:http'
import { closeServer, listen } from './listen.ts'

/** The pages of a web server, or their status, by path. Objects are JSON. */
export type WebPages = Readonly<Record<string, object | string | Buffer | number>>

/** Starts a web server of pages, which may change. */
export async function startWebServer(pages: WebPages) {
  /** Requested paths. */
  const requested: string[] = []
  const server = createServer(({ url = '' }, response) => {
    requested.push(url)
    const page = pages[url] ?? 404
    if (typeof page === 'number') {
      response.writeHead(page).end()
      return
    }
    const isBody = typeof page === 'string' || page instanceof Buffer
    response.setHeader('content-type', 'text/html').end(isBody ? page : JSON.stringify(page))
  })
  return { url: await listen(server), requested, close: () => closeServer(server) }
}
