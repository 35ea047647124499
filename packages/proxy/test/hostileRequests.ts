import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'

/** A request as bytes on a socket, as `fetch` would correct many hostile ones. */
export interface RawRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
}

/** Sends a request and reads the response to its end. */
export async function sendRaw(
  host: string,
  { method, target, headers }: RawRequest,
): Promise<string> {
  const socket = connect(Number(host.split(':')[1]), '127.0.0.1')
  const lines = [`${method} ${target} HTTP/1.1`, ...headers, 'Connection: close']
  socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'))
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => (text += String(chunk)))
  // A server that rejects a request may reset the connection.
  socket.on('error', () => undefined)
  await once(socket, 'close')
  return text
}

const text = fc.string({ unit: 'binary', maxLength: 30 })
const encoded = text.map((value) => encodeURIComponent(value))
export const ascii = fc.string({
  unit: fc.constantFrom(...'abcxyz019%&=?#/\\.;:@,+-_~!$()*[]{}|^"<>`'),
  maxLength: 30,
})

/**
 * Requests with at least one defect each: in the path, the parameters, the method, the origin or the headers.
 *
 * @param options.host - Host of the proxy.
 * @param options.basePath - Path of the proxy.
 * @param options.paths - Permitted paths and queries; the first is one of `balances`.
 * @param options.wallet - The wallet of the first path.
 * @param options.token - A token.
 * @param options.upstreamHost - Host of the service.
 */
export function sampleHostileRequests(
  count: number,
  options: {
    readonly host: string
    readonly basePath: string
    readonly paths: readonly string[]
    readonly wallet: string
    readonly token: string
    readonly upstreamHost: string
  },
): RawRequest[] {
  const { host, basePath, wallet: address, token, upstreamHost } = options
  const validPaths = options.paths.map((each) => basePath + each)
  const path = validPaths[0]!
  const validHeaders = () => [`Host: ${host}`, 'Sec-Fetch-Site: same-origin']
  const defectiveTargets = fc.oneof(
    // Traversal, encodings of slashes and dots, other prefixes, fragments.
    fc
      .tuple(
        fc.constantFrom(
          '..',
          '%2e%2e',
          '.%2E',
          '%252e%252e',
          '..%2f',
          '..%5c',
          '..;',
          '%00',
          '%c0%ae',
          '//',
        ),
        fc.nat({ max: 4 }),
        fc.constantFrom(
          '/metrics',
          '/openapi.json',
          '/ready',
          '/admin',
          '/v1/evm/token-holders/1/0x0',
        ),
      )
      .map(
        ([part, count, end]) => `${basePath}/v1/evm/balances/${`${part}/`.repeat(count)}..${end}`,
      ),
    fc
      .constantFrom(
        '',
        '/v1',
        basePath,
        basePath.toUpperCase(),
        `${basePath}/v2`,
        `${basePath}//v1`,
        `${basePath}/%76`,
        `/${basePath}/v1`,
      )
      .map((prefix) => `${prefix}/evm/balances/${address}`),
    ascii.map((end) => `${basePath}/v1/evm/balances/x${end}`),
    encoded.map((end) => `${path}%2f${end}`),
    encoded.map((wallet) => `${basePath}/v1/evm/balances/${wallet}`),
    ascii.map((end) => `${basePath}/v1/evm/token-holders/1/${token}?${end}`),
    // Parameters: invalid, repeated, malformed, beside unknown ones.
    fc
      .tuple(
        fc.constantFrom(
          'limit=0',
          'limit=-1',
          'limit=1.5',
          'limit=0x10',
          'limit=1&limit=1',
          'limit=1&%6cimit=2',
          'offset=a&offset=b',
          'chain_ids=',
          'chain_ids=1,,2',
          'chain_ids=-1',
          'chain_ids=1%0d%0aX-Service-Api-Key:%20a',
          'chain_ids[]=1&chain_ids=%5b1%5d',
          'filters=ERC20',
          'metadata=logo,script',
          'exclude_spam_tokens=yes',
          'historical_prices=1,2,3,4',
          'historical_prices=0',
        ),
        ascii.map((value) => value.replaceAll('#', '')),
        fc.boolean(),
      )
      .map(
        ([defect, extra, first]) =>
          `${path}?${first ? `${defect}&x=${extra}` : `x=${extra}&${defect}`}`,
      ),
    // Absolute-form URLs and other forms of targets.
    fc
      .constantFrom(
        'http://169.254.169.254',
        `http://${upstreamHost}`,
        'https://evil.example',
        'file://',
        'http://[::1]',
        '@evil.example',
        '*',
        '\\\\evil',
      )
      .map((start) => `${start}/v1/evm/balances/${address}`),
    // Huge URLs.
    fc.integer({ min: 8200, max: 20_000 }).map((length) => `${path}?x=${'a'.repeat(length)}`),
  )

  const hostile: fc.Arbitrary<RawRequest> = fc.oneof(
    defectiveTargets.map((target) => ({ method: 'GET', target, headers: validHeaders() })),
    // Methods.
    fc
      .tuple(
        fc.constantFrom(
          'POST',
          'PUT',
          'PATCH',
          'DELETE',
          'TRACE',
          'CONNECT',
          'PROPFIND',
          'get',
          'GE\tT',
        ),
        fc.constantFrom(...validPaths),
      )
      .map(([method, target]) => ({ method, target, headers: validHeaders() })),
    // Origins.
    fc
      .tuple(
        fc.constantFrom(...validPaths),
        fc.constantFrom(
          [],
          ['Origin: https://evil.example'],
          ['Origin: null'],
          ['Referer: https://evil.example/'],
          ['Sec-Fetch-Site: cross-site'],
          ['Sec-Fetch-Site: same-site'],
          ['Sec-Fetch-Site: same-origin, cross-site'],
          ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'],
          ['X-Forwarded-Host: evil.example', 'Origin: https://evil.example'],
        ),
      )
      .map(([target, origin]) => ({
        method: 'GET',
        target,
        headers: [`Host: ${host}`, ...origin],
      })),
    // Header injection, with defective targets, so that the text of the header is what matters.
    fc
      .tuple(
        defectiveTargets,
        text,
        fc.constantFrom(
          'X-Request-Id',
          'If-None-Match',
          'Cookie',
          'X-Service-Api-Key',
          'Content-Length',
          'Transfer-Encoding',
        ),
      )
      .map(([target, value, name]) => ({
        method: 'GET',
        target,
        headers: [...validHeaders(), `${name}: ${value}`],
      })),
  )

  return fc.sample(hostile, { numRuns: count, seed: 7 })
}
