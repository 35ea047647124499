import { locales } from '../formats/locales.ts'
import { isAddress } from '../links/isAddress.ts'
import { budgets } from '../meter/budgets.ts'
import type { Settings, Theme } from './Settings.ts'

const themes: readonly unknown[] = ['system', 'light', 'dark'] satisfies Theme[]
const mostRecent = 5

/** Reads settings as they were stored, by whatever version of this page; each that cannot be read has its default. */
export function readSettings(text: string | null): Settings {
  const stored = parse(text)
  const { theme, locale, budget, recentWallets } = stored
  return {
    theme: isTheme(theme) ? theme : 'system',
    locale: locales.find(({ tag }) => tag === locale)?.tag ?? locales[0].tag,
    recentWallets: (Array.isArray(recentWallets) ? recentWallets : [])
      .filter(isAddress)
      .slice(0, mostRecent),
    hidesSmall: stored.hidesSmall === true,
    hidesSpam: stored.hidesSpam === true,
    budget: budgets.find((each) => each === budget) ?? null,
  }
}

/** Whether a value names a theme. */
export function isTheme(value: unknown): value is Theme {
  return themes.includes(value)
}

/** Puts a wallet in front of those looked at last. */
export function withRecent(recent: readonly string[], address: string): readonly string[] {
  const wallet = address.toLowerCase()
  if (!isAddress(wallet) || recent[0] === wallet) {
    return recent
  }
  return [wallet, ...recent.filter((each) => each !== wallet)].slice(0, mostRecent)
}

function parse(text: string | null): Partial<Record<keyof Settings, unknown>> {
  try {
    return (JSON.parse(text ?? '') ?? {}) as object
  } catch {
    return {}
  }
}
