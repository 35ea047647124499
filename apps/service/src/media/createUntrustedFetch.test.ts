import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createUntrustedFetch } from './createUntrustedFetch.ts'
import { everyNetwork, publicInternet } from './NetworkPolicy.ts'

const kilobyte = 1024

/** A real web server on 127.0.0.1 (or elsewhere), which ends with the test. */
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

const everywhere = createUntrustedFetch({ policy: everyNetwork })
/** What 127.0.0.1 is the public internet to; 127.0.0.2 and all else are not. */
const onlyFirst = {
  allowsAddress: (address: string) => address === '127.0.0.1',
  allowsPort: () => true,
}
const read = (fetch: typeof everywhere, url: string, maximumBytes = 64 * kilobyte) =>
  fetch(url, { maximumBytes })
const refusal = (kind: string) =>
  expect.objectContaining({ name: 'UntrustedFetchError', refusal: kind })

describe('createUntrustedFetch', () => {
  it('reads a body, and sends nothing that tells who asks', async () => {
    let asked: object = {}
    const { url } = await serve((request, response) => {
      asked = { ...request.headers }
      response.setHeader('set-cookie', 'tracked=1').end('hello')
    })
    for (let time = 0; time < 2; time++) {
      expect(Buffer.from(await read(everywhere, `${url}/a?b=c`)).toString()).toBe('hello')
    }
    expect(asked).toEqual({
      host: url.slice('http://'.length),
      connection: 'keep-alive',
      'user-agent': 'headwater',
      accept: '*/*',
      'accept-encoding': 'gzip, br, deflate',
    })
  })

  it('follows redirects, relative ones too', async () => {
    const { url } = await serve((request, response) => {
      const next = { '/1': '/2', '/2': `${url}/3` }[request.url ?? '']
      if (next) {
        response.writeHead(302, { location: next }).end()
      } else {
        response.end(request.url)
      }
    })
    expect(Buffer.from(await read(everywhere, `${url}/1`)).toString()).toBe('/3')
  })

  it('gives up on endless redirects', async () => {
    let asked = 0
    const { url } = await serve((_, response) => {
      asked++
      response.writeHead(307, { location: `/${asked}` }).end()
    })
    await expect(read(everywhere, url)).rejects.toThrow(refusal('too-many-redirects'))
    expect(asked).toBe(6)
  })

  describe('asks no address but public ones', () => {
    it.each(['http://127.0.0.1', 'http://[::1]', 'http://[::ffff:127.0.0.1]', 'http://localhost'])(
      'as %s',
      async (origin) => {
        const { port, connections } = await serve((_, response) => response.end('secret'))
        const fetch = createUntrustedFetch({
          policy: { ...publicInternet, allowsPort: () => true },
        })
        await expect(read(fetch, `${origin}:${port}/`)).rejects.toThrow(refusal('address'))
        expect(connections()).toBe(0)
      },
    )

    it('when a redirect leads there', async () => {
      const secret = await serve((_, response) => response.end('secret'), '127.0.0.2')
      const { url, connections } = await serve((_, response) =>
        response.writeHead(301, { location: `${secret.url}/` }).end(),
      )
      await expect(read(createUntrustedFetch({ policy: onlyFirst }), url)).rejects.toThrow(
        refusal('address'),
      )
      expect([connections(), secret.connections()]).toEqual([1, 0])
      expect(Buffer.from(await read(everywhere, url)).toString()).toBe('secret')
    })

    it('but what the operator named, and not what that redirects to', async () => {
      const asked: (string | undefined)[] = []
      const { url } = await serve((request, response) => {
        asked.push(request.url)
        if (request.url === '/ipfs/away') {
          response.writeHead(302, { location: '/admin' }).end()
        } else {
          response.end(request.url)
        }
      })
      const fetch = createUntrustedFetch({ trusted: [`${url}/ipfs/`] })
      expect(Buffer.from(await read(fetch, `${url}/ipfs/1`)).toString()).toBe('/ipfs/1')
      for (const path of ['/', '/admin', '/ipfs/../admin', '/ipfs/away']) {
        await expect(read(fetch, url + path)).rejects.toThrow(refusal('port'))
      }
      expect(asked).toEqual(['/ipfs/1', '/ipfs/away'])
    })

    it('when a redirect leads to another scheme', async () => {
      const { url } = await serve((_, response) =>
        response.writeHead(301, { location: 'file:///etc/passwd' }).end(),
      )
      await expect(read(everywhere, url)).rejects.toThrow(refusal('url'))
    })

    it('when a redirect leads to a port of other services', async () => {
      const { url } = await serve((_, response) =>
        response.writeHead(301, { location: 'http://127.0.0.1:6379/' }).end(),
      )
      const policy = { ...everyNetwork, allowsPort: (port: number) => port !== 6379 }
      await expect(read(createUntrustedFetch({ policy }), url)).rejects.toThrow(refusal('port'))
    })

    it('when a name leads elsewhere at the second look (DNS rebinding)', async () => {
      const answers = ['127.0.0.1', '127.0.0.2']
      let looks = 0
      const lookup: LookupFunction = (_, options, callback) => {
        const address = answers[Math.min(looks++, 1)] ?? ''
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
      // What was connected to is what was judged: one look a connection.
      expect([looks, first.connections()]).toEqual([1, 1])
      await expect(read(fetch, url)).rejects.toThrow(refusal('address'))
      expect([looks, first.connections()]).toEqual([2, 1])
    })

    it('when a name has one of both kinds', async () => {
      const { port, connections } = await serve((_, response) => response.end('public'))
      const lookup: LookupFunction = (_, options, callback) => {
        expect(options.all).toBe(true)
        callback(
          null,
          ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 })),
        )
      }
      const fetch = createUntrustedFetch({ policy: onlyFirst, lookup })
      await expect(read(fetch, `http://mixed.example:${port}/`)).rejects.toThrow(refusal('address'))
      expect(connections()).toBe(0)
    })
  })

  describe('bounds the size', () => {
    const megabytes = Buffer.alloc(32 * 1024 * kilobyte)
    const bombs: [string, () => Buffer][] = [
      ['gzip', () => gzipSync(megabytes)],
      ['br', () => brotliCompressSync(megabytes)],
      ['deflate', () => deflateSync(megabytes)],
    ]
    it.each(bombs)('of what %s decompresses to', async (encoding, make) => {
      const bomb = make()
      const { url } = await serve((_, response) =>
        response.setHeader('content-encoding', encoding).end(bomb),
      )
      expect(bomb.length).toBeLessThan(64 * kilobyte)
      await expect(read(everywhere, url)).rejects.toThrow(refusal('too-large'))
    })

    it.each([
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
      ['deflate', deflateSync],
    ])('and reads %s below it', async (encoding, compress) => {
      const { url } = await serve((_, response) =>
        response.setHeader('content-encoding', encoding).end(compress('hello')),
      )
      expect(Buffer.from(await read(everywhere, url)).toString()).toBe('hello')
    })

    it('of what is said before it is sent', async () => {
      const { url } = await serve((_, response) =>
        response.setHeader('content-length', 64 * kilobyte + 1).write('.'),
      )
      await expect(read(everywhere, url)).rejects.toThrow(refusal('too-large'))
    })

    it.each([
      ['bytes', undefined, Buffer.alloc(kilobyte)],
      ['empty gzip members', 'gzip', gzipSync('')],
    ])('of endless %s', async (_, encoding, chunk) => {
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
      await expect(read(everywhere, url)).rejects.toThrow(refusal('too-large'))
    })

    it('of the head', async () => {
      const { url } = await serve((_, response) =>
        response.setHeader('x-long', 'a'.repeat(20 * kilobyte)).end(),
      )
      await expect(read(everywhere, url)).rejects.toThrow(refusal('too-large'))
    })
  })

  describe('bounds the time', () => {
    const hasty = createUntrustedFetch({ policy: everyNetwork, totalMs: 300 })

    it('of an answer that does not come', async () => {
      const { url } = await serve(() => {})
      await expect(read(hasty, url)).rejects.toThrow(refusal('timeout'))
    })

    it('of a body that drips', async () => {
      const { url } = await serve((_, response) => {
        const drip = setInterval(() => response.write('.'), 20)
        response.on('close', () => clearInterval(drip))
      })
      await expect(read(hasty, url)).rejects.toThrow(refusal('timeout'))
    })

    it('of the silence before an answer and within one, sooner than of the whole', async () => {
      const patient = createUntrustedFetch({ policy: everyNetwork, answerMs: 200 })
      const silent = await serve(() => {})
      await expect(read(patient, silent.url)).rejects.toThrow(refusal('timeout'))
      const stuck = await serve((_, response) => response.write('.'))
      await expect(read(patient, stuck.url)).rejects.toThrow(refusal('timeout'))
    })

    it('of asking, from which waiting for a turn takes nothing', async () => {
      const fetch = createUntrustedFetch({ policy: everyNetwork, totalMs: 2000 })
      let asked = 0
      const { url } = await serve((_, response) => {
        if (++asked > 6) {
          response.end('hello')
        }
      })
      const silent = Array.from({ length: 6 }, () => read(fetch, url))
      const outcomes = Promise.allSettled(silent)
      expect(Buffer.from(await read(fetch, url)).toString()).toBe('hello')
      for (const outcome of await outcomes) {
        expect(outcome).toMatchObject({ reason: refusal('timeout') })
      }
    })

    it('of waiting for a turn, which is no fault of the server', async () => {
      const fetch = createUntrustedFetch({ policy: everyNetwork, totalMs: 1000, waitMs: 50 })
      const { url } = await serve(() => {})
      const outcomes = Promise.allSettled(Array.from({ length: 6 }, () => read(fetch, url)))
      await expect(read(fetch, url)).rejects.toMatchObject({ refusal: 'busy', retryable: true })
      await outcomes
    })

    it('and ends when it is told to', async () => {
      const { url } = await serve(() => {})
      const stop = new AbortController()
      const reading = everywhere(url, { maximumBytes: 1, signal: stop.signal })
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
  ])('refuses status %i', async (status, retryable) => {
    const { url } = await serve((_, response) => response.writeHead(status).end())
    await expect(read(everywhere, url)).rejects.toMatchObject({ refusal: 'status', retryable })
  })

  it.each([
    ['that is unknown', 'zstd', Buffer.from('hello')],
    ['that is no encoding', 'constructor', Buffer.from('hello')],
    ['of several layers', 'gzip, gzip', gzipSync(gzipSync('hello'))],
    ['that is not so', 'gzip', Buffer.from('hello')],
    ['that is not so either', 'br', Buffer.from('hello, this is no brotli at all')],
    ['that ends early', 'gzip', gzipSync('hello').subarray(0, 12)],
  ])('refuses an encoding %s', async (_, encoding, body) => {
    const { url } = await serve((_, response) =>
      response.setHeader('content-encoding', encoding).end(body),
    )
    await expect(read(everywhere, url)).rejects.toThrow(refusal('encoding'))
  })

  it('tells who cannot be reached, or hangs up', async () => {
    const closed = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/`
    await expect(read(everywhere, url)).rejects.toThrow(refusal('unreachable'))
    closed.close()
    await once(closed, 'close')
    await expect(read(everywhere, url)).rejects.toMatchObject({
      refusal: 'unreachable',
      retryable: true,
    })
  })

  it('asks one host a few at a time, and lets the others by', async () => {
    let open = 0
    let most = 0
    const waiting: (() => void)[] = []
    const slow = await serve((_, response) => {
      most = Math.max(most, ++open)
      waiting.push(() => {
        open--
        response.end('slow')
      })
    })
    const other = await serve((_, response) => response.end('other'), '127.0.0.2')
    const all = Array.from({ length: 20 }, () => read(everywhere, slow.url))
    expect(Buffer.from(await read(everywhere, other.url)).toString()).toBe('other')
    const end = setInterval(() => waiting.splice(0).forEach((answer) => answer()), 5)
    await Promise.all(all)
    clearInterval(end)
    expect(most).toBe(6)
  })

  it('asks gateways of the operator more at a time, and of them each contract its share', async () => {
    let open = 0
    const { url } = await serve(() => open++)
    const fetch = createUntrustedFetch({ trusted: [`${url}/ipfs/`] })
    const stop = new AbortController()
    const ask = (asker: string) =>
      fetch(`${url}/ipfs/1`, { maximumBytes: 1, asker, signal: stop.signal })
    const asked = ['a', 'b', 'c'].flatMap((asker) => Array.from({ length: 20 }, () => ask(asker)))
    const outcomes = Promise.allSettled(asked)
    await expect.poll(() => open).toBe(16)
    stop.abort()
    await outcomes
    const alone = new AbortController()
    const one = Array.from({ length: 20 }, () =>
      fetch(`${url}/ipfs/1`, { maximumBytes: 1, asker: 'a', signal: alone.signal }),
    )
    const oneOutcomes = Promise.allSettled(one)
    await expect.poll(() => open).toBe(16 + 6)
    alone.abort()
    await oneOutcomes
  })

  it('refuses when too many wait', async () => {
    const fetch = createUntrustedFetch({ policy: everyNetwork })
    const { url } = await serve(() => {})
    const stop = new AbortController()
    const ask = () => fetch(url, { maximumBytes: 1, signal: stop.signal })
    const waiting = Array.from({ length: 6 + 256 }, ask)
    const outcomes = Promise.allSettled(waiting)
    await expect(ask()).rejects.toThrow(refusal('busy'))
    stop.abort()
    await outcomes
  })
})
