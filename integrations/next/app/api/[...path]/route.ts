/** Forwards requests of browsers to the service, with the API key, which stays on the server. */
export async function GET(request: Request, { params }: { params: Promise<{ path: string[] }> }) {
  const { path } = await params
  const url = `${process.env.HEADWATER_URL}/${path.join('/')}${new URL(request.url).search}`
  const { body, status, headers } = await fetch(url, {
    headers: { 'X-Service-Api-Key': process.env.HEADWATER_API_KEY! },
    signal: request.signal,
  })
  const forwarded = new Headers(headers)
  // The body is decoded.
  forwarded.delete('content-encoding')
  forwarded.delete('content-length')
  return new Response(body, { status, headers: forwarded })
}
