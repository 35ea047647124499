import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/** A real Chromium, from npm. */
export async function launchChromium(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
