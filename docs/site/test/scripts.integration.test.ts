import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createFakeService } from '@headwater/testing'
import { listen } from '@headwater/testing/node'

const snippets = path.join(import.meta.dirname, '../snippets/core')
const service = createFakeService()
const { address } = service.wallet('everyday')
const token = service.token('CROWD').address

let folder: string
let server: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  folder = mkdtempSync(path.join(snippets, '../.run-'))
  server = await listen(service, { port: 0 })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server?.close()
})

/** The program of a page, with the URL of this test's service. */
function programOf(name: string): string[] {
  const text = readFileSync(path.join(snippets, `${name}.ts`), 'utf8')
  const file = path.join(folder, `${name}.ts`)
  writeFileSync(
    file,
    text.replaceAll('http://127.0.0.1:4000', server.url).replace('port: 4000', 'port: 0'),
  )
  return ['--conditions=@headwater/source', file]
}

describe.concurrent('the programs of the pages', () => {
  it.for<[string, string, RegExp]>([
    ['request', address, /^\d+ tokens\n$/],
    ['holders', token, /^(0x[\da-f]{40} \d+\n){3}2000 holders for 8 units\n$/],
    ['budget', '', /^2 units\n$/],
  ])('%s prints its result and ends', async ([name, argument, output], { expect }) => {
    const program = [...programOf(name), argument]
    const { stdout, stderr } = await promisify(execFile)(process.execPath, program)
    expect(stdout).toMatch(output)
    expect(stderr).toBe('')
  })

  it.for<[string, RegExp]>([
    ['wallet', /LINK/],
    ['prices', /^\d+(\.\d+)? USD -?\d/],
    ['fakeService', /^url +http:\/\/127\.0\.0\.1:\d+\nkey +test-key\naddress +0x[\da-f]{40}\n/],
  ])('%s prints live data until it is stopped', async ([name, output], { expect }) => {
    const child = spawn(process.execPath, [...programOf(name), address])
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += String(chunk)))
    await expect.poll(() => text, { timeout: 30_000 }).toMatch(output)
    child.kill()
    await once(child, 'exit')
  })
})
