/** URLs of the demos by binding. */
type DemoUrls = Readonly<Record<string, string>>

/** Sets the links to the demos, or shows a notice if their URLs are not configured. */
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
