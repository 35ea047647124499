import { locales } from '../formats/locales.ts'
import { isAddress } from '../links/isAddress.ts'
import { budgets } from '../meter/budgets.ts'
import type { Settings, Theme } from './Settings.ts'

const themes: readonly unknown[] = ['system', 'light', 'dark'] satisfies Theme[]
const maxRecent = 5

/** Parses stored settings, possibly of another version of the page; invalid ones get their default. */
export function readSettings(text: string | null): Settings {
  const stored = parse(text)
  const { theme, locale, budget, recentWallets } = stored
  return {
    theme: isTheme(theme) ? theme : 'system',
    locale: locales.find(({ tag }) => tag === locale)?.tag ?? locales[0].tag,
    recentWallets: (Array.isArray(recentWallets) ? recentWallets : [])
      .filter(isAddress)
      .slice(0, maxRecent),
    hidesSmall: stored.hidesSmall === true,
    hidesSpam: stored.hidesSpam === true,
    budget: budgets.find((each) => each === budget) ?? null,
  }
}

/** Whether a value names a theme. */
export function isTheme(value: unknown): value is Theme {
  return themes.includes(value)
}

/** Moves a wallet to the front of the recent ones. */
export function withRecent(recent: readonly string[], address: string): readonly string[] {
  const wallet = address.toLowerCase()
  if (!isAddress(wallet) || recent[0] === wallet) {
    return recent
  }
  return [wallet, ...recent.filter((each) => each !== wallet)].slice(0, maxRecent)
}

function parse(text: string | null): Partial<Record<keyof Settings, unknown>> {
  try {
    return (JSON.parse(text ?? '') ?? {}) as object
  } catch {
    return {}
  }
}
