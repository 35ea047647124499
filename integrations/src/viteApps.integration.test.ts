import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '@headwater/chromium'
import { bindingNames } from '../../scripts/bindings.ts'
import { type PackageName, packPackages } from './packPackages.ts'
import { root, run, start } from './run.ts'

// Outside of the repository, so that no module resolves to it.
const folder = await mkdtemp(path.join(tmpdir(), 'headwater-integrations-'))
let tarballs: Record<PackageName, string>
let browser: Browser

beforeAll(async () => {
  tarballs = await packPackages(folder)
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true })
})

describe.each(bindingNames)('a Vite app with %s', (framework) => {
  it('installs the packed packages, type-checks, builds, and shows live balances', async ({
    onTestFinished,
  }) => {
    const app = path.join(folder, framework)
    const source = path.join(root, 'integrations')
    await cp(path.join(source, `vite-${framework}`), app, { recursive: true })
    await cp(path.join(source, 'shared'), app, { recursive: true })
    const dependencies = (['contract', 'core', framework, 'testing'] as const).map(
      (name) => tarballs[name],
    )
    await run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefer-offline', ...dependencies],
      app,
    )
    await run('npm', ['run', 'check'], app)
    await run('npm', ['run', 'build'], app)

    const service = await start('npm', ['run', 'service'], app, /\{.*\}/)
    onTestFinished(() => service.stop())
    const preview = await start('npm', ['run', 'preview'], app, /http:\/\/[\d.]+:\d+/)
    onTestFinished(() => preview.stop())

    const { url, key, address } = JSON.parse(service.readyText) as Record<string, string>
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    const messages: string[] = []
    page.on('pageerror', (error) => messages.push(error.message))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) {
        messages.push(message.text())
      }
    })
    const query = new URLSearchParams({ service: url!, key: key!, address: address! })
    await page.goto(`${preview.readyText}/?${query}`)
    await page.locator('li').first().waitFor()

    const rows = () => page.locator('li').allInnerTexts()
    const tokens = (lines: string[]) => lines.map((line) => line.split(' ')[0]).sort()
    const response = await fetch(`${url}/v1/evm/balances/${address}`, {
      headers: { 'X-Service-Api-Key': key! },
    })
    const { balances } = (await response.json()) as {
      balances: { chain_id: number; address: string }[]
    }
    const first = await rows()
    expect(tokens(first)).toEqual(balances.map((row) => `${row.chain_id}/${row.address}`).sort())
    expect(Number(await page.locator('h1').innerText())).toBeGreaterThan(0)
    // The fake service adds blocks, which change amounts without a reload.
    await expect.poll(rows, { timeout: 30_000 }).not.toEqual(first)
    expect(messages).toEqual([])
  })
})
