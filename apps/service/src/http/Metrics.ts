import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { AuditCoverage } from '../audit/loadAuditCoverage.ts'
import type { AuditFigures } from '../audit/loadAuditFigures.ts'
import type { NodeStats } from '../rpc/transport/NodeStatistics.ts'
import { violationKinds } from '../rpc/verify/Violation.ts'
import type { ChainReadiness } from './loadReadiness.ts'

/** In seconds: from cached responses to those that call a node. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const nodeLabels: ('chain' | 'node')[] = ['chain', 'node']

/** The metrics of the service, in the text format of Prometheus. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = new Histogram({
    name: 'headwater_request_seconds',
    help: 'Duration of requests, by operation and status',
    labelNames: ['operation', 'status'],
    buckets,
    registers: [this.#registry],
  })
  readonly #units = new Counter({
    name: 'headwater_compute_units_total',
    help: 'Compute units charged, by operation',
    labelNames: ['operation'],
    registers: [this.#registry],
  })
  readonly #subscriptions = new Gauge({
    name: 'headwater_subscriptions',
    help: 'Open subscriptions to changes',
    registers: [this.#registry],
  })
  readonly #storeUp = new Gauge({
    name: 'headwater_store_up',
    help: '1 while the store is available',
    registers: [this.#registry],
  })
  readonly #replicaUp = new Gauge({
    name: 'headwater_replica_up',
    help: '1 while operations read from the replica, 0 while they read from the primary instead',
    registers: [this.#registry],
  })
  readonly #chain = {
    head_block: this.#gauge(
      'chain_head_block',
      'Head block of the nodes, as the indexer last received it',
    ),
    head_time: this.#gauge(
      'chain_head_time_seconds',
      'Timestamp of the head block, in Unix seconds, while nodes answer for the chain',
    ),
    indexed_block: this.#gauge('chain_indexed_block', 'Latest indexed block'),
    lag_blocks: this.#gauge(
      'chain_lag_blocks',
      'Blocks between the head block and the indexed one',
    ),
    indexed_time: this.#gauge(
      'chain_indexed_time_seconds',
      'Timestamp of the indexed block, in Unix seconds',
    ),
    blocks_per_second: this.#gauge(
      'chain_blocks_per_second',
      'Blocks indexed per second, recent average',
    ),
    events_per_second: this.#gauge(
      'chain_events_per_second',
      'Events indexed per second, recent average',
    ),
    seconds_left: this.#gauge('chain_seconds_left', 'Estimated time until the head is indexed'),
    unconfirmed_seconds: this.#gauge(
      'chain_unconfirmed_seconds',
      'Seconds since a node last confirmed that the indexed block is the head',
    ),
    unreported_seconds: this.#gauge(
      'chain_unreported_seconds',
      'Seconds since the process that indexes the chain last reported, unless it is stopped or held',
    ),
    available: this.#gauge('chain_available', '1 while requests of the chain are served'),
    stale: this.#gauge(
      'chain_stale',
      '1 while the head was not confirmed for longer than the limit of the chain',
    ),
    synced: this.#gauge('chain_synced', '1 once the initial indexing is complete'),
    stopped: this.#gauge('chain_stopped', '1 while indexing is stopped and needs the operator'),
    failing: this.#gauge('chain_failing', '1 while /ready states a failure of the chain'),
    held: this.#gauge(
      'chain_held',
      '1 while a command holds the chain, or did when it was killed, and it is not indexed',
    ),
  }
  readonly #audit = {
    checked: this.#counter('audit_checked_total', 'Amounts compared with balanceOf'),
    mismatched: this.#counter('audit_mismatched_total', 'Compared amounts that differed'),
    tokensReadFromChain: this.#gauge(
      'audit_tokens_read_from_chain',
      'Tokens with amounts that are read from the contract after a mismatch',
    ),
  }
  readonly #coverage = {
    tokens: this.#gauge('audit_tokens', 'ERC20 tokens with amounts from the ledger'),
    neverAudited: this.#gauge(
      'audit_tokens_never_audited',
      'Those of them that were not compared with their contract yet',
    ),
    oldestSeconds: this.#gauge(
      'audit_oldest_seconds',
      'Block time since the audit of a token that was the longest ago',
    ),
    holders: this.#gauge(
      'audit_holders',
      'Holders of tokens with amounts that are read from the contract',
    ),
    staleHolders: this.#gauge(
      'audit_stale_holders',
      'Those of them whose amount was never read, or has changed since',
    ),
  }
  readonly #skippedEvents = this.#gauge(
    'skipped_events',
    'Events that exceeded a limit and were not applied, up to 10,000',
  )
  readonly #node = {
    requests: this.#counter('node_requests_total', 'JSON-RPC requests to a node', nodeLabels),
    failures: this.#counter('node_failures_total', 'JSON-RPC requests that failed', nodeLabels),
    roundTrips: this.#counter('node_round_trips_total', 'HTTP requests to a node', nodeLabels),
    latencySum: this.#counter(
      'node_round_trip_seconds_total',
      'Total duration of the HTTP requests',
      nodeLabels,
    ),
    isCoolingDown: this.#gauge(
      'node_resting',
      '1 while the node cools down and others are preferred',
      nodeLabels,
    ),
  }
  readonly #violations = this.#counter(
    'node_violations_total',
    'Responses of a node that contradicted a block, by kind',
    ['chain', 'node', 'kind'],
  )

  /** @param options.process - whether to include metrics of the process: memory, CPU, event loop. Once per process. */
  constructor(options: { readonly process: boolean }) {
    if (options.process) {
      collectDefaultMetrics({ register: this.#registry })
    }
  }

  readonly #served = Promise.withResolvers<void>()

  /** Resolves with the first response of an operation. */
  get served(): Promise<void> {
    return this.#served.promise
  }

  readonly contentType = this.#registry.contentType

  /** Records a request that was settled, successfully or not. */
  observeRequest(operation: string, status: number, seconds: number): void {
    this.#requests.observe({ operation, status }, seconds)
  }

  /** Counts the units charged for a response. */
  countUnits(operation: string, units: number): void {
    this.#served.resolve()
    this.#units.inc({ operation }, units)
  }

  /** Sets the number of open subscriptions. */
  setSubscriptions(count: number): void {
    this.#subscriptions.set(count)
  }

  /** Sets whether operations read from the replica; undefined without one. */
  setReplicaUp(isUp: boolean | undefined): void {
    if (isUp === undefined) {
      this.#replicaUp.remove()
    } else {
      this.#replicaUp.set(Number(isUp))
    }
  }

  /**
   * Serializes all metrics, after updating those of the store and the nodes.
   *
   * @param chains - undefined while the store is unavailable; the metrics of chains and audits then keep their values.
   */
  async write(
    chains: readonly ChainReadiness[] | undefined,
    nodes: Iterable<readonly [chainId: number, stats: readonly NodeStats[]]>,
    audits: readonly AuditFigures[] = [],
    coverage: readonly AuditCoverage[] = [],
  ): Promise<string> {
    this.#storeUp.set(chains ? 1 : 0)
    for (const figures of chains ?? []) {
      const chain = String(figures.chain_id)
      const { indexed_time, head_time } = figures
      const values = {
        ...figures,
        failing: figures.failure !== null,
        // A detached chain is stopped.
        held: figures.hold !== null && figures.hold !== 'detached',
        head_time: head_time === null ? null : Date.parse(head_time) / 1000,
        indexed_time: indexed_time === null ? null : Date.parse(indexed_time) / 1000,
      }
      for (const [name, gauge] of Object.entries(this.#chain)) {
        setOrRemove(gauge, chain, values[name as keyof typeof values])
      }
    }
    for (const figures of audits) {
      const chain = String(figures.chainId)
      for (const metric of [this.#audit.checked, this.#audit.mismatched]) {
        metric.remove({ chain })
      }
      this.#audit.checked.inc({ chain }, figures.checked)
      this.#audit.mismatched.inc({ chain }, figures.mismatched)
      this.#audit.tokensReadFromChain.set({ chain }, figures.tokensReadFromChain)
      this.#skippedEvents.set({ chain }, figures.skippedEvents)
    }
    for (const figures of coverage) {
      const chain = String(figures.chainId)
      for (const [name, gauge] of Object.entries(this.#coverage)) {
        setOrRemove(gauge, chain, figures[name as keyof AuditCoverage])
      }
    }
    for (const [chainId, stats] of nodes) {
      for (const node of stats) {
        const labels = { chain: String(chainId), node: node.name }
        for (const [name, metric] of Object.entries(this.#node)) {
          metric.remove(labels)
          metric.inc(labels, Number(node[name as keyof typeof node]))
        }
        for (const kind of violationKinds) {
          this.#violations.remove({ ...labels, kind })
          this.#violations.inc({ ...labels, kind }, node.violations.get(kind) ?? 0)
        }
      }
    }
    return await this.#registry.metrics()
  }

  #counter<Label extends string = 'chain'>(
    name: string,
    help: string,
    labelNames = ['chain'] as Label[],
  ) {
    return new Counter({ name: `headwater_${name}`, help, labelNames, registers: [this.#registry] })
  }

  #gauge<Label extends string = 'chain'>(
    name: string,
    help: string,
    labelNames = ['chain'] as Label[],
  ) {
    return new Gauge({ name: `headwater_${name}`, help, labelNames, registers: [this.#registry] })
  }
}

/** Null for a value that is not known. */
function setOrRemove(gauge: Gauge<'chain'>, chain: string, value: unknown): void {
  if (value === null) {
    gauge.remove({ chain })
  } else {
    gauge.set({ chain }, Number(value))
  }
}
