// A server that does nothing but respond, as a control: what delays it beside other processes is not the service.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** About as long as the response of a seeded wallet. */
const body = 'x'.repeat(6_000)

const server = createServer((_, response) => response.end(body))
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
