import path from 'node:path'
import type { Browser } from 'playwright-core'
import { expect, type TestContext } from 'vitest'
import { expectNoSecrets, openPage } from './appPage.ts'
import { start } from './run.ts'
import { startWalletService, variablesOf, wallets } from './walletService.ts'

/** Expects that a built Vite app shows balances and refreshes them through its proxy, and that it contains no secrets. */
export async function expectBrowserRendering(
  browser: Browser,
  folder: string,
  { onTestFinished }: TestContext,
): Promise<void> {
  const service = await startWalletService()
  onTestFinished(() => service.close())
  const args = ['run', 'preview', '--', '--host', '127.0.0.1']
  const server = await start('npm', args, folder, /http:\/\/[\d.]+:\d+/, variablesOf(service))
  onTestFinished(() => server.stop())
  await expectNoSecrets([path.join(folder, 'dist')], service.secrets)

  const { page, requests, messages } = await openPage(browser)
  onTestFinished(() => page.context().close())
  await page.goto(server.readyText)
  await page.getByText('Select a wallet.').waitFor()
  await page.getByRole('link', { name: 'vitalik.eth' }).click()
  const wallet = wallets['vitalik.eth']
  await page.getByText(`${wallet.text['en-US']} ETH`, { exact: true }).waitFor()
  expect(requests).toHaveLength(1)
  service.setAmount(wallet, 2n * wallet.amount)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('2,469,135 ETH', { exact: true }).waitFor()
  expect(requests).toHaveLength(2)
  expect(messages).toEqual([])
}
