import { mount } from 'svelte'
import App from './App.svelte'
import { openWallet } from './openWallet'

mount(App, { target: document.getElementById('app')!, props: openWallet() })
