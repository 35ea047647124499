import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from 'node:net'
import { queryObjects } from 'node:v8'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { Pool } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createUntrustedFetch } from './createUntrustedFetch.ts'
import { everyNetwork, publicInternet } from './NetworkPolicy.ts'

const kilobyte = 1024

/** Starts a web server, which is closed when the test ends. */
async function serve(listener: RequestListener, address = '127.0.0.1') {
  const server = createServer(listener)
  let connections = 0
  server.on('connection', () => connections++)
  server.listen(0, address)
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://${address}:${port}`, port, connections: () => connections }
}

const unrestricted = createUntrustedFetch({ policy: everyNetwork })
/** Allows 127.0.0.1 in place of the public internet, and no other address. */
const onlyFirst = {
  allowsAddress: (address: string) => address === '127.0.0.1',
  allowsPort: () => true,
}
const read = (fetch: typeof unrestricted, url: string, maxBytes = 64 * kilobyte) =>
  fetch(url, { maxBytes })
const errorOf = (kind: string) => expect.objectContaining({ name: 'UntrustedFetchError', kind })

describe('createUntrustedFetch', () => {
  it('reads a body, and sends no cookies or other identifying headers', async () => {
    let requestHeaders: object = {}
    const { url } = await serve((request, response) => {
      requestHeaders = { ...request.headers }
      response.setHeader('set-cookie', 'tracked=1').end('hello')
    })
    for (let time = 0; time < 2; time++) {
      expect(Buffer.from(await read(unrestricted, `${url}/a?b=c`)).toString()).toBe('hello')
    }
    expect(requestHeaders).toEqual({
      host: url.slice('http://'.length),
      connection: 'keep-alive',
      'user-agent': 'headwater',
      accept: '*/*',
      'accept-encoding': 'gzip, br, deflate',
    })
  })

  it('keeps the connections of a limited number of hosts, also of those whose bodies it leaves', async () => {
    const { port } = await serve((_, response) => {
      response.writeHead(404).write('x'.repeat(100 * kilobyte))
    })
    const lookup: LookupFunction = (_, options, callback) =>
      options.all
        ? callback(null, [{ address: '127.0.0.1', family: 4 }])
        : callback(null, '127.0.0.1', 4)
    const fetch = createUntrustedFetch({ policy: everyNetwork, lookup })
    const before = queryObjects(Pool, { format: 'count' })
    for (let host = 0; host < 150; host++) {
      await expect(read(fetch, `http://${host}.example.org:${port}/`)).rejects.toEqual(
        errorOf('status'),
      )
    }
    expect(queryObjects(Pool, { format: 'count' }) - before).toBeLessThan(110)
  })

  it('follows absolute and relative redirects', async () => {
    const { url } = await serve((request, response) => {
      const next = { '/1': '/2', '/2': `${url}/3` }[request.url ?? '']
      if (next) {
        response.writeHead(302, { location: next }).end()
      } else {
        response.end(request.url)
      }
    })
    expect(Buffer.from(await read(unrestricted, `${url}/1`)).toString()).toBe('/3')
  })

  it('follows at most five redirects', async () => {
    let requests = 0
    const { url } = await serve((_, response) => {
      requests++
      response.writeHead(307, { location: `/${requests}` }).end()
    })
    await expect(read(unrestricted, url)).rejects.toThrow(errorOf('too-many-redirects'))
    expect(requests).toBe(6)
  })

  describe('rejects addresses that are not public', () => {
    it.each(['http://127.0.0.1', 'http://[::1]', 'http://[::ffff:127.0.0.1]', 'http://localhost'])(
      'such as %s',
      async (origin) => {
        const { port, connections } = await serve((_, response) => response.end('secret'))
        const fetch = createUntrustedFetch({
          policy: { ...publicInternet, allowsPort: () => true },
        })
        await expect(read(fetch, `${origin}:${port}/`)).rejects.toThrow(errorOf('address'))
        expect(connections()).toBe(0)
      },
    )

    it('in a redirect', async () => {
      const secret = await serve((_, response) => response.end('secret'), '127.0.0.2')
      const { url, connections } = await serve((_, response) =>
        response.writeHead(301, { location: `${secret.url}/` }).end(),
      )
      await expect(read(createUntrustedFetch({ policy: onlyFirst }), url)).rejects.toThrow(
        errorOf('address'),
      )
      expect([connections(), secret.connections()]).toEqual([1, 0])
      expect(Buffer.from(await read(unrestricted, url)).toString()).toBe('secret')
    })

    it('except trusted URLs, but not their redirects', async () => {
      const requested: (string | undefined)[] = []
      const { url } = await serve((request, response) => {
        requested.push(request.url)
        if (request.url === '/ipfs/away') {
          response.writeHead(302, { location: '/admin' }).end()
        } else {
          response.end(request.url)
        }
      })
      const fetch = createUntrustedFetch({ trusted: [`${url}/ipfs/`] })
      expect(Buffer.from(await read(fetch, `${url}/ipfs/1`)).toString()).toBe('/ipfs/1')
      for (const path of ['/', '/admin', '/ipfs/../admin', '/ipfs/away']) {
        await expect(read(fetch, url + path)).rejects.toThrow(errorOf('port'))
      }
      expect(requested).toEqual(['/ipfs/1', '/ipfs/away'])
    })

    it('and other schemes in a redirect', async () => {
      const { url } = await serve((_, response) =>
        response.writeHead(301, { location: 'file:///etc/passwd' }).end(),
      )
      await expect(read(unrestricted, url)).rejects.toThrow(errorOf('url'))
    })

    it('and ports of other services in a redirect', async () => {
      const { url } = await serve((_, response) =>
        response.writeHead(301, { location: 'http://127.0.0.1:6379/' }).end(),
      )
      const policy = { ...everyNetwork, allowsPort: (port: number) => port !== 6379 }
      await expect(read(createUntrustedFetch({ policy }), url)).rejects.toThrow(errorOf('port'))
    })

    it('when a host name resolves to another address the second time (DNS rebinding)', async () => {
      const addresses = ['127.0.0.1', '127.0.0.2']
      let lookups = 0
      const lookup: LookupFunction = (_, options, callback) => {
        const address = addresses[Math.min(lookups++, 1)] ?? ''
        if (options.all) {
          callback(null, [{ address, family: 4 }])
        } else {
          callback(null, address, 4)
        }
      }
      const first = await serve((_, response) =>
        response.setHeader('connection', 'close').end('public'),
      )
      const fetch = createUntrustedFetch({ policy: onlyFirst, lookup })
      const url = `http://rebinding.example:${first.port}/`
      expect(Buffer.from(await read(fetch, url)).toString()).toBe('public')
      // One lookup per connection: the validated address is the one that was connected to.
      expect([lookups, first.connections()]).toEqual([1, 1])
      await expect(read(fetch, url)).rejects.toThrow(errorOf('address'))
      expect([lookups, first.connections()]).toEqual([2, 1])
    })

    it('when a host name also has public addresses', async () => {
      const { port, connections } = await serve((_, response) => response.end('public'))
      const lookup: LookupFunction = (_, options, callback) => {
        expect(options.all).toBe(true)
        callback(
          null,
          ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 })),
        )
      }
      const fetch = createUntrustedFetch({ policy: onlyFirst, lookup })
      await expect(read(fetch, `http://mixed.example:${port}/`)).rejects.toThrow(errorOf('address'))
      expect(connections()).toBe(0)
    })
  })

  describe('limits the size', () => {
    const megabytes = Buffer.alloc(32 * 1024 * kilobyte)
    const bombs: [string, () => Buffer][] = [
      ['gzip', () => gzipSync(megabytes)],
      ['br', () => brotliCompressSync(megabytes)],
      ['deflate', () => deflateSync(megabytes)],
    ]
    it.each(bombs)('of a decompressed body with encoding %s', async (encoding, make) => {
      const bomb = make()
      const { url } = await serve((_, response) =>
        response.setHeader('content-encoding', encoding).end(bomb),
      )
      expect(bomb.length).toBeLessThan(64 * kilobyte)
      await expect(read(unrestricted, url)).rejects.toThrow(errorOf('too-large'))
    })

    it.each([
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
      ['deflate', deflateSync],
    ])('and reads a smaller body with encoding %s', async (encoding, compress) => {
      const { url } = await serve((_, response) =>
        response.setHeader('content-encoding', encoding).end(compress('hello')),
      )
      expect(Buffer.from(await read(unrestricted, url)).toString()).toBe('hello')
    })

    it('that Content-Length declares', async () => {
      const { url } = await serve((_, response) =>
        response.setHeader('content-length', 64 * kilobyte + 1).write('.'),
      )
      await expect(read(unrestricted, url)).rejects.toThrow(errorOf('too-large'))
    })

    it.each([
      ['bytes', undefined, Buffer.alloc(kilobyte)],
      ['empty gzip members', 'gzip', gzipSync('')],
    ])('of a body of endless %s', async (_, encoding, chunk) => {
      const { url } = await serve((_, response) => {
        if (encoding) {
          response.setHeader('content-encoding', encoding)
        }
        const more = () => {
          while (!response.destroyed && response.write(chunk)) {
            // Fills the buffer.
          }
        }
        response.on('drain', more)
        more()
      })
      await expect(read(unrestricted, url)).rejects.toThrow(errorOf('too-large'))
    })

    it('of the response headers', async () => {
      const { url } = await serve((_, response) =>
        response.setHeader('x-long', 'a'.repeat(20 * kilobyte)).end(),
      )
      await expect(read(unrestricted, url)).rejects.toThrow(errorOf('too-large'))
    })
  })

  describe('limits the time', () => {
    const impatient = createUntrustedFetch({ policy: everyNetwork, totalTimeoutMs: 60 })

    it('until a response', async () => {
      const { url } = await serve(() => {})
      await expect(read(impatient, url)).rejects.toThrow(errorOf('timeout'))
    })

    it('of a body that is sent slowly', async () => {
      const { url } = await serve((_, response) => {
        const timer = setInterval(() => response.write('.'), 20)
        response.on('close', () => clearInterval(timer))
      })
      await expect(read(impatient, url)).rejects.toThrow(errorOf('timeout'))
    })

    it('until the headers, and between two chunks of the body', async () => {
      const fetch = createUntrustedFetch({ policy: everyNetwork, responseTimeoutMs: 50 })
      const [silent, stuck] = await Promise.all([
        serve(() => {}),
        serve((_, response) => response.write('.')),
      ])
      await Promise.all(
        [silent, stuck].map(({ url }) =>
          expect(read(fetch, url)).rejects.toThrow(errorOf('timeout')),
        ),
      )
    })

    it('without the time in the queue', async () => {
      const fetch = createUntrustedFetch({ policy: everyNetwork, totalTimeoutMs: 1000 })
      const { url } = await serve((request, response) => {
        if (request.url === '/hello') {
          response.end('hello')
        }
      })
      const unanswered = Array.from({ length: 6 }, () => read(fetch, url))
      const outcomes = Promise.allSettled(unanswered)
      const queued = await read(fetch, new URL('/hello', url).href)
      expect(Buffer.from(queued).toString()).toBe('hello')
      for (const outcome of await outcomes) {
        expect(outcome).toMatchObject({ reason: errorOf('timeout') })
      }
    })

    it('in the queue, with an error of its own', async () => {
      const fetch = createUntrustedFetch({ policy: everyNetwork, queueTimeoutMs: 30 })
      const { url } = await serve(() => {})
      const stop = new AbortController()
      const outcomes = Promise.allSettled(
        Array.from({ length: 6 }, () => fetch(url, { maxBytes: 1, signal: stop.signal })),
      )
      await expect(read(fetch, url)).rejects.toMatchObject({ kind: 'busy', retryable: true })
      stop.abort()
      await outcomes
    })

    it('and rejects when the signal aborts', async () => {
      const { url } = await serve(() => {})
      const stop = new AbortController()
      const reading = unrestricted(url, { maxBytes: 1, signal: stop.signal })
      stop.abort(new Error('enough'))
      await expect(reading).rejects.toThrow('enough')
    })
  })

  it.each([
    [404, false],
    [403, false],
    [204, false],
    [206, false],
    [304, false],
    [302, false],
    [429, true],
    [500, true],
    [503, true],
  ])('rejects status %i', async (status, retryable) => {
    const { url } = await serve((_, response) => response.writeHead(status).end())
    await expect(read(unrestricted, url)).rejects.toMatchObject({ kind: 'status', retryable })
  })

  it.each([
    ['an unsupported encoding', 'zstd', Buffer.from('hello')],
    ['a property of Object as the encoding', 'constructor', Buffer.from('hello')],
    ['several encodings', 'gzip, gzip', gzipSync(gzipSync('hello'))],
    ['invalid gzip', 'gzip', Buffer.from('hello')],
    ['invalid brotli', 'br', Buffer.from('hello, this is not brotli at all')],
    ['truncated gzip', 'gzip', gzipSync('hello').subarray(0, 12)],
  ])('rejects %s', async (_, encoding, body) => {
    const { url } = await serve((_, response) =>
      response.setHeader('content-encoding', encoding).end(body),
    )
    await expect(read(unrestricted, url)).rejects.toThrow(errorOf('encoding'))
  })

  it('rejects when the server is unreachable or closes the connection', async () => {
    const closed = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/`
    await expect(read(unrestricted, url)).rejects.toThrow(errorOf('unreachable'))
    closed.close()
    await once(closed, 'close')
    await expect(read(unrestricted, url)).rejects.toMatchObject({
      kind: 'unreachable',
      retryable: true,
    })
  })

  it('limits the concurrent requests of a host without delaying other hosts', async () => {
    let open = 0
    let maxOpen = 0
    const pending: (() => void)[] = []
    const slow = await serve((_, response) => {
      maxOpen = Math.max(maxOpen, ++open)
      pending.push(() => {
        open--
        response.end('slow')
      })
    })
    const other = await serve((_, response) => response.end('other'), '127.0.0.2')
    const all = Array.from({ length: 20 }, () => read(unrestricted, slow.url))
    expect(Buffer.from(await read(unrestricted, other.url)).toString()).toBe('other')
    const timer = setInterval(() => pending.splice(0).forEach((respond) => respond()), 5)
    await Promise.all(all)
    clearInterval(timer)
    expect(maxOpen).toBe(6)
  })

  it('allows more concurrent requests of trusted hosts, and limits those of each owner', async () => {
    let open = 0
    const { url } = await serve(() => open++)
    const fetch = createUntrustedFetch({ trusted: [`${url}/ipfs/`] })
    const stop = new AbortController()
    const requests = ['a', 'b', 'c'].flatMap((owner) =>
      Array.from({ length: 20 }, () =>
        fetch(`${url}/ipfs/1`, { maxBytes: 1, owner, signal: stop.signal }),
      ),
    )
    const outcomes = Promise.allSettled(requests)
    await expect.poll(() => open).toBe(16)
    stop.abort()
    await outcomes
    const alone = new AbortController()
    const one = Array.from({ length: 20 }, () =>
      fetch(`${url}/ipfs/1`, { maxBytes: 1, owner: 'a', signal: alone.signal }),
    )
    const oneOutcomes = Promise.allSettled(one)
    await expect.poll(() => open).toBe(16 + 6)
    alone.abort()
    await oneOutcomes
  })

  it('rejects requests when the queue is full', async () => {
    const fetch = createUntrustedFetch({ policy: everyNetwork })
    const { url } = await serve(() => {})
    const stop = new AbortController()
    const request = () => fetch(url, { maxBytes: 1, signal: stop.signal })
    const outcomes = Promise.allSettled(Array.from({ length: 6 + 256 }, request))
    await expect(request()).rejects.toThrow(errorOf('busy'))
    stop.abort()
    await outcomes
  })
})
