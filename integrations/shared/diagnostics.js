// Loaded before a server (`node --import`), prints the URL of its memory, its sockets and the number of requests it received.
import { subscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

let received = 0
subscribe('http.server.request.start', ({ server }) => {
  if (server !== diagnostics) {
    received++
  }
})

const diagnostics = createServer((_request, response) => {
  collectGarbage()
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap')
  response.setHeader('connection', 'close')
  const { heapUsed: heap } = process.memoryUsage()
  response.end(JSON.stringify({ heap, sockets: sockets.length, received }))
})
  .listen(0, '127.0.0.1', function () {
    console.log(`diagnostics at http://127.0.0.1:${this.address().port}`)
  })
  .unref()
