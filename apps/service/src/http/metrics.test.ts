import { expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'

describeEachStore('/metrics', (openTestStore) => {
  it('tells of requests by operation and status, of units, of chains and of nodes', async () => {
    const { db, ...store } = await openTestStore()
    await seedChain(db, { chainId: 7, blocks: { 0: 1_700_000_000, 5: 1_700_000_060 } })
    await db
      .insertInto('indexers')
      .values({ chain_id: 7, head_block: 9, blocks_per_second: 0.5, seconds_left: 8 })
      .execute()
    const audit = { chain_id: 7, checked: 40, mismatched: 1, seen_block: 5 }
    await db
      .insertInto('audits')
      .values({ ...audit, seen_hash: Buffer.alloc(32) })
      .execute()
    const chain = testChainConfig(7, { rpcUrls: ['http://127.0.0.1:9/secret-key'] })
    const service = await startTestService({ db, ...store }, [chain])
    await service.fetch(`/v1/evm/collectibles/${testAddress(1)}`)
    await service.fetch(`/v1/evm/collectibles/${testAddress(1)}?limit=0`)
    await service.fetch(`/v1/evm/balances/${testAddress(1)}`)
    // A figure needs no key.
    const response = await fetch(`${service.url}/metrics`)
    expect(response.headers.get('content-type')).toContain('text/plain')
    const text = await response.text()
    const lines = text.split('\n')
    expect(lines).toContain(
      'headwater_request_seconds_count{operation="collectibles",status="200"} 1',
    )
    expect(lines).toContain(
      'headwater_request_seconds_count{operation="collectibles",status="400"} 1',
    )
    expect(lines).toContain('headwater_compute_units_total{operation="collectibles"} 1')
    expect(lines).toContain('headwater_chain_indexed_block{chain="7"} 5')
    expect(lines).toContain('headwater_chain_lag_blocks{chain="7"} 4')
    expect(lines).toContain('headwater_chain_blocks_per_second{chain="7"} 0.5')
    expect(lines).toContain('headwater_chain_seconds_left{chain="7"} 8')
    expect(lines).toContain('headwater_chain_synced{chain="7"} 1')
    expect(lines).toContain('headwater_chain_stopped{chain="7"} 0')
    expect(lines).toContain('headwater_audit_checked_total{chain="7"} 40')
    expect(lines).toContain('headwater_audit_mismatched_total{chain="7"} 1')
    expect(lines).toContain('headwater_audit_tokens_read_from_chain{chain="7"} 0')
    expect(lines).toContain('headwater_store_up 1')
    expect(text).toMatch(/headwater_node_failures_total\{chain="7",node="127.0.0.1:9"\} [1-9]/)
    expect(text).not.toContain('secret-key')
  })
})
