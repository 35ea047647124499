import { spawn, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { CHANGES_HEADER } from '@headwater/contract'
import { createFakeService } from './createFakeService.ts'
import { listen } from './listen.ts'

const cli = path.join(import.meta.dirname, 'cli.ts')
const { wallets, ...service } = createFakeService()
const { address } = service.wallet('everyday')

it('serves the wallets that it prints, and pushes their changes', async () => {
  const options = ['--conditions=@headwater/source', cli, '--port', '0', '--key', 'own']
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    if (output.includes(wallets.at(-1)!.name)) {
      break
    }
  }
  const [, url] = /baseUrl +(\S+)/.exec(output) ?? []
  expect(output).toContain(`${address}  everyday`)
  const headers = { 'X-Service-Api-Key': 'own' }
  const response = await fetch(`${url}/v1/evm/balances/${address}`, { headers })
  const { balances } = (await response.json()) as { balances: unknown[] }
  expect(balances.length).toBeGreaterThan(0)
  expect(response.headers.has(CHANGES_HEADER)).toBe(true)
})

it('names the remedy for a port that is in use', async () => {
  const server = await listen(createFakeService())
  onTestFinished(() => server.close())
  const { port } = new URL(server.url)
  const options = ['--conditions=@headwater/source', cli, '--port', port]
  const { status, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' })
  expect(stderr).toBe(
    `error: Port ${port} is in use. Stop the program that uses it, or choose another port with --port\n`,
  )
  expect(status).toBe(1)
})

it('rejects an empty key, as of a variable that is not set', () => {
  const options = ['--conditions=@headwater/source', cli, '--key', '']
  const { status, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' })
  expect(stderr).toMatch(/^error: --key must not be empty\n\nUsage/)
  expect(status).toBe(1)
})

it.each(['react', 'vue', 'svelte'])('serves the quick start of %s', (framework) => {
  const file = path.join(import.meta.dirname, `../../${framework}/README.md`)
  const [, quickStart = ''] = readFileSync(file, 'utf8').split('## Quick start')
  const own = quickStart.slice(0, quickStart.indexOf('\n## '))
  expect(own).toContain('npx @headwater/testing')
  expect(own).toContain(`{ baseUrl: 'http://127.0.0.1:4000', apiKey: '${service.key}' }`)
  expect(own.match(/0x[\da-f]{40}/g)).toEqual([address])
})

it('has balances of the wallets that created apps link to', async () => {
  const folder = path.join(import.meta.dirname, '../../create-headwater/templates')
  const files = globSync('**/*.{html,tsx,vue,svelte}', { cwd: folder })
  const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join()
  const linked = new Set(texts.match(/0x[\da-f]{40}/g))
  expect(linked.size).toBe(2)
  expect(wallets.map((wallet) => wallet.address)).toEqual(expect.arrayContaining([...linked]))
})
