import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** How a proxy forwards what a server sends: as it arrives, once it is no longer buffered, or not at all. */
type Forwarding = 'direct' | 'buffered' | 'stalled'

/** Starts a TCP proxy with selectable faults, in front of a local port that may change. It stops when the test ends. */
export async function startTcpProxy(targetPort: number) {
  const sockets = new Set<Socket>()
  const buffered: (() => void)[] = []
  const proxy = {
    port: 0,
    targetPort,
    forwarding: 'direct' as Forwarding,
    /** The open connections of both sides. */
    sockets: sockets as ReadonlySet<Socket>,
    /** Cuts all connections. */
    cut: () => sockets.forEach((socket) => socket.destroy()),
    /** Forwards what was buffered, and everything from then on. */
    flush() {
      proxy.forwarding = 'direct'
      buffered.splice(0).forEach((forward) => forward())
    },
  }
  const server = createServer((client) => {
    const upstream = connect(proxy.targetPort, '127.0.0.1')
    client.on('data', (chunk) => upstream.write(chunk))
    upstream.on('data', (chunk) => {
      const forward = () => void client.write(chunk)
      if (proxy.forwarding === 'direct') {
        forward()
      } else if (proxy.forwarding === 'buffered') {
        buffered.push(forward)
      }
    })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          client.destroy()
          upstream.destroy()
          sockets.delete(socket)
        })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.port = (server.address() as AddressInfo).port
  onTestFinished(() => {
    proxy.cut()
    server.close()
  })
  return proxy
}
