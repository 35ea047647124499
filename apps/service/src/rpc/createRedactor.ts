/** Shorter ones are no secrets, and occur in every sentence. */
const shortestLength = 3
/** Shorter ones are taken out only where they stand alone. */
const tellingLength = 8

/**
 * Makes a function that takes out of a text what a node's URL may hold of secrets: user name and password, also as the
 * header tells them, pieces of the path and values of the query; each as it is written and as it is meant.
 */
export function createRedactor(url: string): (text: string) => string {
  const { username, password, pathname, search } = new URL(url)
  const written = [
    username,
    password,
    ...pathname.split('/'),
    ...search
      .slice(1)
      .split('&')
      .map((pair) => pair.slice(pair.indexOf('=') + 1)),
  ]
  const basic = Buffer.from([username, password].map(decodeURIComponent).join(':'))
  const secrets = [url, ...written, ...written.map(decoded), basic.toString('base64')]
    .filter(({ length }) => length >= shortestLength)
    // The longest first: it may hold others.
    .sort((a, b) => b.length - a.length)
  if (secrets.length === 0) return (text) => text
  const pattern = new RegExp(secrets.map(patternOf).join('|'), 'gi')
  return (text) => text.replaceAll(pattern, '…')
}

function patternOf(secret: string): string {
  const escaped = secret.replaceAll(/\W/g, String.raw`\$&`)
  return secret.length >= tellingLength ? escaped : `(?<!\\w)${escaped}(?!\\w)`
}

/** What has no meaning is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
