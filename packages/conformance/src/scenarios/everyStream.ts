import { assert } from 'chai'
import { type OperationName, operations } from '@headwater/contract'
import { createParameters } from '@headwater/contract/schemas'
import { skipToken } from '@headwater/core'
import type { FakeService } from '@headwater/testing'
import { type Scenario, scenario } from '../Scenario.ts'
import type { Stage } from '../Stage.ts'
import { type SnapshotStreamName, snapshotStreams, type Streams } from '../Streams.ts'
import { type View, view } from '../View.ts'
import { writing } from '../views.ts'
import { countRequests, interval } from './world.ts'

type WalletName = Parameters<FakeService['wallet']>[0]

type StreamParameters = { readonly [Name in SnapshotStreamName]: Streams[Name]['parameters'] }

/** Parameters of each stream, of a wallet and of a token of chain 1. */
function parametersOf(
  { service }: Stage,
  walletName: WalletName,
  symbol: string,
): StreamParameters {
  const { address: wallet } = service.wallet(walletName)
  const { address: token } = service.token(symbol)
  const chainId = 1
  const ofOperations = (Object.keys(operations) as OperationName[]).map((name) => [
    name,
    createParameters(name, { wallet, token, chainId }),
  ])
  return {
    ...(Object.fromEntries(ofOperations) as Pick<StreamParameters, OperationName>),
    price: { chainId, address: token },
    prices: [{ chainId, address: token }],
    portfolio: { address: wallet },
  }
}

const first = (stage: Stage): StreamParameters => parametersOf(stage, 'everyday', 'USDC')
const second = (stage: Stage): StreamParameters => parametersOf(stage, 'collector', 'WETH')

/** A view of any stream that writes its status, data and error, after a label of its parameters. */
function labelled(
  name: SnapshotStreamName,
  label: string,
  parameters: StreamParameters,
  options: object = {},
): View {
  const write = writing((data: unknown) => JSON.stringify(data))
  return view<SnapshotStreamName>(
    name,
    parameters[name],
    options,
    (snapshot) => `${label}: ${write(snapshot)}`,
  )
}

/** What holds for every stream of snapshots, for the hook, composable or store of each. */
export const everyStream: readonly Scenario[] = snapshotStreams.flatMap((name) => [
  scenario(`${name}: shows the response to two components after one request`, async (stage) => {
    const wanted = labelled(name, 'first', first(stage))
    const shown = await stage.mountTwice(stage.createClient(), wanted, wanted)
    assert.equal(shown.rendered(0)[0], 'first: pending')
    assert.match(shown.text(0)!, /^first: success ./)
    assert.equal(shown.text(1), shown.text(0))
    assert.equal(shown.value(name, 1).data, shown.value(name, 0).data)
    assert.equal(countRequests(stage), 1)
  }),

  scenario(`${name}: never shows the data of old parameters with new ones`, async (stage) => {
    const one = labelled(name, 'first', first(stage))
    const other = labelled(name, 'second', second(stage))
    const shown = await stage.mount(stage.createClient(), one)
    const ofFirst = shown.text()!
    stage.service.fail({ kind: 'slow', delay: 300 })
    await shown.update(other)
    assert.equal(shown.text(), 'second: pending')
    await stage.pass(400)
    const ofSecond = shown.text()!
    assert.match(ofSecond, /^second: success ./)
    assert.notEqual(ofSecond.replace('second', 'first'), ofFirst)
    await shown.update(one)
    assert.deepEqual(shown.rendered(), [
      'first: pending',
      ofFirst,
      'second: pending',
      ofSecond,
      ofFirst,
    ])
  }),

  scenario(`${name}: sends nothing until it is enabled`, async (stage) => {
    const parameters = first(stage)
    const shown = await stage.mount(
      stage.createClient(),
      labelled(name, 'first', parameters, { enabled: false }),
    )
    await stage.pass(interval)
    assert.equal(shown.text(), 'first: pending')
    assert.equal(countRequests(stage), 0)
    await shown.update(labelled(name, 'first', parameters, { enabled: true }))
    assert.match(shown.text()!, /^first: success ./)
    assert.equal(countRequests(stage), 1)
  }),

  scenario(`${name}: sends nothing until its parameters are known`, async (stage) => {
    const known = first(stage)
    const { [name]: parameters } = known
    const unknown = Array.isArray(parameters)
      ? skipToken
      : { ...(parameters as object), address: undefined }
    const withName = (each: unknown) => ({ ...known, [name]: each }) as StreamParameters
    const shown = await stage.mount(
      stage.createClient(),
      labelled(name, 'unknown', withName(skipToken)),
      labelled(name, 'unknown', withName(unknown)),
    )
    await stage.pass(interval)
    await shown.value(name).refetch()
    assert.equal(shown.text(0), 'unknown: pending')
    assert.equal(shown.text(1), 'unknown: pending')
    assert.equal(countRequests(stage), 0)
    await shown.update(labelled(name, 'first', known), labelled(name, 'first', known))
    assert.match(shown.text(0)!, /^first: success ./)
    assert.equal(shown.text(1), shown.text(0))
    assert.equal(countRequests(stage), 1)
    await shown.update(labelled(name, 'unknown', withName(unknown)), null)
    await stage.pass(3 * interval)
    assert.equal(shown.text(), 'unknown: pending')
    assert.equal(countRequests(stage), 1)
  }),

  scenario(`${name}: shows an error as a state, and recovers by a refetch`, async (stage) => {
    const recover = stage.service.fail({ status: 401 })
    const shown = await stage.mount(stage.createClient(), labelled(name, 'first', first(stage)))
    assert.equal(shown.text(), 'first: error ! HttpError')
    recover()
    await shown.value(name).refetch()
    await stage.pass(0)
    assert.match(shown.text()!, /^first: success ./)
    assert.isNull(shown.value(name).error)
  }),

  scenario(`${name}: leaves nothing behind when it is unmounted in flight`, async (stage) => {
    const client = stage.createClient()
    const one = labelled(name, 'first', first(stage))
    const shown = await stage.mount(client, one)
    stage.service.fail({ kind: 'slow', delay: 300 })
    await shown.update(one, labelled(name, 'second', second(stage)))
    await shown.unmount()
    await stage.pass(interval)
    const before = countRequests(stage)
    assert.isAtLeast(before, 2)
    const queries = client.queryClient.getQueryCache().getAll()
    assert.isTrue(queries.every((query) => query.getObserversCount() === 0))
    assert.deepEqual(client.streams.getActiveQueries(), [])
    await stage.pass(10 * interval)
    assert.equal(countRequests(stage), before)
  }),

  scenario(`${name}: uses the client of the options, and requires one`, async (stage) => {
    const parameters = first(stage)
    let error: unknown
    await stage
      .mount(undefined, labelled(name, 'first', parameters))
      .catch((thrown: unknown) => (error = thrown))
    assert.match(
      (error as Error).message,
      /^No Headwater client found\. .*pass `client` in the options/,
    )
    assert.equal(countRequests(stage), 0)
    const queryClient = stage.createQueryClient()
    const client = stage.createClient({ queryClient })
    const shown = await stage.mount(undefined, labelled(name, 'first', parameters, { client }))
    assert.match(shown.text()!, /^first: success ./)
    assert.isNotEmpty(queryClient.getQueryCache().getAll())
  }),

  scenario(`${name}: names what plain JavaScript passes in place of options`, async (stage) => {
    const client = stage.createClient()
    for (const [parameter, options] of Object.entries({
      options: null,
      select: { select: 'text' },
    })) {
      const wrong = labelled(name, 'first', first(stage), options as never)
      let error: unknown
      await stage.mount(client, wrong).catch((thrown: unknown) => (error = thrown))
      assert.deepInclude(error, { name: 'InvalidParameterError', parameter })
    }
    assert.equal(countRequests(stage), 0)
  }),

  scenario(`${name}: renders on a server without a request`, async (stage) => {
    const html = await stage.renderToString(
      stage.createServerClient(),
      labelled(name, 'first', first(stage)),
    )
    assert.include(html, 'first: pending')
    await stage.pass(3 * interval)
    assert.equal(countRequests(stage), 0)
  }),
])
