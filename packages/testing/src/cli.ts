#!/usr/bin/env node
// `npx @headwater/testing`: a service to develop an app with, before there is a real one.
import { parseArgs } from 'node:util'
import { createFakeService } from './createFakeService.ts'
import { listen } from './listen.ts'

const usage = `Usage: headwater-testing [options]

Starts a fake service of Headwater, with invented data and a block per second.

Options:
  --port <number>  port to listen on, 0 for a free one (default: 4000)
  --key <key>      API key to accept (default: test-key)
  -h, --help       display help for command`

const { port, key } = parseOptions()
const service = createFakeService({ key, changes: true })
const { url } = await listen(service, { port }).catch((error: NodeJS.ErrnoException) =>
  fail(
    error.code === 'EADDRINUSE'
      ? `Port ${port} is in use. Stop the program that uses it, or choose another port with --port`
      : error.message,
  ),
)
setInterval(() => service.advance(), 1000)

console.log(`A fake service of Headwater: invented data, a block per second.

baseUrl  ${url}
apiKey   ${service.key}
wallets`)
for (const { name, address } of service.wallets) {
  console.log(`  ${address}  ${name}`)
}

/** Prints the usage or an error and exits where the service is not to be started. */
function parseOptions(): { readonly port: number; readonly key: string } {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '4000' },
        key: { type: 'string', default: 'test-key' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) {
      console.log(usage)
      process.exit()
    }
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
      throw new TypeError(`--port must be a number from 0 to 65535, got '${values.port}'`)
    }
    if (!values.key) {
      throw new TypeError('--key must not be empty')
    }
    return { port: Number(values.port), key: values.key }
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
  }
}

function fail(message: string): never {
  console.error(`error: ${message}`)
  process.exit(1)
}
