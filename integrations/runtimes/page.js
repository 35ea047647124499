// Serves this folder, and prints the URL of the page.
import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'

const types = { html: 'text/html', js: 'text/javascript' }
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost')
  const file = new URL(pathname === '/' ? 'index.html' : `.${pathname}`, import.meta.url)
  if (!existsSync(file)) {
    response.writeHead(404).end()
    return
  }
  response.setHeader('content-type', types[file.pathname.split('.').at(-1)] ?? 'text/plain')
  createReadStream(file).pipe(response)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
