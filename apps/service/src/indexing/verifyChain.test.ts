import { expect, it, onTestFinished } from 'vitest'
import { ChainNode } from '../rpc/ChainNode.ts'
import { HandmadeChain } from '../testing/HandmadeChain.ts'
import { openMemoryStore } from '../testing/openMemoryStore.ts'
import { testAddress } from '../testing/seedChain.ts'
import { startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { testChainConfig } from '../testing/testChainConfig.ts'
import { verifyChain } from './verifyChain.ts'

it('tells what to write into the configuration when a preset asks for other rows than before', async () => {
  const { url, close } = await startHandmadeNode(new HandmadeChain())
  const store = await openMemoryStore()
  onTestFinished(async () => {
    await store.close()
    await close()
  })
  const node = new ChainNode([url])
  const verify = (uniswapV3Factories: string[]) =>
    verifyChain(store.db, node, testChainConfig(1, { uniswapV3Factories }))
  await verify([])
  await verify([])
  await expect(verify([testAddress(1)])).rejects.toThrow(
    'To keep it, write the chain into the configuration file with "uniswapV3Factories": []. Or',
  )
})
