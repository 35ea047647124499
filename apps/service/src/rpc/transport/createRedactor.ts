/** Shorter parts are not secrets, and occur in every message. */
const minSecretLength = 3
/** Shorter secrets are redacted only as whole words. */
const minSubstringLength = 8

/**
 * Creates a function that redacts the parts of a node's URL that may be secret: user name and password, also as the
 * `Authorization` header, path segments and query values, each encoded and decoded.
 */
export function createRedactor(url: string): (text: string) => string {
  const { username, password, pathname, search } = new URL(url)
  const encoded = [
    username,
    password,
    ...pathname.split('/'),
    ...search
      .slice(1)
      .split('&')
      .map((pair) => pair.slice(pair.indexOf('=') + 1)),
  ]
  const basic = Buffer.from([username, password].map(decodeURIComponent).join(':'))
  const secrets = [url, ...encoded, ...encoded.map(decode), basic.toString('base64')]
    .filter(({ length }) => length >= minSecretLength)
    // The longest first, as it may contain others.
    .sort((a, b) => b.length - a.length)
  if (secrets.length === 0) {
    return (text) => text
  }
  const pattern = new RegExp(secrets.map(toPattern).join('|'), 'gi')
  return (text) => text.replaceAll(pattern, '…')
}

function toPattern(secret: string): string {
  const escaped = secret.replaceAll(/\W/g, String.raw`\$&`)
  return secret.length >= minSubstringLength ? escaped : `(?<!\\w)${escaped}(?!\\w)`
}

/** Keeps text that is not valid percent-encoding. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
