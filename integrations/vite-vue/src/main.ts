import { headwaterPlugin } from '@headwater/vue'
import { createApp } from 'vue'
import { openWallet } from './openWallet'
import Wallet from './Wallet.vue'

const { client, address } = openWallet()

createApp(Wallet, { address }).use(headwaterPlugin(client)).mount('#app')
