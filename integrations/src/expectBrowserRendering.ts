import path from 'node:path'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { expect, type TestContext } from 'vitest'
import { expectNoSecrets, openPage } from './appPage.ts'
import { start } from './run.ts'
import { startWalletService, variablesOf, wallets, type WalletService } from './walletService.ts'

/** A created app that its own script has built. */
interface CreatedApp {
  readonly folder: string
  /** Arguments of npm that serve it. */
  readonly server: readonly string[]
  /** The folder with the files that browsers load. */
  readonly publicFolder: string
  /** In which it formats amounts. */
  readonly locale: 'en-US' | 'de-CH'
  /** Environment variables of the server. */
  readonly variables?: NodeJS.ProcessEnv
  /** Requests to the service when the browser navigates to a wallet. */
  readonly requestsToNavigate: number
}

/**
 * Expects that a created app shows balances, and those that the service pushes, through its proxy, that it shows none and errors,
 * and that it contains no secrets.
 */
export async function expectBrowserRendering(
  browser: Browser,
  app: CreatedApp,
  context: TestContext,
): Promise<void> {
  await expectMissingConfiguration(browser, app, context)
  const { folder, server: args, publicFolder, locale, variables, requestsToNavigate } = app
  const { onTestFinished } = context
  const service = await startWalletService({ changes: true })
  onTestFinished(() => service.close())
  const environment = { ...variables, ...variablesOf(service) }
  const server = await start('npm', [...args], folder, /http:\/\/[\d.]+:\d+/, environment)
  onTestFinished(() => server.stop())
  await expectNoSecrets([path.join(folder, publicFolder)], service.secrets)

  const { page, requests, messages } = await openPage(browser)
  onTestFinished(() => page.context().close())
  const isOf = (part: string) => (each: { url(): string }) => each.url().includes(`/v1/evm/${part}`)
  const waitForStream = () => page.waitForResponse(isOf('changes?'))
  const streamOfNavigation = waitForStream()
  await page.goto(server.readyText)
  await page.getByText('Select a wallet.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'vitalik.eth' }).click()
  const wallet = wallets['vitalik.eth']
  await page.getByText(`${wallet.text[locale]} ETH on Ethereum`, { exact: true }).waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(requests.filter((url) => url.includes('/balances/'))).toHaveLength(requestsToNavigate)
  // Also of a response that a server has rendered.
  await streamOfNavigation
  const refreshed = page.waitForResponse(isOf('balances/'))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await refreshed
  service.setAmount(wallet, 2n * wallet.amount)
  // Pushed: what is followed is not polled.
  const text = locale === 'en-US' ? '2,469,135 ETH on Ethereum' : '2’469’135 ETH on Ethereum'
  await page.getByText(text, { exact: true }).waitFor()
  const streamOfPage = waitForStream()
  await page.goto(`${server.readyText}/?address=${wallet.address}`)
  await streamOfPage
  service.setAmount(wallet, wallet.amount)
  await page.getByText(`${wallet.text[locale]} ETH on Ethereum`, { exact: true }).waitFor()
  await page.goto(server.readyText)
  await page.getByLabel('Address').fill(`0x${'0'.repeat(40)}`)
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('No balances.').waitFor()
  expect(messages).toEqual([])
  await expectFirstError(page, service, `${server.readyText}/?address=${wallet.address}`)
  // Vue reports hydration mismatches as errors.
  expect(messages.filter((message) => !message.includes('status of 402'))).toEqual([])
}

/** What axe finds, best practices included. */
async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** Without `.env`, the page shows an error after its first request, and refers to the log of the server, which has the reason. */
async function expectMissingConfiguration(
  browser: Browser,
  { folder, server: args, variables }: CreatedApp,
  { onTestFinished }: TestContext,
): Promise<void> {
  const server = await start('npm', [...args], folder, /http:\/\/[\d.]+:\d+/, variables)
  onTestFinished(() => server.stop())
  const { page, requests } = await openPage(browser)
  onTestFinished(() => page.context().close())
  await page.goto(`${server.readyText}/?address=${wallets['vitalik.eth'].address}`)
  await page.getByRole('alert').filter({ hasText: 'see the log of its server' }).waitFor()
  expect(requests.filter((url) => url.includes('/balances/'))).toHaveLength(1)
  expect(server.output()).toContain('baseUrl is undefined: set its environment variable')
}

/** A page whose first request fails, on a server too, shows the error until it is refreshed. */
async function expectFirstError(page: Page, service: WalletService, url: string): Promise<void> {
  const heal = service.fail({ status: 402 })
  await page.goto(url)
  await page.getByRole('alert').filter({ hasText: 'compute units' }).waitFor()
  heal()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText(/^[\d,.’]+ ETH on Ethereum$/).waitFor()
  await page.getByRole('alert').filter({ hasText: 'compute units' }).waitFor({ state: 'detached' })
}
