import { focusManager } from '@tanstack/query-core'
import { AppState } from 'react-native'

/** Pauses polls while the app is in the background. Call it once. */
export function pollInForeground() {
  focusManager.setFocused(AppState.currentState === 'active')
  AppState.addEventListener('change', (state) => focusManager.setFocused(state === 'active'))
}
