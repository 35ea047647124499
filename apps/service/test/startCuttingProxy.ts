import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy of a PostgreSQL server that can lose the response to a commit, or stop responding. */
interface CuttingProxy {
  readonly url: string
  /** Closes the connection after the next commit, before its response is forwarded. */
  readonly cutAfterCommit: () => void
  /** Holds the responses back without closing connections, until it is called with false. */
  readonly setSilent: (isSilent: boolean) => void
  /** Never responds on its connections again, nor closes them, like a failed host whose address leads to another one. */
  readonly abandon: () => void
  /** Closes all connections, and new ones until it is called with false. */
  readonly setAway: (isAway: boolean) => void
  readonly close: () => Promise<void>
}

/** Starts a proxy of the server of a URL. */
export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl)
  const { searchParams } = target
  const port = Number(searchParams.get('port') ?? (target.port || 5432))
  // A folder as host contains the Unix socket of the server.
  const host = searchParams.get('host') ?? target.hostname
  let isArmed = false
  let isSilent = false
  let isAway = false
  const sockets = new Set<Socket>()
  const upstreams = new Set<Socket>()
  // A host that does not respond does not close its side of a connection either.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (isAway) {
      return client.resetAndDestroy()
    }
    const upstream = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect(port, host)
    let isCut = false
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    client.on('data', (chunk) => {
      if (isArmed && chunk.toString('latin1').toLowerCase().includes('commit')) {
        isArmed = false
        isCut = true
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      // The server responded, so the commit is complete.
      if (isCut) {
        end()
      } else {
        client.write(chunk)
      }
    })
    client.on('end', () => upstream.end())
    upstreams.add(upstream)
    upstream.on('close', () => upstreams.delete(upstream))
    if (isSilent) {
      upstream.pause()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('close', end).on('error', end)
      socket.on('close', () => sockets.delete(socket))
    }
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  for (const name of ['host', 'port']) {
    url.searchParams.delete(name)
  }
  return {
    url: url.href,
    cutAfterCommit: () => (isArmed = true),
    setSilent(silent) {
      isSilent = silent
      upstreams.forEach((upstream) => (silent ? upstream.pause() : upstream.resume()))
    },
    abandon() {
      for (const upstream of upstreams) {
        upstream.removeAllListeners('close').destroy()
      }
      upstreams.clear()
    },
    setAway(away) {
      isAway = away
      for (const socket of away ? sockets : []) {
        socket.destroy()
      }
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      sockets.forEach((socket) => socket.destroy())
      await closed
    },
  }
}
