export { findAnvil } from './anvil/findAnvil.ts'
export { compileContracts } from './contracts/compileContracts.ts'
export { weth9Bytecode } from './contracts/publishedArtifacts.ts'
export { DevnetChain, type MinedTransaction } from './DevnetChain.ts'
export { DevnetError } from './DevnetError.ts'
export { accounts, type DevAccount, emptyWallet, getAccount } from './scenarios/accounts.ts'
export { devnetOdd } from './scenarios/devnetOdd.ts'
export { devnetOne } from './scenarios/devnetOne.ts'
export { devnetTwo } from './scenarios/devnetTwo.ts'
export type { Scenario } from './scenarios/Scenario.ts'
export { type SeededRandom, seededRandom } from './seededRandom.ts'
export type { ServiceChainConfig } from './serviceChainConfig.ts'
export { type DevnetProgress, startChain, type StartChainOptions } from './startChain.ts'
export { type Devnet, startDevnet, type StartDevnetOptions } from './startDevnet.ts'
export type {
  DeployedCollection,
  DeployedConcentratedPool,
  DeployedOddToken,
  DeployedPool,
  DeployedToken,
} from './world/Deployment.ts'
export type { PlannedTransaction } from './world/PlannedTransaction.ts'
