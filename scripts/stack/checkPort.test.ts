import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { checkPort } from './checkPort.ts'

it('accepts a free port, and names the use of a taken port and the option that chooses another', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await expect(checkPort(port, 'API', '--api-port')).rejects.toThrow(
    new RegExp(`Port ${port} \\(API\\) is in use by another program.*npm start -- --api-port`),
  )
  await new Promise((resolve) => server.close(resolve))
  await checkPort(port, 'API', '--api-port')
})

it('rejects a port that browsers block', async () => {
  await expect(checkPort(6000, 'API', '--api-port')).rejects.toThrow(
    'Port 6000 (API) is blocked by browsers. Choose another port: npm start -- --api-port <port>',
  )
})
