#!/usr/bin/env node
// `npx @headwater/testing`: a service to develop an app with, before there is a real one.
import { parseArgs } from 'node:util'
import { createFakeService } from './createFakeService.ts'
import { listen } from './listen.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4000' },
    key: { type: 'string', default: 'test-key' },
  },
})
const service = createFakeService({ key: values.key })
const { url } = await listen(service, { port: Number(values.port) })
setInterval(() => service.advance(), 1000)

console.log(`A fake service of Headwater: invented data, a block per second.

baseUrl  ${url}
apiKey   ${service.key}
wallets`)
for (const { name, address } of service.wallets) {
  console.log(`  ${address}  ${name}`)
}
