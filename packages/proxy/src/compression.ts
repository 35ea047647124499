const coding = 'gzip'

/**
 * Encodes a body that the service had encoded, for visitors that accept it. `fetch` decodes what it receives, and URLs in the
 * body are replaced, so that it is encoded again.
 *
 * @returns the body, and the headers that describe it.
 */
export function encodeBody(
  body: ReadableStream<Uint8Array>,
  acceptEncoding: string | null,
): { body: ReadableStream<Uint8Array>; headers: Record<string, string> } {
  const headers = { Vary: 'Accept-Encoding' }
  if (!acceptsGzip(acceptEncoding) || typeof CompressionStream === 'undefined') {
    return { body, headers }
  }
  const encoded = body.pipeThrough(
    new CompressionStream(coding) as ReadableWritablePair<Uint8Array, Uint8Array>,
  )
  return { body: encoded, headers: { ...headers, 'Content-Encoding': coding } }
}

function acceptsGzip(acceptEncoding: string | null): boolean {
  return (acceptEncoding ?? '').split(',').some((each) => {
    const [name = '', ...parameters] = each.toLowerCase().split(';')
    const isRejected = parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter))
    return name.trim() === coding && !isRejected
  })
}
