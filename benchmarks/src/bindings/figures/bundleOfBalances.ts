import { bindingNames } from '../../../../scripts/bindings.ts'
import { measureBundle } from '../../measureBundle.ts'
import type { Figure } from '../Figure.ts'

const core = `export { createClient } from '@headwater/core';`
const outside = [...bindingNames]
/** Which shows one balance of one chain. */
const wagmi =
  `export { createConfig, http, useBalance, WagmiProvider } from 'wagmi';` +
  `export { mainnet } from 'wagmi/chains';` +
  `export { QueryClient, QueryClientProvider } from '@tanstack/react-query'`

/** What an app loads to show a wallet. */
export const figure: Figure = {
  title: 'Bundle of useBalances and everything under it, the framework outside',
  measure: async ({ withoutPeers }) => ({
    'headwater react': await measureBundle(
      `${core} export { HeadwaterProvider, useBalances } from '@headwater/react'`,
      outside,
    ),
    'headwater vue': await measureBundle(
      `${core} export { headwaterPlugin, useBalances } from '@headwater/vue'`,
      outside,
    ),
    'headwater svelte': await measureBundle(
      `${core} export { createBalances, setClient } from '@headwater/svelte'`,
      outside,
    ),
    ...(!withoutPeers && { wagmi: await measureBundle(wagmi, outside) }),
  }),
  reach: bindingNames.flatMap((name) => [
    { of: [`headwater ${name}`, 'gzipBytes'], atMost: 22_000 },
    { of: [`headwater ${name}`, 'gzipBytesOfRxjsEs5'], atMost: 22_000 },
  ]),
}
