import './globals'
import * as core from '@headwater/core'
import * as testing from '@headwater/testing'
import { focusManager } from '@tanstack/query-core'
import DeviceEventEmitter from 'react-native/Libraries/EventEmitter/RCTDeviceEventEmitter'
import { checkClient } from './checkClient'
import { pollInForeground } from './pollInForeground'

pollInForeground()
const focus = ['background', 'active'].map((state) => {
  DeviceEventEmitter.emit('appStateDidChange', { app_state: state })
  return focusManager.isFocused()
})

checkClient(core, testing).then(
  (report) => globalThis.report(JSON.stringify({ ...report, focus })),
  (error) => globalThis.report(String(error?.stack ?? error)),
)
