/** Typical and malicious URIs of NFTs. Only `data:` URIs resolve. */
export const oddUris: readonly string[] = [
  // Plain JSON in the URI.
  `data:application/json,${encodeURIComponent(
    JSON.stringify({
      name: 'Plain Pebble',
      description: 'Its metadata is written out in its URI.',
      image:
        "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'><rect width='100' height='100' fill='%23274c77'/><ellipse cx='50' cy='58' rx='30' ry='20' fill='%23e7ecef'/></svg>",
      attributes: [{ trait_type: 'Kind', value: 'Pebble' }],
    }),
  )}`,
  'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/7.json',
  'https://collectibles.invalid/tokens/3.json',
  'ar://bNbA3TEQVL60xlgCcqdz4ZPHFZ711cZ3hmkpGttDt_U',
  // An image that contains a script.
  json({
    name: '<img src=x onerror=alert(4)> Siren',
    description: 'Its picture would like to run a script.\u0000\u202e',
    image: `data:image/svg+xml;base64,${base64(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" onload="alert(1)"><script>document.title="sunk";fetch("https://attacker.invalid")</script><foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(2)"/></foreignObject><circle cx="50" cy="50" r="40" fill="crimson"/></svg>',
    )}`,
  }),
  json({ name: 'Unseen', description: 'It has no picture.' }),
  'data:application/json;base64,bm90IGpzb24gYXQgYWxsIHsiOiA=',
  json(['a list', 'where an object should be']),
  json({ name: 'Redirected', image: 'http://169.254.169.254/latest/meta-data/' }),
  'http://127.0.0.1:8545/',
  'http://[::ffff:127.0.0.1]/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  // The call reverts.
  'revert',
]

function json(value: unknown): string {
  return `data:application/json;base64,${base64(JSON.stringify(value))}`
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
