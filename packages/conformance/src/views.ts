import type { HeadwaterError, PriceList, SkipToken, Snapshot } from '@headwater/core'
import type { Streams } from './Streams.ts'
import { type View, view } from './View.ts'

type Options<Name extends keyof Streams> = Streams[Name]['options']
type Parameters<Name extends keyof Streams> = Exclude<Streams[Name]['parameters'], SkipToken>

/** Text of a snapshot: its status, data and error. */
export const writing =
  <Data>(writeData: (data: Data) => string) =>
  ({ status, data, error, isPlaceholderData }: Snapshot<Data>): string =>
    [
      status,
      isPlaceholderData && 'placeholder',
      data !== undefined && writeData(data),
      error && `! ${error.name}`,
    ]
      .filter(Boolean)
      .join(' ')

/** The balances of a wallet, as `success ETH 20, USDC 3`. */
export const balances = (
  address: string,
  options: Options<'balances'> = {},
  parameters: Partial<Parameters<'balances'>> = {},
): View =>
  view(
    'balances',
    { address, ...parameters },
    options,
    writing((rows) => rows.map(({ symbol, amount }) => `${symbol} ${amount}`).join(', ')),
  )

/** The number of rows of a wallet and the state of the listing, as `success 20 of more`. */
export const listing = (address: string, options: Options<'balances'> = {}): View =>
  view('balances', { address, chainIds: [1] }, options, (snapshot) =>
    [
      writing((rows: readonly unknown[]) => String(rows.length))(snapshot),
      snapshot.hasNextPage ? 'of more' : '',
      snapshot.isFetchingNextPage ? 'fetching' : '',
      ...snapshot.warnings.map(({ code }) => code),
    ]
      .filter(Boolean)
      .join(' '),
  )

/** The balance of one token, as `success 20`. */
export const tokenBalance = (
  parameters: Parameters<'tokenBalance'>,
  options: Options<'tokenBalance'> = {},
): View =>
  view(
    'tokenBalance',
    parameters,
    options,
    writing(({ balances }) => balances.map(({ amount }) => amount).join(', ')),
  )

/** The symbol and price of a token, as `success USDC 1.01`. */
export const tokenInfo = (
  parameters: Parameters<'tokenInfo'>,
  options: Options<'tokenInfo'> = {},
): View =>
  view(
    'tokenInfo',
    parameters,
    options,
    writing(({ tokens }) => tokens.map((token) => `${token.symbol} ${token.price_usd}`).join(', ')),
  )

/** The number of fetched holders and the largest balance, as `success 500, largest 20`. */
export const tokenHolders = (
  parameters: Parameters<'tokenHolders'>,
  options: Options<'tokenHolders'> = {},
): View =>
  view(
    'tokenHolders',
    parameters,
    options,
    writing((rows) => `${rows.length}, largest ${rows[0]?.balance}`),
  )

/** A price, as `success 2500 of balances`. */
export const price = (token: Parameters<'price'>, options: Options<'price'> = {}): View =>
  view(
    'price',
    token,
    options,
    writing(({ price_usd, source }) => `${price_usd} of ${source}`),
  )

/** Prices in the order of the tokens, as `success 2500, ?, ? ! HttpError`. */
export const prices = (tokens: Parameters<'prices'>, options: Options<'prices'> = {}): View =>
  view('prices', tokens, options, (snapshot) =>
    writing((ticks: PriceList) =>
      ticks
        .map((tick, index) => tick?.price_usd ?? writeUnknown(snapshot.errors[index]))
        .join(', '),
    )(snapshot),
  )

const writeUnknown = (error: HeadwaterError | null | undefined) =>
  error ? `? ! ${error.name}` : '?'

/** The value of a wallet, as `success 20.5 of 3 tokens`. */
export const portfolio = (
  parameters: Parameters<'portfolio'>,
  options: Options<'portfolio'> = {},
): View =>
  view(
    'portfolio',
    parameters,
    options,
    writing(({ value_usd, tokens }) => `${value_usd} of ${tokens} tokens`),
  )

/**
 * The value of several wallets, as `success 30: alice 20, bob 10: USDC 30 complete`.
 *
 * @param wallets - Addresses by name.
 */
export const wallets = (
  named: Readonly<Record<string, string>>,
  options: Options<'portfolio'> = {},
): View =>
  view(
    'portfolio',
    { address: Object.values(named), chainIds: [1] },
    options,
    writing((portfolio) => {
      const values = Object.entries(named).map(([name, address]) => {
        const wallet = portfolio.wallets.find((each) => each.address === address.toLowerCase())
        return `${name} ${wallet?.value_usd}`
      })
      const holdings = portfolio.holdings.map(({ symbol, amount }) => `${symbol} ${amount}`)
      const notices = portfolio.complete ? ['complete'] : portfolio.warnings.map(({ code }) => code)
      return [portfolio.value_usd, values.join(', '), holdings.join(', '), ...notices].join(': ')
    }),
  )

/** Spent compute units. */
export const usage = (options: Options<'usage'> = {}): View =>
  view('usage', undefined, options, ({ spent }) => String(spent))

/** The status of an expected change and of its transaction, as `pending, transaction mined`. */
export const waitForChange = (options: Options<'waitForChange'> = {}): View =>
  view('waitForChange', undefined, options, ({ status, transaction }) =>
    transaction ? `${status}, transaction ${transaction.status}` : status,
  )
