import { expect, it } from 'vitest'
import { launchChromium } from '@headwater/chromium'
import { Demo } from './Demo.ts'
import { nextFrame } from './describePage.ts'

const page = `
  <style>li, div { height: 100px; width: 1000px; background: silver }</style>
  <ul data-testid="gallery"><li>one</li><li>two</li></ul>
  <div aria-rowindex="2">ranked</div>
  <div id="other">other</div>`

it('counts what moves, but not by its rank or its place in a list, also with an advanced clock', async () => {
  const browser = await launchChromium()
  try {
    const demo = await Demo.open(await browser.newContext(), '')
    await demo.page.clock.install()
    await demo.page.goto(`data:text/html,${encodeURIComponent(page)}`)
    await demo.page.clock.fastForward(60_000)
    await demo.page.evaluate(() => {
      document.querySelector('ul')!.prepend(document.createElement('li'))
    })
    await demo.page.evaluate(nextFrame)
    await demo.page.evaluate(() => {
      const row = document.querySelector<HTMLElement>('[aria-rowindex]')!
      row.ariaRowIndex = '3'
      row.style.marginTop = '100px'
    })
    await demo.page.evaluate(nextFrame)
    await demo.page.evaluate(() => {
      document.querySelector<HTMLElement>('#other')!.style.marginTop = '100px'
    })
    await expect.poll(() => demo.page.evaluate(() => window.layoutShifts)).not.toEqual([])
    const shifts = await demo.page.evaluate(() => window.layoutShifts)
    expect(shifts).toEqual([expect.stringMatching(/ of DIV \(top 508 to 608,[^(]*$/)])
  } finally {
    await browser.close()
  }
})
