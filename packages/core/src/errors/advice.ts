const unknownPath =
  'Pass the URL of the service, or of the proxy of the app, as `baseUrl` to `createClient`: without `/v1`, and with the path of the proxy, whose `operations` must contain that of the request.'
const otherKey = 'Use an API key that was issued for this API.'

/**
 * What the developer or user can do about an error: by its name, by the status of an error response, by the code of a 403 or
 * 404, or by the rule that a parameter violates. Not a part of production builds.
 */
export const advice: Readonly<Record<string | number, string>> = {
  401: 'Pass a valid `apiKey` to `createClient`.',
  'is unknown':
    'Correct its name. Options, such as `refetchInterval`, are the argument after the parameters. Nothing was sent.',
  402: "The API key's compute units are used up. Top up the key, then refetch.",
  403: otherKey,
  API_KEY_PURPOSE: otherKey,
  NOT_PERMITTED: 'The function `authorize` of the proxy of the app must permit the request.',
  ORIGIN_NOT_ALLOWED:
    'Open the page at the origin of the proxy of the app, or add its origin to the `origins` of the proxy.',
  404: unknownPath,
  NOT_FOUND: unknownPath,
  429: 'Send fewer requests. Polling slows down automatically.',
  BudgetError: 'Call `setBudget`, or retry after `retryAfter` if set.',
  DestroyedError:
    'Keep a client as long as what uses it. A client that the cleanup of a React effect destroys must be created by that effect.',
  InvalidParameterError: 'Correct the parameter. Nothing was sent.',
  InvalidResponseError: 'Check that `baseUrl` is the URL of the service itself.',
  NetworkError: 'Check the network, that the service runs at `baseUrl`, and its CORS headers.',
  PriceUnavailableError: 'Check the chain id and the address of the token.',
  TimeoutError: 'Retry, or raise `timeout`.',
  UnexpectedError: 'See `cause`.',
}
