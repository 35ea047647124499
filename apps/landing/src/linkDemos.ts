/** Where `npm start` serves the wallets. */
type DemoUrls = Readonly<Record<string, string>>

/** Points the links at the wallets; says so where nobody told where those are. */
export async function linkDemos(): Promise<void> {
  const urls = await loadUrls().catch(() => undefined)
  document.querySelector<HTMLElement>('#unlinked')!.hidden = urls !== undefined
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-demo]')) {
    const url = urls?.[link.dataset.demo!]
    if (url) {
      link.href = url
    } else {
      link.removeAttribute('href')
    }
  }
}

async function loadUrls(): Promise<DemoUrls> {
  const response = await fetch('./config.json')
  if (!response.ok) {
    throw new Error(`${response.status}`)
  }
  return ((await response.json()) as { demos: DemoUrls }).demos
}
