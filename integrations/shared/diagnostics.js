// Loaded before a server (`node --import`), prints the URL of its memory and sockets.
import { createServer } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

createServer((_request, response) => {
  collectGarbage()
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap')
  response.setHeader('connection', 'close')
  response.end(JSON.stringify({ heap: process.memoryUsage().heapUsed, sockets: sockets.length }))
})
  .listen(0, '127.0.0.1', function () {
    console.log(`diagnostics at http://127.0.0.1:${this.address().port}`)
  })
  .unref()
