import '@headwater/demo-kit/style.css'
import { mount } from 'svelte'
import { followTheme } from '@headwater/demo-kit'
import App from './App.svelte'

followTheme()
mount(App, { target: document.getElementById('app')! })
