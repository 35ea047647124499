/** The locales of number and time formats; the first is the default. All prices are in USD. */
export const locales = [
  { tag: 'en-US', name: 'English (US)' },
  { tag: 'en-GB', name: 'English (UK)' },
  { tag: 'de-DE', name: 'Deutsch' },
  { tag: 'de-CH', name: 'Deutsch (Schweiz)' },
  { tag: 'fr-FR', name: 'Français' },
  { tag: 'es-ES', name: 'Español' },
  { tag: 'pt-BR', name: 'Português' },
  { tag: 'hi-IN', name: 'हिन्दी' },
  { tag: 'ja-JP', name: '日本語' },
] as const
