// Uses the packed packages in any runtime, without network: the fake service is the client's `fetch`.

/**
 * @param {object} core - The exports of `@headwater/core`.
 * @param {object} testing - The exports of `@headwater/testing`.
 * @returns {Promise<object>} What the client returned, as JSON values: equal in all runtimes.
 */
export async function checkClient(core, testing) {
  const service = testing.createFakeService()
  const open = (options) =>
    core.createClient({
      baseUrl: service.url,
      apiKey: service.key,
      fetch: service.fetch,
      ssr: false,
      ...options,
    })
  const client = open()
  const { address } = service.wallet('everyday')
  const report = {}

  const { balances } = await core.getBalances(client, { address })
  report.balances = balances.map((row) => `${row.chain_id}/${row.address} ${row.amount}`)

  const blocks = setInterval(() => service.advance(), 20)
  report.polledAmounts = await new Promise((resolve, reject) => {
    const seen = new Set()
    const subscription = core
      .watchBalances(client, { address }, { refetchInterval: 1000 })
      .subscribe(({ data, error }) => {
        if (error) {
          reject(error)
        }
        if (data) {
          seen.add(data.map((row) => row.amount).join())
        }
        if (seen.size === 2) {
          subscription.unsubscribe()
          resolve(seen.size)
        }
      })
  })
  clearInterval(blocks)

  // As an observable, because Hermes compiles no `for await`.
  const { address: token, chainId } = service.token('CROWD')
  report.holders = 0
  const holders = core.paginateTokenHolders(client, { chainId, address: token })
  await new Promise((resolve, reject) =>
    holders.subscribe({ next: () => report.holders++, error: reject, complete: resolve }),
  )

  report.isCounted = client.getUsage().spent === service.units

  const nameOf = (promise) =>
    promise.then(
      () => 'resolved',
      (error) => error?.name ?? String(error),
    )
  const release = service.fail({ kind: 'hold' })
  report.timeout = await nameOf(core.getBalances(open({ timeout: 20 }), { address }))
  const destroyed = open()
  const pending = nameOf(core.getBalances(destroyed, { address }))
  destroyed.destroy()
  report.destroyed = await pending
  release()
  // The fetch of an app that uses a global that the runtime lacks.
  report.missingGlobal = await nameOf(
    core.getBalances(open({ fetch: () => missingGlobal() }), { address }),
  )

  report.amount = core.formatAmount('1234567890000000000', 18)
  client.destroy()
  return report
}
