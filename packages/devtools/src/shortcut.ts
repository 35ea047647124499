const modifiers = { Alt: 'altKey', Ctrl: 'ctrlKey', Meta: 'metaKey', Shift: 'shiftKey' } as const

/** A parsed shortcut. */
export interface Shortcut {
  readonly text: string
  readonly matches: (event: KeyboardEvent) => boolean
}

/**
 * Parses a shortcut such as `Alt+Shift+H`.
 *
 * @throws {TypeError} when it has no modifier, or does not end with a letter or a digit.
 */
export function parseShortcut(text: string): Shortcut {
  const parts = text.split('+').map((part) => part.trim())
  const key = parts.pop()?.toUpperCase() ?? ''
  const isKnown = parts.every((part) => Object.hasOwn(modifiers, part))
  if (parts.length === 0 || !isKnown || !/^[A-Z0-9]$/.test(key)) {
    throw new TypeError(
      `Headwater devtools: \`shortcut\` must be modifiers (Alt, Ctrl, Meta, Shift) and a letter or digit, such as "Alt+Shift+H"; received "${text}".`,
    )
  }
  // A position, as with Alt many layouts type another character.
  const code = /\d/.test(key) ? `Digit${key}` : `Key${key}`
  return {
    text: [...parts, key].join('+'),
    matches: (event) =>
      event.code === code &&
      Object.entries(modifiers).every(([name, flag]) => event[flag] === parts.includes(name)),
  }
}
