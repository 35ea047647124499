import { bindingNames } from '../../../../scripts/bindings.ts'
import { measureBundle } from '../../measureBundle.ts'
import type { Figure } from '../Figure.ts'

const core = `export { createClient } from '@headwater/core';`
const outside = [...bindingNames]
/** The comparable app with wagmi: one balance of one chain. */
const wagmi =
  `export { createConfig, http, useBalance, WagmiProvider } from 'wagmi';` +
  `export { mainnet } from 'wagmi/chains';` +
  `export { QueryClient, QueryClientProvider } from '@tanstack/react-query'`

/** The bundle of an app that shows a wallet. */
export const figure: Figure = {
  title: 'Bundle of useBalances and its dependencies without the framework',
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
