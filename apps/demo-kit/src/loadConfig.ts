/** What the starter tells the page. */
export interface Config {
  apiUrl: string
  apiKey: string
  wallets: { name: string; address: string }[]
}

/**
 * Reads `config.json` beside the page; `?key=…` in the page's address replaces the key.
 *
 * @returns The configuration, or null when there is none that can be used.
 */
export async function loadConfig(): Promise<Config | null> {
  try {
    const response = await fetch('./config.json', { cache: 'no-store' })
    const { apiUrl, apiKey, wallets } = (await response.json()) as Partial<Config>
    if (!apiUrl || !URL.canParse(apiUrl)) return null
    const key = new URLSearchParams(location.search).get('key')
    return { apiUrl, apiKey: key ?? apiKey ?? '', wallets: wallets ?? [] }
  } catch {
    return null
  }
}
