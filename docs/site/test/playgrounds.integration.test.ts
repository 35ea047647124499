import { afterAll, beforeAll, describe, it } from 'vitest'
import { Site } from './Site.ts'

let site: Site
beforeAll(async () => {
  site = await Site.open()
})
afterAll(() => site?.close())

const poll = { timeout: 30_000 }

describe.concurrent.each([
  ['react', '<main>', '<main><h2>{data?.length} tokens</h2>'],
  ['vue', '<main>', '<main><h2>{{ balances.data?.length }} tokens</h2>'],
  ['svelte', '<main>', '<main><h2>{$balances.data?.length} tokens</h2>'],
] as const)('the playground of %s', (framework, anchor, replacement) => {
  it('runs the packages, shows units and faults, and compiles what the reader writes', async ({
    expect,
  }) => {
    const { page, requests, messages } = await site.visit(`playgrounds/${framework}.html`)
    expect(requests.filter((url) => url.includes('/playground/'))).toEqual([])
    await page.getByRole('button', { name: 'Run and edit this code' }).click()
    const app = page.frameLocator('iframe')
    const status = app.getByRole('status')
    const row = app.locator('li', { hasText: 'LINK' })
    const linkAmount = async () => Number.parseFloat((await row.innerText()).replaceAll(',', ''))
    const toggle = (name: string) => page.getByRole('button', { name }).click()

    // Live amounts, and the units of the client and of the service.
    await row.waitFor()
    const first = await app.locator('ul').innerText()
    expect(first).toMatch(/^\d{1,3}(,\d{3})+(\.\d{1,6})? USDC on Ethereum$/m)
    const total = () => app.locator('h1').innerText()
    await expect.poll(total, poll).toMatch(/^\$\d{1,3}(,\d{3})+\.\d\d$/)
    await expect.poll(() => app.locator('ul').innerText(), poll).not.toBe(first)
    const figures = () => page.getByTestId('units').locator('strong').allInnerTexts()
    await expect.poll(async () => Number((await figures())[0]), poll).toBeGreaterThan(3)
    const [spent, charged] = await figures()
    expect(spent).toBe(charged)

    // Rows stay beside an error.
    await toggle('429: too many requests')
    await expect.poll(() => status.innerText(), poll).toMatch(/429|too many|rate/i)
    expect(await row.count()).toBe(1)
    await toggle('429: too many requests')
    await expect.poll(() => status.innerText(), poll).toBe('Up to date')
    await toggle('Latency of 1.5 s')
    await expect.poll(() => status.innerText(), poll).toBe('Updating …')
    await toggle('Latency of 1.5 s')
    await toggle('Offline')
    await expect.poll(() => status.innerText(), poll).toMatch(/reach|network/i)
    await toggle('Offline')
    await expect.poll(() => status.innerText(), poll).toBe('Up to date')

    // The transfer appears, and leaves with its block.
    const before = await linkAmount()
    await toggle('Reorg of a transfer')
    await expect.poll(linkAmount, poll).toBeGreaterThan(before + 900)
    await expect.poll(linkAmount, poll).toBeLessThan(before + 100)

    // The compiler is loaded by the first change.
    expect(requests.filter((url) => url.includes('compile'))).toEqual([])
    const editor = page.getByRole('textbox', { name: 'Code of the example' })
    const code = await editor.inputValue()
    const runButton = page.getByRole('button', { name: 'Run', exact: true })
    await editor.press('Tab')
    expect(await runButton.evaluate((button) => button === document.activeElement)).toBe(true)
    await editor.fill(code.replace(anchor, replacement))
    await runButton.click()
    await expect.poll(() => app.locator('h2').innerText(), poll).toMatch(/^\d+ tokens$/)
    expect(requests.some((url) => url.includes('compile'))).toBe(true)

    // An error of the compiler is shown, and the page keeps running.
    await editor.fill(code.replace(anchor, '<main'))
    await runButton.click()
    await page.getByRole('alert').waitFor()
    expect(await row.count()).toBe(1)

    expect(requests.filter((url) => !url.startsWith(site.url))).toEqual([])
    expect(messages).toEqual([])
    await page.context().close()
  })
})
